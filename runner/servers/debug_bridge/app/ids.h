/*
 * The stable ids of a driven app: which element has which. An element keeps its id while it is in
 * the tree and what the id is made of stays the same; no two elements of a tree have the same one.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_IDS_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_IDS_H

#include <stdbool.h>
#include <stddef.h>

struct app_ids;

/* An element of a tree that is to get its id. */
struct app_ids_item {
    const char *node; /* by which snapshots know it: "e12" */
    const char *base; /* what the id begins with */
    bool is_counted;  /* a number follows, from 0; otherwise one alone has the base itself, and the
                         next one base~2 */
    const char *id;   /* given by app_ids_assign(); borrowed until the next one */
};

/* Never NULL. */
struct app_ids *app_ids_create(void);
void app_ids_destroy(struct app_ids *ids);

/* Gives ids to all elements of a tree; those that are not in it lose theirs. */
void app_ids_assign(struct app_ids *ids, struct app_ids_item *items, size_t count);

/* Another document: no id is known any more. */
void app_ids_forget(struct app_ids *ids);

/* The node of an id in the last tree; NULL: none. Borrowed. */
const char *app_ids_find(const struct app_ids *ids, const char *id);

/* Whether a tree of this document, not too long ago, had this id, of a counted kind. */
bool app_ids_was_counted(const struct app_ids *ids, const char *id);

/* Whether a framework has made this `id` attribute up: ":r1:", "«r1»", "_r_1_". */
bool app_ids_is_made_up(const char *id);

#endif
