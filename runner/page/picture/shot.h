/* Makes Chrome deliver a picture. */
#ifndef RUNNER_PAGE_PICTURE_SHOT_H
#define RUNNER_PAGE_PICTURE_SHOT_H

#include <stdbool.h>
#include <stddef.h>

struct br_error;
struct page;
struct page_box;

/* What Chrome has to capture. */
struct shot {
    const struct page_box *box; /* of the document, CSS pixels; NULL: the viewport */
    double left, top;           /* as in struct area */
    bool is_beyond_viewport;
    double scale;     /* of the box's content; 0: 1 */
    int webp_quality; /* 1 to 100: WebP; 0: PNG or JPEG */
    int jpeg_quality; /* 1 to 100: JPEG; 0: PNG or WebP */
    bool has_actions; /* include drawings of actions, if pictures show them */
};

/*
 * Takes a capture as PNG, JPEG or WebP bytes; the caller frees. If Chrome does not draw, tries
 * several ways to make it do so.
 */
bool shot_take(struct page *page, const struct shot *shot, unsigned char **ret_bytes,
               size_t *ret_size, struct br_error *err);

#endif
