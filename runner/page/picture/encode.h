/* Making the file of a picture. */
#ifndef RUNNER_PAGE_PICTURE_ENCODE_H
#define RUNNER_PAGE_PICTURE_ENCODE_H

#include <stdbool.h>

struct br_capture;
struct br_error;
struct page;
struct page_capture;
struct picture;

/*
 * Makes a JPEG or PNG of the pixels, in the limits of the options, and fills all of the capture but
 * its time. With max_bytes it is made smaller, then coarser, each step logged; when nothing helps
 * the capture stays without bytes, which is a warning in the logs and no failure. The pixels of the
 * picture are shrunk in place, and have its labels then.
 */
bool capture_encode(struct page *page, struct picture *picture, const struct page_capture *options,
                    struct br_capture *capture, struct br_error *err);

#endif
