/* Where a point of a frame is in the frames around it. */
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
    bool stays_put;            /* nothing is scrolled for it */
};

/*
 * Where a point of the frame is in the page's viewport. With is_input it is scrolled into view and
 * has to be hit there: TARGET_NOT_VISIBLE, TARGET_OBSCURED otherwise.
 */
bool frame_to_page(struct page *page, struct frame *frame, struct frame_point *point, bool is_input,
                   struct br_error *err);

/* One step of it, from a frame that has a parent. */
bool frame_to_parent(struct page *page, const struct frame *frame, struct frame_point *point,
                     bool is_input, struct frame **ret_parent, struct br_error *err);

/* Of what it shows of its document, in pixels of its own. */
bool frame_get_size(struct page *page, const struct frame *frame, double *ret_width,
                    double *ret_height, struct br_error *err);

/* POLICY_DENIED where data-no-ai is on the frame's element, or on what is around it. */
bool frame_check_policy(struct page *page, struct frame *frame, struct br_error *err);

#endif
