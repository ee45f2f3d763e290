/* The mouse's position, where it was used, and the result of a verified click. */
#ifndef RUNNER_PAGE_ELEMENT_MOUSE_H
#define RUNNER_PAGE_ELEMENT_MOUSE_H

#include "runner/page/core/box.h"

#include <stdbool.h>
#include <stdint.h>

struct page;

enum { PAGE_VERIFY_TRIES = 3 };

/* The result of verifying a click. */
struct page_verdict {
    enum {
        PAGE_NO_CHANGE, /* no change, or too little */
        PAGE_REPAINTED, /* pixels have changed */
        PAGE_NAVIGATED, /* the page has navigated, or is about to */
        PAGE_NOTICED,   /* a dialog, a download or a new tab appeared */
    } outcome;
    int tries; /* number of clicks */
    struct {
        double x, y;
    } points[PAGE_VERIFY_TRIES];
    uint32_t seed;
    double threshold;
    double fraction;         /* of all pixels: changed by the last click */
    struct page_box changed; /* bounding box of the change */
    double left_out;         /* part of the viewport that changes by itself, 0 to 1 */
};

/* Where the mouse was used, for drawing it; CSS pixels of the viewport. */
struct page_trace {
    bool has_point, has_area, is_verified;
    double x, y;
    struct page_box area; /* the range, or the element's box */
    double scale;         /* of the element's frame in the page */
    unsigned documents;   /* as in struct page_mark, at the time of the move */
    struct page_verdict verdict;
};

/* Returns the trace since page_reset_acted(). Borrowed. */
const struct page_trace *page_trace(const struct page *page);

void mouse_init(struct page *page);
void mouse_finish(struct page *page);

/* A point of the page's viewport, or of a frame's; CSS pixels. */
struct mouse_place {
    double x, y;
};

/* Return the mouse's position in the page, and in the frame of its element. */
struct mouse_place mouse_at(const struct page *page);
struct mouse_place mouse_inside(const struct page *page);
void mouse_move(struct page *page, double x, double y);
void mouse_enter(struct page *page, double x, double y);

/* Returns the trace for modification. */
struct page_trace *mouse_trace(struct page *page);

#endif
