#include "runner/snapshot/dom/selector.h"

#include "runner/base/memory.h"
#include "runner/snapshot/dom/selector_way.h"

#include <jansson.h>

enum {
    UNKNOWN = -2,  /* not known whether there is a node */
    MAX_PATH = 64, /* elements of a path */
};

struct selector_map {
    const struct snapshot_tree *tree;
    json_t *counts;    /* how many elements a selector matches, by document and selector */
    int *hosts;        /* for each node: the host of its shadow root; NONE: none */
    int *parents;      /* for each node: its parent in the DOM; NONE: a root; or UNKNOWN */
    int *numbers;      /* for each element: its number among siblings of its kind; 0: not known */
    bool *is_in_reach; /* for each node: it is not in a closed root */
    bool *is_vague;    /* for each node: it is below an element that may or may not be a host */
    bool *is_single;   /* for each element: the only one of its kind in its parent */
};

/* Returns the key for counting in the document that a selector searches. Caller frees. */
static char *count_key(const struct selector_map *map, int node, const char *selector)
{
    return xasprintf("%d %s", map->tree->nodes[node].document, selector);
}

static void count(struct selector_map *map, int node, const char *selector)
{
    CLEANUP_FREE char *key = count_key(map, node, selector);
    json_int_t before = json_integer_value(json_object_get(map->counts, key));
    json_object_set_new_nocheck(map->counts, key, json_integer(before + 1));
}

static bool is_alone(const struct selector_map *map, int node, const char *selector)
{
    CLEANUP_FREE char *key = count_key(map, node, selector);
    return json_integer_value(json_object_get(map->counts, key)) == 1;
}

static bool add_alone(const struct selector_map *map, int node, struct strbuf *text)
{
    CLEANUP_STRBUF struct strbuf selector = STRBUF_INIT(STRBUF_UNCAPPED);
    for (int way = 0; way < WAYS; way++) {
        strbuf_clear(&selector);
        if (selector_add_way(map->tree, node, (enum selector_way)way, &selector) &&
            is_alone(map, node, selector.data)) {
            strbuf_add(text, selector.data, selector.length);
            return true;
        }
    }
    return false;
}

/*
 * Returns the kind of the node's own shadow root, whose nodes come first except pseudo-elements.
 * LIGHT: none.
 */
static enum snapshot_shadow shadow_of(const struct snapshot_tree *tree, int node)
{
    int child = tree->nodes[node].first_child;
    while (child != SNAPSHOT_NONE && tree->nodes[child].kind == SNAPSHOT_PSEUDO) {
        child = tree->nodes[child].next;
    }
    return child == SNAPSHOT_NONE ? SNAPSHOT_LIGHT : tree->nodes[child].shadow;
}

/*
 * The reply gives the kind of a node's shadow root, but not the root. If the kind equals that of
 * the parent, it is the same root, unless the parent is a host too, as custom elements may be. A
 * node below a slot may have been assigned to it, or be its fallback content.
 */
static void place_in_shadow(struct selector_map *map, int node, int parent)
{
    const struct snapshot_node *nodes = map->tree->nodes;
    bool is_slot = nodes[parent].tag == TAG_SLOT;
    int host = map->hosts[parent];
    if (is_slot && host != SNAPSHOT_NONE && nodes[node].shadow == nodes[host].shadow &&
        nodes[node].shadow != nodes[parent].shadow) {
        map->hosts[node] = map->hosts[host];
        map->parents[node] = host;
        map->is_in_reach[node] = map->is_in_reach[host];
    } else if (nodes[node].shadow != nodes[parent].shadow) {
        map->hosts[node] = parent;
        map->is_in_reach[node] = map->is_in_reach[parent] && nodes[node].shadow == SNAPSHOT_OPEN;
    } else {
        bool is_nested = host != SNAPSHOT_NONE && nodes[host].shadow != SNAPSHOT_LIGHT;
        map->hosts[node] = host;
        map->parents[node] = is_slot && (is_nested || map->is_vague[parent]) ? UNKNOWN : parent;
        map->is_in_reach[node] = map->is_in_reach[parent];
        map->is_vague[node] = nodes[node].shadow != SNAPSHOT_LIGHT &&
                              (nodes[parent].tag == TAG_CUSTOM || map->is_vague[parent]);
    }
}

