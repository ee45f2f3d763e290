/* Converts points of a frame to its enclosing frames. */
#ifndef RUNNER_PAGE_ELEMENT_PLACE_H
#define RUNNER_PAGE_ELEMENT_PLACE_H

#include <stdbool.h>

struct br_error;
struct frame;
struct page;

/* A point of a frame's viewport, CSS pixels. */
struct frame_point {
    double x, y;
    double scale;              /* of the frame in the page */
    double scroll_x, scroll_y; /* of the page */
    bool stays_put;            /* do not scroll */
};

/*
 * Converts a point of the frame to the page's viewport. With is_input it is scrolled into view and
 * must be hit there; otherwise TARGET_NOT_VISIBLE or TARGET_OBSCURED.
 */
bool frame_to_page(struct page *page, struct frame *frame, struct frame_point *point, bool is_input,
                   struct br_error *err);

/* Converts by one step, from a frame with a parent. */
bool frame_to_parent(struct page *page, const struct frame *frame, struct frame_point *point,
                     bool is_input, struct frame **ret_parent, struct br_error *err);

/* Gets the size of its viewport, in the frame's own pixels. */
bool frame_get_size(struct page *page, const struct frame *frame, double *ret_width,
                    double *ret_height, struct br_error *err);

/* POLICY_DENIED if the frame's element or an ancestor of it has data-no-ai. */
bool frame_check_policy(struct page *page, struct frame *frame, struct br_error *err);

#endif
