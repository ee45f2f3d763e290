/* What the page says of itself after an action. */
#ifndef RUNNER_PAGE_WORLD_DESCRIBE_H
#define RUNNER_PAGE_WORLD_DESCRIBE_H

#include "runner/base/clock.h"

#include <jansson.h>
#include <stdbool.h>

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

/*
 * The same without cookies and counters: Chrome would tell what they were before a script that is
 * on its way has changed them.
 */
void page_ask_document(struct page *page);
void page_forget_description(struct page *page);

/* Whether the document's answer has come already, and waits for page_describe(). */
bool page_has_description(const struct page *page);

/*
 * The cookies of the context, as Storage.getCookies gave them when the page last described itself;
 * the caller's, once. NULL: they were not asked for since.
 */
json_t *page_take_cookies(struct page *page);

/*
 * Likewise the storage of an origin, as `storage` above; false when it did not say. Borrowed until
 * the page describes itself again.
 */
bool page_take_storage(struct page *page, const char **ret_origin, const char **ret_storage);

/* What page_take_storage() gives, whether or not it is new. */
void describe_storage(const struct page *page, const char **ret_origin, const char **ret_storage);

void describe_init(struct page *page);
void describe_finish(struct page *page);

#endif
