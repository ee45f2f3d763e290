/* Captures that come too early for Chrome. */
#ifndef RUNNER_PAGE_PICTURE_UNDRAWN_H
#define RUNNER_PAGE_PICTURE_UNDRAWN_H

#include "runner/base/clock.h"

#include <stdbool.h>

struct br_error;
struct page;

/*
 * Waits until something of the page's document has been painted, to the earlier one of this and the
 * page's deadline: TIMEOUT with the request that holds it up. Chrome does not answer captures of a
 * document that has never been painted, and crashes when the page's process ends meanwhile. True
 * also when no request is known to hold it up: then a capture may come of it.
 */
bool page_await_paint(struct page *page, struct deadline deadline, struct br_error *err);

/*
 * Why nothing of the page's document has been painted yet, as a sentence that the caller frees.
 * NULL: it has, or nothing is known to hold it up.
 */
char *page_unpainted_reason(const struct page *page);

/* For as long a tab may have drawn nothing yet, before something else is taken to be wrong. */
struct deadline undrawn_deadline(void);

/*
 * Whether a capture failed only since the tab has not drawn anything for it yet, as one that has
 * just been made or has just changed its process, and is to be asked for again: a moment has passed
 * then. False at the deadline.
 */
bool undrawn_ask_again(struct page *page, struct deadline end, const struct br_error *err);

#endif
