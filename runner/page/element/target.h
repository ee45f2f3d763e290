/* Finding an action's target in all frames of the page. */
#ifndef RUNNER_PAGE_ELEMENT_TARGET_H
#define RUNNER_PAGE_ELEMENT_TARGET_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct element;
struct frame;
struct frame_point;
struct job;
struct page;
struct page_box;
struct page_target;

/* As locate_in(), in the frame that has the element. Does not wait for it to appear. */
bool target_locate(struct page *page, const struct page_target *target, const struct job *job,
                   struct element *ret_element, struct br_error *err);

/* Counts the matching elements in all frames; *ret_is_visible: one of them is visible. */
bool target_count(struct page *page, const struct page_target *target, int *ret_count,
                  bool *ret_is_visible, struct br_error *err);

/*
 * Collects the answers of a function like script_count, { found, rank, … }, from the frames with
 * matches of the best rank: an array, each with the id of its `frame`. Does not wait for matches.
 */
bool target_ask_all(struct page *page, const struct page_target *target, const struct job *job,
                    json_t **ret_answers, struct br_error *err);

/*
 * Computes the bounding box in the page's document of a box in a frame, whose top left point is
 * `corner`.
 */
bool target_place_box(struct page *page, struct frame *frame, const struct frame_point *corner,
                      double width, double height, struct page_box *ret_box, struct br_error *err);

/*
 * Gets the element's box in the document. *ret_scrolled is set to it if something was scrolled to
 * reveal it; target_restore() undoes that.
 */
bool target_box(struct page *page, const struct page_target *target, struct page_box *ret_box,
                struct element *ret_scrolled, struct br_error *err);
void target_restore(struct page *page, struct element *scrolled);

/* How far to scroll. */
struct page_scroll {
    bool is_into_view; /* scroll the element itself into view; ignores x and y */
    bool is_delta;     /* scroll by x and y; otherwise to x and y */
    double x, y;       /* CSS pixels */
};

/* The result of scrolling. For scrolling into view only `moved` is set. */
struct page_scrolled {
    double moved;   /* distance in CSS pixels, the sum of both axes */
    double x, y;    /* present position */
    bool is_at_end; /* in one of the requested directions */
    bool is_stuck;  /* cannot be scrolled in any of these directions */
    char name[300]; /* what was scrolled */
};

/* Scrolls the target's content; without an element the window, or what scrolls in its place. */
bool page_scroll(struct page *page, const struct page_target *target,
                 const struct page_scroll *options, struct page_scrolled *ret_scrolled,
                 struct br_error *err);

#endif
