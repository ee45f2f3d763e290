/* The identity of an element. */
#ifndef RUNNER_PAGE_ELEMENT_IDENTIFY_H
#define RUNNER_PAGE_ELEMENT_IDENTIFY_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_node;
struct page_target;

/*
 * Waits for the target's element and identifies it. Texts of *ret_node are borrowed until the page
 * is used again.
 */
bool page_locate_node(struct page *page, const struct page_target *target,
                      struct page_node *ret_node, struct br_error *err);

/*
 * Gets an element's role and name as a snapshot would have them: *ret_semantics is { role, name }.
 * Asks the element itself, which is much faster than a snapshot. Returns false if it no longer
 * exists, or if this is not certain for such an element: then take a snapshot. The caller decrefs.
 */
bool page_get_semantics(struct page *page, const struct page_node *node, json_t **ret_semantics);

#endif
