/* Which frame somebody means. */
#ifndef RUNNER_PAGE_ELEMENT_RESOLVE_H
#define RUNNER_PAGE_ELEMENT_RESOLVE_H

#include <stdbool.h>

struct br_error;
struct frame;
struct page;

/* The frame that has the focus. */
bool frame_follow_focus(struct page *page, struct frame **ret_frame, struct br_error *err);

/*
 * The only frame whose name is this, or whose URL matches (a glob with `*`, or a part of it), or
 * whose element the selector finds. TARGET_NOT_FOUND, TARGET_AMBIGUOUS.
 */
bool frame_resolve(struct page *page, const char *wanted, struct frame **ret_frame,
                   struct br_error *err);

#endif
