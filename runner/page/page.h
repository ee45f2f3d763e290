/*
 * A page: one tab and its main frame. Flows are straight-line code over CDP; none of them retries
 * or decides about the browser. Every wait ends at the client's deadline at the latest.
 */
#ifndef RUNNER_PAGE_PAGE_H
#define RUNNER_PAGE_PAGE_H

#include "runner/base/clock.h"

#include <stdbool.h>

struct br_error;
struct cdp_connection;
struct log_list;
struct page;
struct page_options;

/*
 * Creates a page that is not open yet, but can already be interrupted. The connection must outlive
 * it.
 */
struct page *page_create(struct cdp_connection *connection, const struct page_options *options);

/*
 * Opens a new tab at about:blank with the viewport set, or adopts options.tab, with all recorders
 * running. Call once, before any other flow. The deadline applies to the page from now on.
 */
bool page_open(struct page *page, struct deadline deadline, struct br_error *err);

/* Closes its tabs, except adopted ones, without waiting, and frees the page. NULL is a no-op. */
void page_close(struct page *page);

/* Sets the list for log entries; NULL: they are dropped. Borrowed. */
void page_set_logs(struct page *page, struct log_list *logs);

/*
 * Forgets what an adopted tab reported of the time before: the browser's entries in the logs, after
 * the first `count`, and the errors that were counted.
 */
void page_forget_history(struct page *page, size_t count);

/* Begins a new action: forgets the results of the previous one. */
void page_reset_acted(struct page *page);

/* Ends an action: releases the elements that it has found, without waiting. */
void page_end_action(struct page *page);

#endif
