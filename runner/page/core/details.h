/* What events leave out: asked for at once, before it is gone, and taken at the end. */
#ifndef RUNNER_PAGE_CORE_DETAILS_H
#define RUNNER_PAGE_CORE_DETAILS_H

#include "runner/base/clock.h"

struct page;

/*
 * details.c: asks for what an event left out, such as the body of a failed response, in the session
 * that it came from; and takes what came of it, up to the client's deadline.
 */
void page_ask_details(struct page *page, const char *session_id);
void page_take_details(struct page *page);

/* Takes those that have come and asks for those that are due; when it is to be called again. */
struct deadline page_tend_details(struct page *page);

void details_init(struct page *page);
void details_finish(struct page *page);

#endif
