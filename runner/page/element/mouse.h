/* Where the mouse is, where it was used, and what a verified click saw. */
#ifndef RUNNER_PAGE_ELEMENT_MOUSE_H
#define RUNNER_PAGE_ELEMENT_MOUSE_H

#include "runner/page/core/box.h"

#include <stdbool.h>
#include <stdint.h>

struct page;

enum { PAGE_VERIFY_TRIES = 3 };

/* What the verification of a click saw. */
struct page_verdict {
    enum {
        PAGE_NO_CHANGE, /* nothing, or too little */
        PAGE_REPAINTED, /* pixels have changed */
        PAGE_NAVIGATED, /* the page is another one, or about to be */
        PAGE_NOTICED,   /* a dialog, a download or a new tab came */
    } outcome;
    int tries; /* clicks */
    struct {
        double x, y;
    } points[PAGE_VERIFY_TRIES];
    uint32_t seed;
    double threshold;
    double fraction;         /* of all pixels: what the last click changed */
    struct page_box changed; /* around it */
    double left_out;         /* the part of the viewport that moves by itself, 0 to 1 */
};

/* Where the mouse was used, for those who draw it; CSS pixels of the viewport. */
struct page_trace {
    bool has_point, has_area, is_verified;
    double x, y;
    struct page_box area; /* the range, or the element's box */
    double scale;         /* of the element's frame in the page */
    unsigned documents;   /* as in struct page_mark, when the mouse was moved */
    struct page_verdict verdict;
};

/* Since page_reset_acted(). Borrowed. */
const struct page_trace *page_trace(const struct page *page);

void mouse_init(struct page *page);
void mouse_finish(struct page *page);

/* A place of the page's viewport, or of a frame's; CSS pixels. */
struct mouse_place {
    double x, y;
};

/* Where the mouse is in the page, and in the frame of the element that it came to. */
struct mouse_place mouse_at(const struct page *page);
struct mouse_place mouse_inside(const struct page *page);
void mouse_move(struct page *page, double x, double y);
void mouse_enter(struct page *page, double x, double y);

/* For those who use it: what page_trace() tells from now on. */
struct page_trace *mouse_trace(struct page *page);

#endif
