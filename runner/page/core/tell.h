/*
 * Reports the page's events to the session's stream, and processes those that arrived while no wait
 * was active. Does nothing without a stream.
 */
#ifndef RUNNER_PAGE_CORE_TELL_H
#define RUNNER_PAGE_CORE_TELL_H

#include "runner/base/clock.h"

#include <jansson.h>
#include <stdbool.h>

struct page;

/* `step` is an enum br_navigation_step. */
void tell_navigation(const struct page *page, int step, const char *url);

void tell_dialog(const struct page *page, const char *type, const char *message, bool is_accepted);

/* `download` as in page->downloads. */
void tell_download(const struct page *page, const json_t *download);

/* `step` is an enum br_tab_step. */
void tell_tab(const struct page *page, int step, int number, const char *target_id);

/*
 * Sets what the page waits for, in words for a person; NULL: the name of the wait itself. Reported
 * when the wait takes long, and then again at intervals.
 */
void tell_waits_for(struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Resets the waits for a new try. */
void tell_begin(struct page *page);

/* Marks the begin of a wait with this name. Returns when it has to be reported at the latest. */
struct deadline tell_waiting(struct page *page, const char *what);

void tell_init(struct page *page);
void tell_finish(struct page *page);

/* Processes the pending events, such as dialogs. */
void page_catch_up(struct page *page);

/* Forwards pending data to the stream. Returns when it has to be called again at the latest. */
struct deadline page_tend(struct page *page);

#endif
