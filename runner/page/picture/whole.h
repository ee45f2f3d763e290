/* Pictures of content outside the viewport. */
#ifndef RUNNER_PAGE_PICTURE_WHOLE_H
#define RUNNER_PAGE_PICTURE_WHOLE_H

#include "runner/base/clock.h"

#include <stdbool.h>

struct br_error;
struct page;

/*
 * Makes Chrome draw the whole document of the page's tab, from now on and for all later documents:
 * a capture with a clip can then show any part of it. The page cannot detect it. Does nothing if
 * already done. Large pages are then drawn more slowly. The session is the page's own, or another
 * one to its tab with the same screen settings. `latest` is that of undrawn_await().
 */
bool whole_ensure(struct page *page, const char *session_id, struct deadline latest,
                  struct br_error *err);

#endif
