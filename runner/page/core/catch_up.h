/* What came while nobody waited. */
#ifndef RUNNER_PAGE_CORE_CATCH_UP_H
#define RUNNER_PAGE_CORE_CATCH_UP_H

#include "runner/base/clock.h"

struct page;

/* Takes in the events that came while nobody waited, such as dialogs. */
void page_catch_up(struct page *page);

/* Lets the stream go on with what has come. Returns when it is to be called again at the latest. */
struct deadline page_tend(struct page *page);

#endif
