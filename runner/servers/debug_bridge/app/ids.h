/*
 * The stable ids of a driven app's elements. An element keeps its id while it is in the tree and
 * the id's base stays the same; ids are unique in a tree.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_IDS_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_IDS_H

#include <stdbool.h>
#include <stddef.h>

struct app_ids;

/* An element of a tree that gets an id. */
struct app_ids_item {
    const char *node; /* its id in snapshots: "e12" */
    const char *base; /* the beginning of the id */
    /* True: a number follows the base, from 0. False: the first one's id is the base itself, the
     * next one's base~2. */
    bool is_counted;
    const char *id; /* set by app_ids_assign(); borrowed until the next call */
};

/* Never NULL. */
struct app_ids *app_ids_create(void);
void app_ids_destroy(struct app_ids *ids);

/* Sets the ids of all elements of a tree; elements outside of it lose theirs. */
void app_ids_assign(struct app_ids *ids, struct app_ids_item *items, size_t count);

/* Forgets all ids, for a new document. */
void app_ids_forget(struct app_ids *ids);

/* Returns the node with this id in the last tree, or NULL. Borrowed. */
const char *app_ids_find(const struct app_ids *ids, const char *id);

/* Whether a former tree of this document had this id, with a counted base. */
bool app_ids_was_counted(const struct app_ids *ids, const char *id);

/* Whether a framework has generated this `id` attribute: ":r1:", "«r1»", "_r_1_". */
bool app_ids_is_generated(const char *id);

#endif
