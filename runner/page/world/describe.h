/* The page's description of itself after an action. */
#ifndef RUNNER_PAGE_WORLD_DESCRIBE_H
#define RUNNER_PAGE_WORLD_DESCRIBE_H

#include "runner/base/clock.h"

#include <jansson.h>
#include <stdbool.h>

struct br_response;
struct page;

/*
 * Fills url, title, network events and metrics of the response, and collects the data for
 * page_backup_take(). Omits what a page does not report by the deadline.
 */
void page_describe(struct page *page, struct deadline deadline, struct br_response *response);

/*
 * Sends the request for page_describe() early, while other work leaves the page unchanged.
 * page_reset_acted() discards it.
 */
void page_ask_description(struct page *page);

/*
 * As page_ask_description(), without cookies and counters: Chrome would report them as they were
 * before a pending script changes them.
 */
void page_ask_document(struct page *page);
void page_forget_description(struct page *page);

/* Returns whether the document's answer has already arrived for page_describe(). */
bool page_has_description(const struct page *page);

/*
 * Returns once the context's cookies, from Storage.getCookies at the page's last description; the
 * caller decrefs. NULL: not requested since.
 */
json_t *page_take_cookies(struct page *page);

/*
 * Returns once the storage of an origin, in the format of page_backup.storage; false if it was not
 * reported. Borrowed until the next description.
 */
bool page_take_storage(struct page *page, const char **ret_origin, const char **ret_storage);

/* Returns the same storage, whether or not it is new. */
void describe_storage(const struct page *page, const char **ret_origin, const char **ret_storage);

void describe_init(struct page *page);
void describe_finish(struct page *page);

#endif
