/* Elements that a snapshot has shown. */
#ifndef RUNNER_PAGE_ELEMENT_NODE_H
#define RUNNER_PAGE_ELEMENT_NODE_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct frame;
struct page;
struct page_node;

/* Sets STALE_NODE with the node's label. Always false. */
bool node_is_stale(const struct page_node *node, struct br_error *err);

/* Finds the frame of a node, if it still shows the same document. */
bool node_choose_frame(struct page *page, const struct page_node *node, struct frame **ret_frame,
                       struct br_error *err);

/* Returns the node's element, in the format of role_find(). */
bool node_find(struct page *page, struct frame *frame, const struct page_node *node,
               json_t **ret_elements, struct br_error *err);

#endif
