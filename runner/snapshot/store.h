/*
 * What a session remembers of its snapshots: whose ids there are, what the caller has seen of each,
 * and the texts before, for `diff`. Nothing is done on the word of an old picture of the page: an
 * id is good when its element is there, and is still what the caller saw.
 */
#ifndef RUNNER_SNAPSHOT_STORE_H
#define RUNNER_SNAPSHOT_STORE_H

#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/snapshot.h"

struct page_node;
struct snapshot_store;

struct snapshot_store *snapshot_store_create(void);
void snapshot_store_destroy(struct snapshot_store *store);

/* Where the ids of outlines come from. Borrowed. */
struct snapshot_ids *snapshot_store_ids(struct snapshot_store *store);

/* The caller sees this outline now. */
void snapshot_store_show(struct snapshot_store *store, const struct outline *outline,
                         enum snapshot_ax ax);

/* The caller sees one of its items, beside what was shown before: that may have changed. */
void snapshot_store_add(struct snapshot_store *store, const struct outline *outline, int item);

/* What Chrome was asked for in the snapshot that was shown last. */
enum snapshot_ax snapshot_store_ax(const struct snapshot_store *store);

/* Something was done to the page: what was seen of it may not be so any more. */
void snapshot_store_invalidate(struct snapshot_store *store);

/*
 * The text that a view (what of the page, and how) has shown of a document before, for
 * print_difference(); NULL: none. Those of one document are kept. Borrowed.
 */
const char *snapshot_store_text(const struct snapshot_store *store, const char *document,
                                const char *view);
void snapshot_store_set_text(struct snapshot_store *store, const char *document, const char *view,
                             const char *text);

/*
 * The element of an id ("e12"), for page_target. If the page may have changed since it was seen,
 * the element is asked what it is, and a new snapshot is taken unless that is the same as
 * it was. STALE_NODE when it has gone, or has another role or name by now. *ret_node borrows from
 * the store.
 */
bool snapshot_store_find(struct snapshot_store *store, struct page *page, const char *id,
                         struct page_node *ret_node, struct br_error *err);

#endif