static void place_in_dom(struct selector_map *map, int node)
{
    const struct snapshot_node *self = &map->tree->nodes[node];
    map->hosts[node] = map->parents[node] = SNAPSHOT_NONE;
    if (self->kind == SNAPSHOT_DOCUMENT || self->parent == SNAPSHOT_NONE) {
        map->is_in_reach[node] = true;
    } else {
        place_in_shadow(map, node, self->parent);
    }
}

/* Returns whether the node was assigned to a slot of its parent. */
static bool is_assigned(const struct selector_map *map, int node)
{
    const struct snapshot_node *nodes = map->tree->nodes;
    return map->parents[node] >= 0 && map->parents[node] != nodes[node].parent;
}

/*
 * Elements of one kind have the same name and, in a slot, the same `slot` attribute, which is
 * returned.
 */
static const char *kind_name(const struct selector_map *map, int node)
{
    const char *slot = snapshot_attribute(map->tree, node, "slot");
    bool is_odd = is_assigned(map, node) && slot && !*slot; /* may be mixed with nodes without the
                                                               attribute */
    return map->tree->nodes[node].kind == SNAPSHOT_ELEMENT && !is_odd ? map->tree->nodes[node].name
                                                                      : NULL;
}

/* Numbers the children within their kind. */
static void number_children(struct selector_map *map, int parent)
{
    const struct snapshot_node *nodes = map->tree->nodes;
    int first = nodes[parent].first_child;
    if (first == nodes[parent].last_child) {
        if (first != SNAPSHOT_NONE && kind_name(map, first)) {
            map->numbers[first] = 1;
            map->is_single[first] = true;
        }
        return;
    }
    json_auto_t *last = json_object();
    for (int child = first; child != SNAPSHOT_NONE; child = nodes[child].next) {
        const char *kind = kind_name(map, child);
        if (!kind) {
            continue;
        }
        json_t *before = json_object_get(last, kind);
        map->is_single[child] = !before;
        map->numbers[child] = 1;
        if (before) {
            int elder = (int)json_integer_value(before);
            map->is_single[elder] = false;
            map->numbers[child] = map->numbers[elder] + 1;
        }
        json_object_set_new_nocheck(last, kind, json_integer(child));
    }
}

/* Adds one step of a path: the number among siblings of its kind. */
static bool add_step(const struct selector_map *map, int node, struct strbuf *text)
{
    if (map->numbers[node] == 0) {
        return false;
    }
    const struct snapshot_node *nodes = map->tree->nodes;
    if (!is_assigned(map, node) || nodes[nodes[node].parent].shadow == SNAPSHOT_USER_AGENT) {
        selector_add_tag(map->tree, node, text);
        if (!map->is_single[node]) {
            strbuf_add_format(text, ":nth-of-type(%d)", map->numbers[node]);
        }
        return true;
    }
    /* Its siblings are in other slots or in none: only those of its own slot can be counted. */
    const char *slot = snapshot_attribute(map->tree, node, "slot");
    strbuf_add_format(text, ":nth-child(%d of ", map->numbers[node]);
    selector_add_tag(map->tree, node, text);
    if (slot) {
        strbuf_add_string(text, "[slot=");
        selector_add_string(text, slot);
        strbuf_add_string(text, "])");
    } else {
        strbuf_add_string(text, ":not([slot]))");
    }
    return true;
}

static bool add_host(const struct selector_map *map, int host, struct strbuf *text)
{
    CLEANUP_STRBUF struct strbuf selector = STRBUF_INIT(STRBUF_UNCAPPED);
    if (!add_alone(map, host, &selector)) {
        /*
         * Selectors cannot address the surroundings of a host, but it may be the only one of its
         * kind.
         */
        bool has_step = add_step(map, host, &selector);
        CLEANUP_FREE char *key = xasprintf(":host(%s)", selector.data);
        if (!has_step || !is_alone(map, host, key)) {
            return false;
        }
    }
    strbuf_add_format(text, ":host(%s)", selector.data);
    return true;
}

/* Adds the element that a path begins with. */
static bool add_anchor(const struct selector_map *map, int node, struct strbuf *text)
{
    const struct snapshot_node *nodes = map->tree->nodes;
    if (nodes[node].kind == SNAPSHOT_DOCUMENT) {
        return true;
    }
    if (nodes[node].tag == TAG_BODY && map->hosts[node] == SNAPSHOT_NONE) {
        strbuf_add_string(text, "body");
        return true;
    }
    return add_alone(map, node, text);
}

struct path {
    int steps[MAX_PATH]; /* from the element upwards */
    int count;
};

