/* Who an element is. */
#ifndef RUNNER_PAGE_ELEMENT_IDENTIFY_H
#define RUNNER_PAGE_ELEMENT_IDENTIFY_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_node;
struct page_target;

/*
 * Who the element of a target is, once it is there. Texts of *ret_node are borrowed until
 * the page is used again.
 */
bool page_locate_node(struct page *page, const struct page_target *target,
                      struct page_node *ret_node, struct br_error *err);

/*
 * What an element is, as a snapshot of the page would have it: *ret_semantics is { role, name }, in
 * the words of the snapshot, asked of the element itself in a fraction of the time. False when it
 * has gone, or is none of the ordinary ones that this is certain for: a snapshot decides then. The
 * caller decrefs.
 */
bool page_get_semantics(struct page *page, const struct page_node *node, json_t **ret_semantics);

#endif
