/* Finds elements by role and name. */
#ifndef RUNNER_PAGE_ELEMENT_ROLE_H
#define RUNNER_PAGE_ELEMENT_ROLE_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct frame;
struct page;
struct page_target;

/*
 * Takes a snapshot and remembers the elements with the target's role until role_forget(). Does
 * nothing for a target without a role.
 */
bool role_look(struct page *page, const struct page_target *target, struct br_error *err);
void role_forget(struct page *page);

/*
 * Returns the elements of a frame (object ids) with the target's role and accessible name: those
 * with exactly this name if there are any (*ret_is_exact), otherwise those whose name contains it.
 * The caller decrefs, and releases them with frame_release().
 */
bool role_find(struct page *page, struct frame *frame, const struct page_target *target,
               json_t **ret_elements, bool *ret_is_exact, struct br_error *err);

#endif
