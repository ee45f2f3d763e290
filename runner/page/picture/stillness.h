/*
 * What the page looks like without input, so that changes by input can be detected; for this
 * folder.
 */
#ifndef RUNNER_PAGE_PICTURE_STILLNESS_H
#define RUNNER_PAGE_PICTURE_STILLNESS_H

#include "imaging/compare.h"

#include <browser_runner/image.h>

#include <stdbool.h>

struct br_error;
struct image_change;
struct page;
struct page_box;

/* The page's look while nothing is done to it. The caller finishes. */
struct stillness {
    struct br_image before;
    struct image_mask mask; /* areas that change by themselves */
    double scale;           /* device pixels per CSS pixel in the pictures */
};

/* Hides the caret until stillness_end(), which also works after the page has navigated. */
bool stillness_begin(struct page *page, struct br_error *err);
void stillness_end(struct page *page);

/*
 * Waits for changes that end by themselves, then takes two pictures with a pause in between: areas
 * that differ, or are animated, are excluded. The mouse must already be at the click position.
 */
bool stillness_observe(struct page *page, struct stillness *ret_stillness, struct br_error *err);

void stillness_finish(struct stillness *stillness);

/*
 * Returns the present difference, after animations started by the mouse press have ended; the box
 * is in CSS pixels of the viewport.
 */
bool stillness_compare(struct page *page, const struct stillness *stillness,
                       struct image_change *ret_change, struct page_box *ret_box,
                       struct br_error *err);

#endif
