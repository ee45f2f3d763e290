/* Finding what an action names, in all frames of the page. */
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

/* locate_in() in the frame that has the element. Does not wait for anything. */
bool target_locate(struct page *page, const struct page_target *target, const struct job *job,
                   struct element *ret_element, struct br_error *err);

/* How many elements there are in all frames, and whether one is visible. */
bool target_count(struct page *page, const struct page_target *target, int *ret_count,
                  bool *ret_is_visible, struct br_error *err);

/*
 * What a function like script_count, { found, rank, … }, answers in the frames that have matches of
 * the best rank: an array, each with the id of its `frame`. Does not wait for anything.
 */
bool target_ask_all(struct page *page, const struct page_target *target, const struct job *job,
                    json_t **ret_answers, struct br_error *err);

/* The box in the document of the page that is around a box in a frame, which begins at `corner`. */
bool target_place_box(struct page *page, struct frame *frame, const struct frame_point *corner,
                      double width, double height, struct page_box *ret_box, struct br_error *err);

/*
 * Where the element is in the document. *ret_scrolled is set to it where something was scrolled to
 * make it show, which target_restore() undoes.
 */
bool target_box(struct page *page, const struct page_target *target, struct page_box *ret_box,
                struct element *ret_scrolled, struct br_error *err);
void target_restore(struct page *page, struct element *scrolled);

/* How far to scroll. */
struct page_scroll {
    bool is_into_view; /* the element itself comes into view; x and y do not matter */
    bool is_delta;     /* by x and y, otherwise to x and y */
    double x, y;       /* CSS pixels */
};

/* What came of it. Of what came into view, `moved` alone is known. */
struct page_scrolled {
    double moved;   /* how far it went, CSS pixels of both axes together */
    double x, y;    /* where it is now */
    bool is_at_end; /* of one of the ways that were asked for */
    bool is_stuck;  /* it cannot be scrolled at all, in none of these ways */
    char name[300]; /* of what was scrolled */
};

/* Scrolls the target's content; without a selector the window, or what scrolls in its place. */
bool page_scroll(struct page *page, const struct page_target *target,
                 const struct page_scroll *options, struct page_scrolled *ret_scrolled,
                 struct br_error *err);

#endif
