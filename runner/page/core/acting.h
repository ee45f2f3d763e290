/* Input, and the tasks that it queues in the page. */
#ifndef RUNNER_PAGE_CORE_ACTING_H
#define RUNNER_PAGE_CORE_ACTING_H

#include <stdbool.h>
#include <stdint.h>

struct page;

/*
 * Returns whether input (a mouse button, a key, text) or a script of the user may have reached the
 * page since page_reset_acted(): such an action must not be repeated without the user's consent.
 */
bool page_has_acted(const struct page *page);

/* Returns when page_act() was last called, by clock_monotonic_ms(); 0: never. */
int64_t page_acted_at_ms(const struct page *page);

/* Call before sending input or a script of the user; see page_has_acted(). */
void page_act(struct page *page);

/*
 * Let the page run the tasks that the input has queued, such as submitting a form. The page may be
 * closed or busy by then; other code detects that.
 */
int64_t page_send_flush(struct page *page);
void page_receive_flush(struct page *page, int64_t id);

/* Sends and receives the flush, unless page_is_flushed(). */
void acting_flush(struct page *page);

/* Sends and receives the flush. Returns whether the page then waits for the answer to a request. */
bool acting_is_loading(struct page *page);

/*
 * Returns whether the page has run the tasks of the last input; it may also have reported that
 * otherwise.
 */
bool page_is_flushed(const struct page *page);
void page_note_flushed(struct page *page);

/* Resets the state for a new action. */
void page_forget_acts(struct page *page);

#endif