/* Adds the beginning of the path and its steps down to the element. */
static bool add_steps(const struct selector_map *map, const struct path *path,
                      const struct strbuf *anchor, struct strbuf *text)
{
    const char *before = text->length > 0 ? ", " : "";
    strbuf_add_string(text, before);
    strbuf_add(text, anchor->data, anchor->length);
    for (int i = path->count - 1; i >= 0; i--) {
        bool is_first = i == path->count - 1 && anchor->length == 0;
        strbuf_add_string(text, is_first ? "" : " > ");
        if (!add_step(map, path->steps[i], text)) {
            return false;
        }
    }
    return true;
}

static bool add_steps_in_host(const struct selector_map *map, const struct path *path, int host,
                              struct strbuf *text)
{
    CLEANUP_STRBUF struct strbuf anchor = STRBUF_INIT(STRBUF_UNCAPPED);
    return host != SNAPSHOT_NONE && add_host(map, host, &anchor) &&
           add_steps(map, path, &anchor, text);
}

/* If it is unknown whether a shadow root begins, tries both paths: only one of them matches. */
static bool add_path(const struct selector_map *map, int node, struct strbuf *text)
{
    const struct snapshot_node *nodes = map->tree->nodes;
    struct path path = { .count = 0 };
    while (path.count < MAX_PATH) {
        path.steps[path.count++] = node;
        int above = map->parents[node];
        if (above == SNAPSHOT_NONE) {
            return add_steps_in_host(map, &path, map->hosts[node], text);
        }
        if (above == UNKNOWN) {
            return false;
        }
        bool may_be_host = nodes[above].tag == TAG_CUSTOM && map->is_vague[node];
        if (may_be_host && !add_steps_in_host(map, &path, above, text)) {
            return false;
        }
        CLEANUP_STRBUF struct strbuf anchor = STRBUF_INIT(STRBUF_UNCAPPED);
        if (add_anchor(map, above, &anchor)) {
            return add_steps(map, &path, &anchor, text);
        }
        node = above;
    }
    return false;
}

bool selector_add(const struct selector_map *map, int node, struct strbuf *text)
{
    if (!map->is_in_reach[node] || map->tree->nodes[node].kind != SNAPSHOT_ELEMENT) {
        return false;
    }
    CLEANUP_STRBUF struct strbuf path = STRBUF_INIT(STRBUF_UNCAPPED);
    bool is_found = add_alone(map, node, &path) || add_path(map, node, &path);
    strbuf_add(text, path.data, is_found ? path.length : 0);
    return is_found;
}

static void count_ways(struct selector_map *map, int node)
{
    CLEANUP_STRBUF struct strbuf selector = STRBUF_INIT(STRBUF_UNCAPPED);
    for (int way = 0; way < WAYS; way++) {
        strbuf_clear(&selector);
        if (selector_add_way(map->tree, node, (enum selector_way)way, &selector)) {
            count(map, node, selector.data);
        }
    }
    strbuf_clear(&selector);
    if (shadow_of(map->tree, node) == SNAPSHOT_OPEN && add_step(map, node, &selector)) {
        CLEANUP_FREE char *key = xasprintf(":host(%s)", selector.data);
        count(map, node, key);
    }
}

struct selector_map *selector_map_create(const struct snapshot_tree *tree)
{
    size_t nodes = (size_t)tree->node_count + 1;
    struct selector_map *map = xcalloc(1, sizeof(*map));
    map->tree = tree;
    map->counts = json_object();
    map->hosts = xcalloc(nodes, sizeof(int));
    map->parents = xcalloc(nodes, sizeof(int));
    map->numbers = xcalloc(nodes, sizeof(int));
    map->is_in_reach = xcalloc(nodes, sizeof(bool));
    map->is_vague = xcalloc(nodes, sizeof(bool));
    map->is_single = xcalloc(nodes, sizeof(bool));
    for (int i = 0; i < tree->order_count; i++) {
        place_in_dom(map, tree->order[i]);
    }
    for (int i = 0; i < tree->order_count; i++) {
        number_children(map, tree->order[i]);
    }
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        if (map->is_in_reach[node] && tree->nodes[node].kind == SNAPSHOT_ELEMENT) {
            count_ways(map, node);
        }
    }
    return map;
}

void selector_map_destroy(struct selector_map *map)
{
    if (map) {
        json_decref(map->counts);
        free(map->hosts);
        free(map->parents);
        free(map->numbers);
        free(map->is_in_reach);
        free(map->is_vague);
        free(map->is_single);
        free(map);
    }
}
