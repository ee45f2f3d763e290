/* Taking a snapshot: the page asked, decoded and understood. */
#ifndef RUNNER_SNAPSHOT_SNAPSHOT_H
#define RUNNER_SNAPSHOT_SNAPSHOT_H

#include "runner/snapshot/dom/ids.h"
#include "runner/snapshot/semantics/semantics.h"
#include "runner/snapshot/semantics/visibility.h"

#include <jansson.h>

struct page;

/* How much of Chrome's own accessibility tree is asked for. */
enum snapshot_ax {
    SNAPSHOT_AX_AUTO, /* of custom elements, whose scripts may say what they are to Chrome alone */
    SNAPSHOT_AX_NONE,
    SNAPSHOT_AX_FULL, /* all of it, in place of what is computed here: slow */
};

struct snapshot {
    struct snapshot_tree *tree;
    struct snapshot_semantics *semantics;
    struct snapshot_visibility *visibility;
    char *url; /* of the page where its document has another one; NULL: it has not. Owned */
};

/*
 * LIMIT_EXCEEDED for a page that is too large, TIMEOUT for one that does not answer. The documents
 * get their numbers in ids. The caller finishes *ret_snapshot in any case.
 */
bool snapshot_take(struct page *page, enum snapshot_ax ax, struct snapshot_ids *ids,
                   struct snapshot *ret_snapshot, struct br_error *err);
void snapshot_finish(struct snapshot *snapshot);

/* The node of an identity; NONE when it is not there. */
int snapshot_find(const struct snapshot *snapshot, const struct snapshot_identity *identity);

/* by_role.c: a page_role_reader: what a snapshot of the page says has the role. */
bool snapshot_read_role(struct page *page, const char *role, json_t **ret_found,
                        struct br_error *err);

#define CLEANUP_SNAPSHOT CLEANUP(snapshot_finish)

#endif
