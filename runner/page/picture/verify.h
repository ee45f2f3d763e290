/* Clicks verified by a visible change of the page. */
#ifndef RUNNER_PAGE_PICTURE_VERIFY_H
#define RUNNER_PAGE_PICTURE_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

struct br_error;
struct page;
struct page_click;
struct page_target;

/* Options of the verification. */
struct page_verify {
    double threshold; /* fraction of all pixels that must change; 0: any change */
    uint32_t seed;    /* for the random click points */
};

/*
 * As page_click(), and verifies that the page changes: clicks up to PAGE_VERIFY_TRIES times, first
 * in the middle, then at random points of the element or place. NO_VISUAL_CHANGE if it stays the
 * same. Motion of its own, the caret, and hover effects do not count. Fills the page's trace.
 */
bool page_click_verified(struct page *page, const struct page_target *target,
                         const struct page_click *options, const struct page_verify *verify,
                         struct br_error *err);

#endif
