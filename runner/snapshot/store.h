/*
 * A session's memory of its snapshots: the ids, what the caller has last seen of each, and the
 * previous texts for `diff`. Old data is never trusted: an id is valid only if its element still
 * exists and is still what the caller saw.
 */
#ifndef RUNNER_SNAPSHOT_STORE_H
#define RUNNER_SNAPSHOT_STORE_H

#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/snapshot.h"

struct page_node;
struct snapshot_store;

struct snapshot_store *snapshot_store_create(void);
void snapshot_store_destroy(struct snapshot_store *store);

/* Returns the source of ids for outlines. Borrowed. */
struct snapshot_ids *snapshot_store_ids(struct snapshot_store *store);

/* Records that the caller has seen this outline. */
void snapshot_store_show(struct snapshot_store *store, const struct outline *outline,
                         enum snapshot_ax ax);

/*
 * Records that the caller has seen one more item, which may have changed since the outline was
 * shown.
 */
void snapshot_store_add(struct snapshot_store *store, const struct outline *outline, int item);

/* Returns what was requested from Chrome for the snapshot shown last. */
enum snapshot_ax snapshot_store_ax(const struct snapshot_store *store);

/*
 * Returns the previous text of a view (what of the page, and how) of a document, for
 * print_difference(); NULL: none. Only texts of one document are kept. Borrowed.
 */
const char *snapshot_store_text(const struct snapshot_store *store, const char *document,
                                const char *view);
void snapshot_store_set_text(struct snapshot_store *store, const char *document, const char *view,
                             const char *text);

/*
 * Finds the element of an id ("e12") for page_target. Asks the element for its role and name, and
 * takes a new snapshot unless they are unchanged. STALE_NODE if it no longer exists, or has another
 * role or name now. Numbers in a name may differ, as in counters and clocks, only where no other
 * element of that role has a name that differs by its numbers alone: pages use the nodes of a list
 * again for other rows. *ret_node borrows from the store.
 */
bool snapshot_store_find(struct snapshot_store *store, struct page *page, const char *id,
                         struct page_node *ret_node, struct br_error *err);

#endif
