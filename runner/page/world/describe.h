/* What the page says of itself after an action. */
#ifndef RUNNER_PAGE_WORLD_DESCRIBE_H
#define RUNNER_PAGE_WORLD_DESCRIBE_H

#include "runner/base/clock.h"

struct br_response;
struct page;

/*
 * Fills url, title, network events and metrics of the response, and gathers what page_backup_take()
 * takes. What a page that does not answer by the deadline would have said is left out.
 */
void page_describe(struct page *page, struct deadline deadline, struct br_response *response);

/*
 * describe.c: asks the page for what page_describe() will say of it, which is then on its way while
 * something else is done that leaves the page alone. page_reset_acted() forgets it again.
 */
void page_ask_description(struct page *page);
void page_forget_description(struct page *page);

#endif
