/* What has a role on the page, by that and its name. */
#ifndef RUNNER_PAGE_ELEMENT_ROLE_H
#define RUNNER_PAGE_ELEMENT_ROLE_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct frame;
struct page;
struct page_target;

/*
 * What the page has of the target's role, as a snapshot of it says; known from then on
 * until role_forget(). Of a target without a role nothing is asked.
 */
bool role_look(struct page *page, const struct page_target *target, struct br_error *err);
void role_forget(struct page *page);

/*
 * The elements of a frame (ids of objects) of the target's role and accessible name: those of just
 * this name if there are such (*ret_is_exact), otherwise those whose name has it as a part. The
 * caller decrefs, and releases them by frame_release().
 */
bool role_find(struct page *page, struct frame *frame, const struct page_target *target,
               json_t **ret_elements, bool *ret_is_exact, struct br_error *err);

#endif
