/* Captures that come too early for Chrome. */
#ifndef RUNNER_PAGE_PICTURE_UNDRAWN_H
#define RUNNER_PAGE_PICTURE_UNDRAWN_H

#include "runner/base/clock.h"

#include <stdbool.h>

struct br_error;
struct page;

/* For as long a tab may have drawn nothing yet, before something else is taken to be wrong. */
struct deadline undrawn_deadline(void);

/*
 * Whether a capture failed only since the tab has not drawn anything for it yet, as one that has
 * just been made or has just changed its process, and is to be asked for again: a moment has passed
 * then. False at the deadline.
 */
bool undrawn_ask_again(struct page *page, struct deadline end, const struct br_error *err);

#endif
