/* Takes a snapshot: fetches, decodes and analyses the page. */
#ifndef RUNNER_SNAPSHOT_SNAPSHOT_H
#define RUNNER_SNAPSHOT_SNAPSHOT_H

#include "runner/snapshot/dom/ids.h"
#include "runner/snapshot/semantics/semantics.h"
#include "runner/snapshot/semantics/visibility.h"

#include <jansson.h>

struct page;

/* How much of Chrome's own accessibility tree is requested. */
enum snapshot_ax {
    SNAPSHOT_AX_AUTO, /* for custom elements, whose scripts may set their role in Chrome only */
    SNAPSHOT_AX_NONE,
    SNAPSHOT_AX_FULL, /* all of it, instead of what is computed here: slow */
};

struct snapshot {
    struct snapshot_tree *tree;
    struct snapshot_semantics *semantics;
    struct snapshot_visibility *visibility;
    char *url; /* the page's URL if it differs from its document's; otherwise NULL. Owned */
};

/*
 * Fails with LIMIT_EXCEEDED for a page that is too large, TIMEOUT for one that does not respond.
 * Registers the documents in ids. The caller finishes *ret_snapshot in any case.
 */
bool snapshot_take(struct page *page, enum snapshot_ax ax, struct snapshot_ids *ids,
                   struct snapshot *ret_snapshot, struct br_error *err);

/*
 * The same for an action that leaves the page alone from then on: what the page says about itself
 * at the end of the action is requested together with the snapshot. Chrome is busy with a large one
 * for a while after its reply.
 */
bool snapshot_take_last(struct page *page, enum snapshot_ax ax, struct snapshot_ids *ids,
                        struct snapshot *ret_snapshot, struct br_error *err);
void snapshot_finish(struct snapshot *snapshot);

/* Returns the node of an identity; NONE if it does not exist. */
int snapshot_find(const struct snapshot *snapshot, const struct snapshot_identity *identity);

/* In by_role.c. A page_role_reader: finds the elements with the role in a new snapshot. */
bool snapshot_read_role(struct page *page, const char *role, json_t **ret_found,
                        struct br_error *err);

#define CLEANUP_SNAPSHOT CLEANUP(snapshot_finish)

#endif
