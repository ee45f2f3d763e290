/* What the page tells of each press of the mouse, by scripts/press.js. */
#ifndef RUNNER_PAGE_ELEMENT_PRESS_H
#define RUNNER_PAGE_ELEMENT_PRESS_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct element;
struct page;

enum { PRESS_COMMANDS = 2 };

/*
 * The commands, as methods and parameters that the caller owns, that make a process of the page
 * tell; for the session of each.
 */
struct press_command {
    const char *method;
    json_t *params;
};
void press_commands(struct press_command ret_commands[PRESS_COMMANDS]);

/* Whether the event was one of these. */
bool press_on_event(struct page *page, const char *session_id, const char *method,
                    const json_t *params);

/*
 * To be called before the button is pressed at the page's mouse, for an element or for a place, of
 * which nothing is known; begins to take what is told.
 */
void press_begin(struct page *page, const struct element *element);

/*
 * Ends it while the page runs what the press has queued, and judges whether the element has
 * received it: the first event tells. A place receives all.
 */
bool press_end(struct page *page, const struct element *element, struct br_error *err);

/* For a new action. */
void press_reset(struct page *page);

/*
 * What the presses since page_reset_acted() came to, { events, x, y, element, elsewhere },
 * as in docs/schema; the caller's to decref. NULL: nothing was pressed.
 */
json_t *page_delivered(const struct page *page);

void press_init(struct page *page);
void press_finish(struct page *page);

#endif
