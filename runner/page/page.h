/*
 * A page: one tab and its main frame. Flows are straight-line code over CDP; none of them tries
 * again or decides about the browser. Every wait ends at the client's deadline at the latest.
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

/* A page that is not open yet: it can be interrupted already. The connection outlives it. */
struct page *page_create(struct cdp_connection *connection, const struct page_options *options);

/*
 * Opens a new tab at about:blank with the viewport set, or adopts options.tab, with all recorders
 * running; once, and before any other flow. The deadline is the page's from now on.
 */
bool page_open(struct page *page, struct deadline deadline, struct br_error *err);

/* Closes its tabs, without waiting for it, but for those it has adopted, and frees. NULL is fine.
 */
void page_close(struct page *page);

/* Where logs go from now on; NULL is nowhere. Borrowed. */
void page_set_logs(struct page *page, struct log_list *logs);

/* A new action begins: what the one before did and told of is forgotten. */
void page_reset_acted(struct page *page);

/* The action has ended: what it has found on the page is let go of, and nothing is waited for. */
void page_end_action(struct page *page);

#endif
