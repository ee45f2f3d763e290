/* Pictures of what lies outside of the viewport. */
#ifndef RUNNER_PAGE_PICTURE_WHOLE_H
#define RUNNER_PAGE_PICTURE_WHOLE_H

#include <stdbool.h>

struct br_error;
struct page;

/*
 * Makes Chrome draw the whole document of the tab that is the page, from now on and whatever it
 * navigates to: a capture with a clip then shows any part of it, and the page notices nothing. Does
 * nothing where that is so already. What a large page shows is drawn more slowly afterwards. The
 * session is the page's own, or another one to its tab that has the page's screen.
 */
bool whole_ensure(struct page *page, const char *session_id, struct br_error *err);

#endif
