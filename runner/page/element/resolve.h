/* Finds the frame that a user names. */
#ifndef RUNNER_PAGE_ELEMENT_RESOLVE_H
#define RUNNER_PAGE_ELEMENT_RESOLVE_H

#include <stdbool.h>

struct br_error;
struct frame;
struct page;

/* Finds the focused frame. */
bool frame_follow_focus(struct page *page, struct frame **ret_frame, struct br_error *err);

/*
 * Finds the only frame with this name, with a matching URL (a glob with `*`, or a part), or whose
 * element matches the selector. TARGET_NOT_FOUND, TARGET_AMBIGUOUS.
 */
bool frame_resolve(struct page *page, const char *wanted, struct frame **ret_frame,
                   struct br_error *err);

#endif
