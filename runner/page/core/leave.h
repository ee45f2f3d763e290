/*
 * Waiting for the page to be left. What it does when it is left, and what it does all the time,
 * runs before the next document may come: a script without an end would hold a navigation up for
 * ever.
 */
#ifndef RUNNER_PAGE_CORE_LEAVE_H
#define RUNNER_PAGE_CORE_LEAVE_H

#include <stdbool.h>

struct br_error;
struct page;

/* Between these two the page is to be left for the URL. */
void leave_begin(struct page *page, const char *url);
void leave_end(struct page *page);

/*
 * As cdp_wait() to the page's deadline. A page that is being left and takes too long to let that
 * happen is ended: PAGE_CRASHED.
 */
bool leave_wait(struct page *page, bool (*is_done)(void *data), void *data, const char *what,
                struct br_error *err);

/*
 * Where one of these three was to go when it failed since the page's scripts, which have no end,
 * did not let it be left: PAGE_CRASHED, the page was ended. NULL: that did not happen.
 */
const char *page_unleft_url(const struct page *page);

void leave_init(struct page *page);
void leave_finish(struct page *page);

#endif
