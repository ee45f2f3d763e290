/* Pictures of a tall page in slices. */
#ifndef RUNNER_PAGE_PICTURE_TILES_H
#define RUNNER_PAGE_PICTURE_TILES_H

#include <stdbool.h>
#include <stddef.h>

struct br_error;
struct br_tile;
struct page;
struct page_capture;

/*
 * As page_capture(), in slices from the top, each as high as the viewport, with a small overlap; of
 * the whole page if the options name no part. Limits apply to each slice. The caller finishes the
 * pictures and frees *ret_tiles.
 */
bool page_capture_tiles(struct page *page, const struct page_capture *options,
                        struct br_tile **ret_tiles, size_t *ret_count, struct br_error *err);

/* Of a higher page only the upper slices are taken, with a warning in the logs. */
enum { PAGE_MAX_TILES = 50 };

#endif
