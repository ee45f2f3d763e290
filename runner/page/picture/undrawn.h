/* Captures before Chrome has drawn anything. */
#ifndef RUNNER_PAGE_PICTURE_UNDRAWN_H
#define RUNNER_PAGE_PICTURE_UNDRAWN_H

#include "runner/base/clock.h"

#include <stdbool.h>
#include <stdint.h>

struct br_error;
struct page;

/*
 * Waits until the page's document has painted, to the earlier of this and the page's deadline:
 * TIMEOUT names the request that blocks it. Chrome does not answer captures of a document that has
 * never painted, and crashes if the page's process ends meanwhile. Also true if no blocking request
 * is known: a capture may then succeed.
 */
bool page_await_paint(struct page *page, struct deadline deadline, struct br_error *err);

/*
 * Returns why the page's document has not painted yet, as a sentence; caller frees. NULL: it has,
 * or no cause is known.
 */
char *page_unpainted_reason(const struct page *page);

/*
 * Returns the deadline until which a tab may not have drawn yet before another problem is assumed.
 */
struct deadline undrawn_deadline(void);

/*
 * Returns whether a capture has to be repeated because the tab has not drawn a frame for it yet,
 * such as a new tab or one with a new process; waits a moment first. False at the deadline.
 */
bool undrawn_ask_again(struct page *page, struct deadline end, const struct br_error *err);

/*
 * Waits for the reply to a capture that was sent. While the page is busy with layout and painting,
 * which for 50,000 elements takes seconds, the page's deadline moves on, up to `latest`. A page
 * whose script does not end gets no more time. One that waits in a synchronous request does: Chrome
 * answers for it no more than for one that draws.
 */
bool undrawn_await(struct page *page, int64_t call_id, struct deadline latest,
                   struct br_error *err);

#endif
