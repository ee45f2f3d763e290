/* Getting Chrome to deliver a picture. */
#ifndef RUNNER_PAGE_PICTURE_SHOT_H
#define RUNNER_PAGE_PICTURE_SHOT_H

#include <stdbool.h>
#include <stddef.h>

struct br_error;
struct page;
struct page_box;

/* What Chrome is asked to capture. */
struct shot {
    const struct page_box *box; /* of the document, CSS pixels; NULL: the viewport */
    bool is_beyond_viewport;
    double scale;     /* of what is in the box; 0: 1 */
    int webp_quality; /* 1 to 100: as WebP; 0: as PNG */
    bool has_actions; /* it shows what is drawn of actions, when pictures are to */
};

/*
 * One capture as PNG or WebP bytes, which are the caller's to free. Where Chrome does not draw, one
 * way after another is tried to make it do so.
 */
bool shot_take(struct page *page, const struct shot *shot, unsigned char **ret_bytes,
               size_t *ret_size, struct br_error *err);

#endif
