/* The page's events at each mouse press, reported by scripts/press.js. */
#ifndef RUNNER_PAGE_ELEMENT_PRESS_H
#define RUNNER_PAGE_ELEMENT_PRESS_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct element;
struct page;

enum { PRESS_COMMANDS = 2 };

/*
 * Commands that make a process of the page report them, to be sent in each session; the caller owns
 * the parameters.
 */
struct press_command {
    const char *method;
    json_t *params;
};
void press_commands(struct press_command ret_commands[PRESS_COMMANDS]);

/* Returns whether the event was such a report. */
bool press_on_event(struct page *page, const char *session_id, const char *method,
                    const json_t *params);

/*
 * Call before pressing the button at the mouse's position, for an element, or for a place without
 * one; starts collecting reports.
 */
void press_begin(struct page *page, const struct element *element);

/*
 * Ends collecting when the page has run the queued tasks, and decides by the first event whether
 * the element has received the press. For a place any receiver is right.
 */
bool press_end(struct page *page, const struct element *element, struct br_error *err);

/*
 * Whether the element has received the last press, but not its click, because the page had replaced
 * it before the release. Another element like it is in its place.
 */
bool press_was_cut(const struct page *page);

/* Logs a warning if the last press was cut; call this when no other press follows. */
void press_warn_of_cut(struct page *page);

/* Resets for a new action. */
void press_reset(struct page *page);

/*
 * Returns the result of the presses since page_reset_acted(), { events, x, y, element, elsewhere },
 * as in docs/schema; the caller decrefs. NULL: nothing was pressed.
 */
json_t *page_delivered(const struct page *page);

void press_init(struct page *page);
void press_finish(struct page *page);

#endif
