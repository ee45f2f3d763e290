/* Clicks that are verified by what the page looks like. */
#ifndef RUNNER_PAGE_PICTURE_VERIFY_H
#define RUNNER_PAGE_PICTURE_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

struct br_error;
struct page;
struct page_click;
struct page_target;

/* How a click is verified by what the page looks like. */
struct page_verify {
    double threshold; /* the fraction of all pixels that has to change; 0: any change */
    uint32_t seed;    /* of the points that are chosen at random */
};

/*
 * As page_click(), and sees to it that the page changes by it: clicks up to PAGE_VERIFY_TRIES
 * times, in the middle first, then at random points of the element or place. NO_VISUAL_CHANGE when
 * it stays as it was. What moves by itself, the caret, and what the mouse alone changes does not
 * count. Fills the page's trace.
 */
bool page_click_verified(struct page *page, const struct page_target *target,
                         const struct page_click *options, const struct page_verify *verify,
                         struct br_error *err);

#endif
