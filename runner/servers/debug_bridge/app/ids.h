/*
 * The stable ids of a driven app's elements. An element keeps its id as long as it exists, unless
 * it is given another one by its attributes; ids are unique among the elements that exist.
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
    bool is_given;    /* the base is an attribute of the element; false: it is generated */
    /* True: a number follows the base, from 0. False: the first one's id is the base itself, the
     * next one's base~2. */
    bool is_counted;
    const char *id; /* set by app_ids_assign(); borrowed until the next call */
};

/* Never NULL. */
struct app_ids *app_ids_create(void);
void app_ids_destroy(struct app_ids *ids);

/* Sets the ids of all elements of a tree; other elements that exist keep theirs. */
void app_ids_assign(struct app_ids *ids, struct app_ids_item *items, size_t count);

/*
 * Frees the ids of elements for which exists() is false. A new element may get such an id if it is
 * given or made of a text; one that is a path is not used again, since another element of the same
 * path is seldom a replacement.
 */
void app_ids_sweep(struct app_ids *ids, bool (*exists)(void *data, const char *node), void *data);

/* Forgets all ids, for a new document. */
void app_ids_forget(struct app_ids *ids);

/* Returns the node with this id, or NULL. Borrowed. */
const char *app_ids_find(const struct app_ids *ids, const char *id);

/* Whether this id was generated for an element of this document. */
bool app_ids_was_made(const struct app_ids *ids, const char *id);

/* Whether a framework has generated this `id` attribute: ":r1:", "«r1»", "_r_1_". */
bool app_ids_is_generated(const char *id);

#endif
