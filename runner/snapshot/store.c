#include "runner/snapshot/store.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/utf8.h"
#include "runner/page/core/frames.h"
#include "runner/page/element/identify.h"
#include "runner/page/element/named.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_NAME = 300, /* bytes stored of a name */
    MAX_VIEWS = 16, /* views whose texts are stored */
};

/* What the caller has last seen for an id. */
struct seen {
    enum snapshot_role role;
    char *name;     /* its first bytes; NULL: none */
    unsigned shown; /* number of the snapshot that had it last */
};

struct snapshot_store {
    struct snapshot_ids *ids;
    struct seen *seen; /* entry i is for id i + 1 */
    size_t seen_count;
    enum snapshot_ax ax; /* of the last snapshot */
    unsigned shown;      /* number of the last snapshot */
    char *document;      /* document of the stored texts; NULL: none */
    json_t *texts;       /* the texts by view */
};

struct snapshot_store *snapshot_store_create(void)
{
    struct snapshot_store *store = xcalloc(1, sizeof(*store));
    store->ids = snapshot_ids_create();
    store->texts = json_object();
    return store;
}

void snapshot_store_destroy(struct snapshot_store *store)
{
    if (!store) {
        return;
    }
    for (size_t i = 0; i < store->seen_count; i++) {
        free(store->seen[i].name);
    }
    free(store->seen);
    free(store->document);
    json_decref(store->texts);
    snapshot_ids_destroy(store->ids);
    free(store);
}

struct snapshot_ids *snapshot_store_ids(struct snapshot_store *store)
{
    return store->ids;
}

static char *short_name(const char *name)
{
    size_t length = name ? strlen(name) : 0;
    return name ? xstrndup(name, length > MAX_NAME ? utf8_cut(name, MAX_NAME) : length) : NULL;
}

static void remember(struct snapshot_store *store, uint32_t id,
                     const struct node_semantics *semantics)
{
    if (id > store->seen_count) {
        size_t count = id + id / 2 + 64;
        store->seen = xrealloc(store->seen, count * sizeof(*store->seen));
        memset(store->seen + store->seen_count, 0,
               (count - store->seen_count) * sizeof(*store->seen));
        store->seen_count = count;
    }
    struct seen *seen = &store->seen[id - 1];
    free(seen->name);
    *seen = (struct seen){
        .role = semantics->role,
        .name = short_name(semantics->name),
        .shown = store->shown,
    };
}

void snapshot_store_add(struct snapshot_store *store, const struct outline *outline, int item)
{
    remember(store, outline->items[item].id, outline_semantics(outline, item));
}

enum snapshot_ax snapshot_store_ax(const struct snapshot_store *store)
{
    return store->ax;
}

void snapshot_store_show(struct snapshot_store *store, const struct outline *outline,
                         enum snapshot_ax ax)
{
    store->shown++;
    for (int i = 0; i < outline->count; i++) {
        const struct outline_item *item = &outline->items[i];
        if (item->id) {
            snapshot_store_add(store, outline, i);
        }
    }
    store->ax = ax;
}

const char *snapshot_store_text(const struct snapshot_store *store, const char *document,
                                const char *view)
{
    bool is_same = store->document && strcmp(store->document, document) == 0;
    return is_same ? json_member_string(store->texts, view) : NULL;
}

void snapshot_store_set_text(struct snapshot_store *store, const char *document, const char *view,
                             const char *text)
{
    bool is_same = store->document && strcmp(store->document, document) == 0;
    if (!is_same || json_object_size(store->texts) >= MAX_VIEWS) {
        json_object_clear(store->texts);
        free(store->document);
        store->document = xstrdup(document);
    }
    json_object_set_new(store->texts, view, json_text(text));
}

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

/*
 * Returns whether two names differ only in numbers: clocks and counters do not make another
 * element.
 */
static bool is_same_name(const char *one, const char *other)
{
    while (*one && *other) {
        if (is_digit(*one) && is_digit(*other)) {
            one += strspn(one, "0123456789");
            other += strspn(other, "0123456789");
        } else if (*one++ != *other++) {
            return false;
        }
    }
    return *one == *other;
}

static const char *name_or_empty(const char *name)
{
    return name ? name : "";
}

/* Returns whether the names differ, and by their numbers alone. */
static bool is_sibling(const struct seen *seen, enum snapshot_role role, const char *name)
{
    const char *own = name_or_empty(seen->name);
    return seen->role == role && strcmp(own, name_or_empty(name)) != 0 &&
           is_same_name(own, name_or_empty(name));
}

