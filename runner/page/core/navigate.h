/* Going somewhere, and waiting for what comes. */
#ifndef RUNNER_PAGE_CORE_NAVIGATE_H
#define RUNNER_PAGE_CORE_NAVIGATE_H

#include "runner/page/core/navigation.h"

#include <stdbool.h>
#include <stddef.h>

struct br_error;
struct page;

enum page_wait_until {
    PAGE_LOAD, /* the load event */
    PAGE_DOM_CONTENT_LOADED,
    PAGE_NETWORK_IDLE_0, /* load, and no request under way for 500 ms */
    PAGE_NETWORK_IDLE_2, /* load, and at most two requests under way for 500 ms */
};

/*
 * Goes to an absolute URL. *ret_status is the document's HTTP status, 0 when it has none. A page
 * that was not reached is NAVIGATION_FAILED; one with an HTTP error status was reached.
 */
bool page_navigate(struct page *page, const char *url, enum page_wait_until until, int *ret_status,
                   struct br_error *err);

/* One step in the history, -1 or 1. INVALID_ACTION where there is none. */
bool page_go(struct page *page, int step, enum page_wait_until until, int *ret_status,
             struct br_error *err);

bool page_reload(struct page *page, enum page_wait_until until, int *ret_status,
                 struct br_error *err);

/*
 * Stops a navigation that the server has not answered yet, and the loading of what a document
 * needs that came since `before`.
 */
void page_stop_since(struct page *page, struct page_mark before);

/* Waits until no request is under way for 500 ms. */
bool page_wait_network_idle(struct page *page, size_t allowed, struct br_error *err);

/*
 * The same of the requests alone that began when page_requests_begun() was at least `since` and
 * less than `end`, and without the 500 ms. TIMEOUT names the oldest.
 */
bool page_wait_requests(struct page *page, uint64_t since, uint64_t end, struct br_error *err);
uint64_t page_requests_begun(const struct page *page);

/*
 * After input: if it has set a navigation off since `before`, waits for its load. With is_required
 * one has to come and to succeed, otherwise its failure is only logged. *ret_status as above.
 */
bool page_settle(struct page *page, struct page_mark before, bool is_required, int *ret_status,
                 struct br_error *err);

#endif
