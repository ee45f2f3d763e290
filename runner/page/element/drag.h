/* Dragging from one place to another. */
#ifndef RUNNER_PAGE_ELEMENT_DRAG_H
#define RUNNER_PAGE_ELEMENT_DRAG_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_click;
struct page_target;

/* How the mouse moves. */
struct page_drag_manner {
    int hold_ms; /* how long the button is held before the first move */
    int steps;   /* number of moves */
};

/*
 * Drags from one target to the other; each is an element or a place with an offset. Uses the
 * browser's drag and drop if the page starts that, otherwise only the mouse. TARGET_DISABLED if
 * nothing accepts the drop, TARGET_OBSCURED if another element does. *ret_result describes the
 * drop, { x, y, receiver, source }; the caller decrefs; it may stay NULL.
 */
bool page_drag(struct page *page, const struct page_target *source,
               const struct page_click *source_place, const struct page_target *target,
               const struct page_click *target_place, const struct page_drag_manner *manner,
               json_t **ret_result, struct br_error *err);

/* Takes the data of a drag that the browser started; false for other events. */
bool drag_on_event(struct page *page, const char *method, const json_t *params);

void drag_finish(struct page *page);

#endif
