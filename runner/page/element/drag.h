/* Dragging from one place to another. */
#ifndef RUNNER_PAGE_ELEMENT_DRAG_H
#define RUNNER_PAGE_ELEMENT_DRAG_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_click;
struct page_target;

/* How the mouse goes. */
struct page_drag_manner {
    int hold_ms; /* how long the button is held down before the first move */
    int steps;   /* how many moves lead there */
};

/*
 * Drags from one target to the other, each an element or a place with an offset: with the browser's
 * own drag and drop where the page begins that, otherwise with the mouse alone. TARGET_DISABLED
 * when nothing takes the drop, TARGET_OBSCURED when something else does. *ret_result is where it
 * ended, { x, y, receiver, source }, the caller's to decref; it may stay NULL.
 */
bool page_drag(struct page *page, const struct page_target *source,
               const struct page_click *source_place, const struct page_target *target,
               const struct page_click *target_place, const struct page_drag_manner *manner,
               json_t **ret_result, struct br_error *err);

/* Takes what the browser drags; false for any other event. */
bool drag_on_event(struct page *page, const char *method, const json_t *params);

void drag_finish(struct page *page);

#endif
