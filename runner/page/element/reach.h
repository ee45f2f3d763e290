/* Moving the mouse to an action's target. */
#ifndef RUNNER_PAGE_ELEMENT_REACH_H
#define RUNNER_PAGE_ELEMENT_REACH_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct element;
struct frame_point;
struct page;
struct page_target;

struct page_click {
    bool has_offset;    /* click at x, y from the element's corner instead of its middle */
    bool is_by_chance;  /* the offset is random: avoid other controls inside the element */
    bool stays_put;     /* do not scroll: it has to be in view */
    double x, y;        /* CSS pixels */
    const char *button; /* "left", "right", "middle" */
    int count;          /* 2: a double click */
    int modifiers;      /* bits of the protocol: 1 Alt, 2 Control, 4 Meta, 8 Shift */
};

struct reach {
    const struct page_click *options;
    struct element *element;
    bool was_covered; /* in the last try */
};

/*
 * A patience_attempt whose data is a struct reach: moves the mouse to the element, and checks that
 * it would still be hit there.
 */
bool reach_once(struct page *page, const struct page_target *target, int attempt, void *data,
                struct br_error *err);

/* Moves the mouse to the middle of the target's place. */
bool reach_place(struct page *page, const struct page_target *target, struct br_error *err);

/* Checks that the target's place is inside the viewport; otherwise TARGET_NOT_VISIBLE. */
bool reach_check_place(struct page *page, const struct page_target *target, struct br_error *err);

/* Reads the point from the answer of a job of scripts/elements.js. */
bool reach_read_point(json_t *answer, struct frame_point *ret_point, struct br_error *err);

#endif
