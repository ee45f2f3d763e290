/* Encodes a picture. */
#ifndef RUNNER_PAGE_PICTURE_ENCODE_H
#define RUNNER_PAGE_PICTURE_ENCODE_H

#include <stdbool.h>

struct br_capture;
struct br_error;
struct page;
struct page_capture;
struct picture;

/*
 * Encodes the pixels as JPEG or PNG within the limits of the options, and fills the capture except
 * its time. With max_bytes it reduces size, then quality, and logs each step; if nothing helps, the
 * capture has no bytes, and a warning is logged. The picture's pixels are scaled down in place, and
 * labels are drawn on them.
 */
bool capture_encode(struct page *page, struct picture *picture, const struct page_capture *options,
                    struct br_capture *capture, struct br_error *err);

#endif
