/* Navigating, and waiting for the result. */
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
    PAGE_NETWORK_IDLE_0, /* load, and no pending request for 500 ms */
    PAGE_NETWORK_IDLE_2, /* load, and at most two pending requests for 500 ms */
};

/*
 * Navigates to an absolute URL. *ret_status is the document's HTTP status, 0 if it has none.
 * NAVIGATION_FAILED if the page could not be loaded; an HTTP error status is a success.
 */
bool page_navigate(struct page *page, const char *url, enum page_wait_until until, int *ret_status,
                   struct br_error *err);

/* Goes one step in the history, -1 or 1. INVALID_ACTION if there is no such entry. */
bool page_go(struct page *page, int step, enum page_wait_until until, int *ret_status,
             struct br_error *err);

bool page_reload(struct page *page, enum page_wait_until until, int *ret_status,
                 struct br_error *err);

/*
 * Stops a navigation that the server has not answered yet, and the loading of a document that came
 * after `before`.
 */
void page_stop_since(struct page *page, struct page_mark before);

/* Waits until at most `allowed` requests are pending for 500 ms. */
bool page_wait_network_idle(struct page *page, size_t allowed, struct br_error *err);

/*
 * Waits for the requests whose number, as counted by page_requests_begun(), is at least `since` and
 * less than `end`, without the 500 ms. TIMEOUT names the oldest pending one.
 */
bool page_wait_requests(struct page *page, uint64_t since, uint64_t end, struct br_error *err);
uint64_t page_requests_begun(const struct page *page);

/*
 * After input: if it has started a navigation since `before`, waits for its load. With is_required
 * one must start and succeed; otherwise its failure is only logged. *ret_status as above.
 */
bool page_settle(struct page *page, struct page_mark before, bool is_required, int *ret_status,
                 struct br_error *err);

#endif
