/* What the page looks like without input, so that what input changes shows; for this folder. */
#ifndef RUNNER_PAGE_PICTURE_STILLNESS_H
#define RUNNER_PAGE_PICTURE_STILLNESS_H

#include "imaging/compare.h"

#include <browser_runner/image.h>

#include <stdbool.h>

struct br_error;
struct image_change;
struct page;
struct page_box;

/* How the page looks while nothing is done to it. The caller finishes. */
struct stillness {
    struct br_image before;
    struct image_mask mask; /* what moves by itself */
    double scale;           /* device pixels of the pictures per CSS pixel */
};

/* Hides the caret, until stillness_end(), which also works on a page that has gone on. */
bool stillness_begin(struct page *page, struct br_error *err);
void stillness_end(struct page *page);

/*
 * Waits for what ends by itself, then looks twice with a pause in between: what differs, and what
 * is animated, does not count. The mouse is where it will click.
 */
bool stillness_observe(struct page *page, struct stillness *ret_stillness, struct br_error *err);

void stillness_finish(struct stillness *stillness);

/*
 * What is different now, when what a press of the button animates has ended; the box in CSS pixels
 * of the viewport.
 */
bool stillness_compare(struct page *page, const struct stillness *stillness,
                       struct image_change *ret_change, struct page_box *ret_box,
                       struct br_error *err);

#endif
