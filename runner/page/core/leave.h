/*
 * Waits while the page is being left. Its unload handlers and all other scripts run before the next
 * document can be committed: an endless script would block a navigation forever.
 */
#ifndef RUNNER_PAGE_CORE_LEAVE_H
#define RUNNER_PAGE_CORE_LEAVE_H

#include <stdbool.h>

struct br_error;
struct page;

/* Mark the time during which the page is being left for the URL. */
void leave_begin(struct page *page, const char *url);
void leave_end(struct page *page);

/*
 * As cdp_wait(), to the page's deadline. A page that blocks being left for too long is killed:
 * PAGE_CRASHED.
 */
bool leave_wait(struct page *page, bool (*is_done)(void *data), void *data, const char *what,
                struct br_error *err);

/*
 * Returns the URL of the last page_navigate(), page_go() or page_reload() that failed with
 * PAGE_CRASHED because endless scripts blocked leaving and the page was killed. NULL: that did not
 * happen.
 */
const char *page_unleft_url(const struct page *page);

void leave_init(struct page *page);
void leave_finish(struct page *page);

#endif
