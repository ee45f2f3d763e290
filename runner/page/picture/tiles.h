/* A tall page as a row of pictures. */
#ifndef RUNNER_PAGE_PICTURE_TILES_H
#define RUNNER_PAGE_PICTURE_TILES_H

#include <stdbool.h>
#include <stddef.h>

struct br_error;
struct br_tile;
struct page;
struct page_capture;

/*
 * The same as slices from the top, each as high as the viewport, which overlap a little; the whole
 * page when the options name no part of it. Limits hold for each. The caller finishes the pictures
 * and frees *ret_tiles.
 */
bool page_capture_tiles(struct page *page, const struct page_capture *options,
                        struct br_tile **ret_tiles, size_t *ret_count, struct br_error *err);

/* Of a page that is higher, only the upper ones are made, with a warning in the logs. */
enum { PAGE_MAX_TILES = 50 };

#endif
