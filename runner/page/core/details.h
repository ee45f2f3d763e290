/*
 * Data missing in events: requested at once, before Chrome discards it, and collected at the end.
 */
#ifndef RUNNER_PAGE_CORE_DETAILS_H
#define RUNNER_PAGE_CORE_DETAILS_H

#include "runner/base/clock.h"

struct page;

/*
 * Request data missing in an event, such as the body of a failed response, in the session of the
 * event; collect the replies until their time limits, or the client's deadline, have passed.
 */
void page_ask_details(struct page *page, const char *session_id);
void page_take_details(struct page *page);

/*
 * Collects the replies that have arrived and sends requests that are due; returns when to call it
 * again.
 */
struct deadline page_tend_details(struct page *page);

void details_init(struct page *page);
void details_finish(struct page *page);

#endif
