/* Input, and what the page queues by it. */
#ifndef RUNNER_PAGE_CORE_ACTING_H
#define RUNNER_PAGE_CORE_ACTING_H

#include <stdbool.h>
#include <stdint.h>

struct page;

/*
 * Whether input (the press of a button, a key, text) or a script of the user's may have reached the
 * page since page_reset_acted(): what was done so far must not be done again unasked.
 */
bool page_has_acted(const struct page *page);

/* To be called before input, or a script of the user's, is sent; see page_has_acted(). */
void page_act(struct page *page);

/*
 * Lets the page run what the input has queued: a form is submitted by a task of its
 * own. It may be gone by then, or busy; both are seen elsewhere.
 */
int64_t page_send_flush(struct page *page);
void page_receive_flush(struct page *page, int64_t id);

/* Whether the page has run what the last input queued; it has told so in another way. */
bool page_is_flushed(const struct page *page);
void page_note_flushed(struct page *page);

/* A new action begins. */
void page_forget_acts(struct page *page);

#endif