/* Returns whether another element was or is on the page whose name differs by its numbers alone. */
static bool has_sibling(const struct snapshot_store *store, const struct seen *seen,
                        const struct snapshot *now, int node)
{
    for (size_t i = 0; i < store->seen_count; i++) {
        const struct seen *other = &store->seen[i];
        if (other->shown == seen->shown && is_sibling(seen, other->role, other->name)) {
            return true;
        }
    }
    for (int i = 0; i < now->tree->order_count; i++) {
        int other = now->tree->order[i];
        const struct node_semantics *semantics = &now->semantics->nodes[other];
        if (other == node || semantics->role != seen->role) {
            continue;
        }
        CLEANUP_FREE char *name = short_name(semantics->name);
        if (is_same_name(name_or_empty(seen->name), name_or_empty(name))) {
            return true;
        }
    }
    return false;
}

/*
 * Asks the element for its role and name. Much cheaper than a snapshot, which takes a tenth of a
 * second for 10,000 elements; that is taken if the answer differs or is missing.
 */
static bool says_same(const struct snapshot_store *store, struct page *page,
                      const struct seen *seen, const struct page_node *node)
{
    json_auto_t *semantics = NULL;
    if (!seen || store->ax == SNAPSHOT_AX_FULL || !page_get_semantics(page, node, &semantics)) {
        return false;
    }
    const char *role = json_member_string(semantics, "role");
    CLEANUP_FREE char *name = short_name(json_member_string(semantics, "name"));
    return role && name && seen->role == snapshot_role_from_name(role) &&
           strcmp(name_or_empty(seen->name), name) == 0;
}

static bool is_another(const struct snapshot_store *store, const char *label,
                       const struct seen *seen, const struct snapshot *now, int node,
                       struct br_error *err)
{
    const struct node_semantics *semantics = &now->semantics->nodes[node];
    CLEANUP_FREE char *name = short_name(semantics->name);
    bool is_same =
        seen->role == semantics->role &&
        (strcmp(name_or_empty(seen->name), name_or_empty(name)) == 0 ||
         (is_sibling(seen, semantics->role, name) && !has_sibling(store, seen, now, node)));
    if (is_same) {
        return false;
    }
    error_set(err, BR_STALE_NODE, "%s was %s \"%s\", and is now %s \"%s\"", label,
              snapshot_role_name(seen->role), name_or_empty(seen->name),
              snapshot_role_name(semantics->role), name_or_empty(name));
    error_hint(err, "take a snapshot again, and use an id from it");
    return true;
}

/* Returns the node in the current page; NONE if it or its document no longer exists. */
static int find_again(struct page *page, const struct snapshot *now,
                      const struct snapshot_identity *identity)
{
    const char *loader_id = page_frame_loader(page, identity->frame_id);
    bool is_same = loader_id && strcmp(loader_id, identity->loader_id) == 0;
    return is_same ? snapshot_find(now, identity) : SNAPSHOT_NONE;
}

/* Checks the element in a new snapshot. */
static bool verify(struct snapshot_store *store, struct page *page, const struct seen *seen,
                   const char *label, const struct snapshot_identity *identity,
                   struct br_error *err)
{
    CLEANUP_SNAPSHOT struct snapshot now = { 0 };
    if (!snapshot_take(page, store->ax, store->ids, &now, err)) {
        return false;
    }
    int node = find_again(page, &now, identity);
    if (node == SNAPSHOT_NONE) {
        error_set(err, BR_STALE_NODE, "%s is no longer on the page", label);
        return error_hint(err, "take a snapshot again, and use an id from it");
    }
    return !seen || !is_another(store, label, seen, &now, node, err);
}

bool snapshot_store_find(struct snapshot_store *store, struct page *page, const char *id,
                         struct page_node *ret_node, struct br_error *err)
{
    struct snapshot_identity identity;
    struct page_node node = { 0 };
    uint32_t number = snapshot_id_parse(id);
    if (!snapshot_ids_find(store->ids, number, &identity, err)) {
        return false;
    }
    snprintf(node.label, sizeof(node.label), "node e%u", number);
    node.frame_id = identity.frame_id;
    node.loader_id = identity.loader_id;
    node.backend_id = identity.backend_id;
    const struct seen *seen = number <= store->seen_count ? &store->seen[number - 1] : NULL;
    *ret_node = node;
    return says_same(store, page, seen, &node) ||
           verify(store, page, seen, node.label, &identity, err);
}
