/* Handles events that arrived while no wait was active. */
#ifndef RUNNER_PAGE_CORE_CATCH_UP_H
#define RUNNER_PAGE_CORE_CATCH_UP_H

#include "runner/base/clock.h"

struct page;

/* Processes the pending events, such as dialogs. */
void page_catch_up(struct page *page);

/* Forwards pending data to the stream. Returns when it has to be called again at the latest. */
struct deadline page_tend(struct page *page);

#endif
