/* What events leave out: asked for at once, before it is gone, and taken at the end. */
#ifndef RUNNER_PAGE_CORE_DETAILS_H
#define RUNNER_PAGE_CORE_DETAILS_H

struct page;

/*
 * details.c: asks for what an event left out, such as the body of a failed response, in the session
 * that it came from; and takes what came of it, up to the client's deadline.
 */
void page_ask_details(struct page *page, const char *session_id);
void page_take_details(struct page *page);
void page_take_ready_details(struct page *page); /* those that have come, without waiting */

void details_init(struct page *page);
void details_finish(struct page *page);

#endif
