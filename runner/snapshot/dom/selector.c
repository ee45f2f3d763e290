#include "runner/snapshot/dom/selector.h"

#include "runner/base/memory.h"
#include "runner/snapshot/dom/selector_way.h"

#include <jansson.h>
#include <string.h>

enum {
    UNKNOWN = -2,      /* not known whether there is a node */
    MAX_PATH = 64,     /* elements of a path */
    MAX_ANCHORS = 4,   /* ancestors that a short path is tried from */
    MAX_RIVALS = 1024, /* elements that a short path is told from */
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
    int *child;        /* for each element: which child element of its parent it is */
    int *positions;    /* for each node: its index in the tree's order */
    int *ends;         /* for each node: the position behind its last descendant */
    json_t *names;     /* the number of each name of elements */
    int *names_of;     /* for each element: the number of its name; otherwise -1 */
    int *named;        /* elements by their names, then in document order */
    int *named_begin;  /* for each name: its first element in `named`; one more at the end */
    bool has_shadow;   /* a page has shadow trees: its short paths could match in them */
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
            map->child[first] = 1;
            map->is_single[first] = true;
        }
        return;
    }
    int count = 0;
    json_auto_t *last = json_object();
    for (int child = first; child != SNAPSHOT_NONE; child = nodes[child].next) {
        const char *kind = kind_name(map, child);
        count += nodes[child].kind == SNAPSHOT_ELEMENT;
        map->child[child] = count;
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

/* Whether its number is also the one among all its siblings. */
static bool is_numbered_child(const struct selector_map *map, int node)
{
    bool is_light = map->hosts[node] == SNAPSHOT_NONE && !is_assigned(map, node);
    return is_light && map->child[node] == map->numbers[node];
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
            strbuf_add_format(text,
                              is_numbered_child(map, node) ? ":nth-child(%d)" : ":nth-of-type(%d)",
                              map->numbers[node]);
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

/* Behind a hyphen a `>` could end a comment. */
static void add_child_combinator(struct strbuf *text)
{
    bool is_hyphen = text->length > 0 && text->data[text->length - 1] == '-';
    strbuf_add_string(text, is_hyphen ? " >" : ">");
}

/* Adds the beginning of the path and its steps down to the element. */
static bool add_steps(const struct selector_map *map, const struct path *path,
                      const struct strbuf *anchor, struct strbuf *text)
{
    const char *before = text->length > 0 ? ", " : "";
    strbuf_add_string(text, before);
    strbuf_add(text, anchor->data, anchor->length);
    for (int i = path->count - 1; i >= 0; i--) {
        if (i < path->count - 1 || anchor->length > 0) {
            add_child_combinator(text);
        }
        if (!add_step(map, path->steps[i], text)) {
            return false;
        }
    }
    return true;
}

/*
 * Short paths: only the steps that tell the element from others in an anchor:
 * `#menu li:nth-child(2) a`. Steps that are parent and child are written so only if that is needed:
 * clients look for comments of Markdown by patterns that end at a `>`.
 */
struct short_path {
    const struct path *whole;
    int steps[MAX_PATH]; /* indexes in the whole path, from the element upwards */
    int count;
    bool is_loose; /* no step is written as the parent of another */
};

/* Returns whether a step matches an element. */
static bool step_matches(const struct selector_map *map, int step, int node)
{
    return map->names_of[step] == map->names_of[node] &&
           (map->is_single[step] ||
            (is_numbered_child(map, step) ? map->child[step] == map->child[node]
                                          : map->numbers[step] == map->numbers[node]));
}

/* Returns whether the steps from the i-th on match a node and some of its ancestors in there. */
static bool steps_match(const struct selector_map *map, const struct short_path *path, int i,
                        int anchor, int node)
{
    bool is_parent = !path->is_loose && i > 0 && path->steps[i] == path->steps[i - 1] + 1;
    for (; node >= 0 && node != anchor; node = map->parents[node]) {
        if (step_matches(map, path->whole->steps[path->steps[i]], node) &&
            (i + 1 == path->count || steps_match(map, path, i + 1, anchor, map->parents[node]))) {
            return true;
        }
        if (i == 0 || is_parent) {
            return false;
        }
    }
    return false;
}

/* Returns the index in `named` of the first element with this name at or behind a position. */
static int find_named(const struct selector_map *map, int name, int position)
{
    int low = map->named_begin[name];
    int high = map->named_begin[name + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (map->positions[map->named[middle]] < position) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Other elements in an anchor that match the last step of a path. */
struct rivals {
    int nodes[MAX_RIVALS];
    int count;
};

/* False: there are too many. */
static bool find_rivals(const struct selector_map *map, int node, int anchor, struct rivals *rivals)
{
    int name = map->names_of[node];
    int end = map->named_begin[name + 1];
    rivals->count = 0;
    for (int i = find_named(map, name, map->positions[anchor]);
         i < end && map->positions[map->named[i]] < map->ends[anchor]; i++) {
        int other = map->named[i];
        if (other != node && map->tree->nodes[other].document == map->tree->nodes[node].document &&
            step_matches(map, node, other)) {
            if (rivals->count == MAX_RIVALS) {
                return false;
            }
            rivals->nodes[rivals->count++] = other;
        }
    }
    return true;
}

static bool matches_any(const struct selector_map *map, const struct short_path *path, int anchor,
                        const struct rivals *rivals)
{
    for (int i = 0; i < rivals->count; i++) {
        if (steps_match(map, path, 0, anchor, rivals->nodes[i])) {
            return true;
        }
    }
    return false;
}

/* Keeps the rivals that match the path. Returns whether there were others. */
static bool exclude(const struct selector_map *map, const struct short_path *path, int anchor,
                    struct rivals *rivals)
{
    int before = rivals->count;
    rivals->count = 0;
    for (int i = 0; i < before; i++) {
        if (steps_match(map, path, 0, anchor, rivals->nodes[i])) {
            rivals->nodes[rivals->count++] = rivals->nodes[i];
        }
    }
    return rivals->count < before;
}

/* Adds the steps that exclude rivals. False: some match the whole path. */
static bool choose_steps(const struct selector_map *map, int anchor, const struct rivals *rivals,
                         struct short_path *path)
{
    struct rivals left = *rivals;
    for (int i = 1; i < path->whole->count && left.count > 0; i++) {
        path->steps[path->count++] = i;
        path->count -= !exclude(map, path, anchor, &left);
    }
    return left.count == 0;
}

/* Removes steps that later ones have made needless. */
static void prune(const struct selector_map *map, int anchor, const struct rivals *rivals,
                  struct short_path *path)
{
    for (int i = path->count - 2; i > 0; i--) {
        struct short_path without = *path;
        without.count--;
        memmove(&without.steps[i], &without.steps[i + 1],
                (size_t)(without.count - i) * sizeof(int));
        if (!matches_any(map, &without, anchor, rivals)) {
            *path = without;
        }
    }
}

/* Replaces the text by a shorter path from this anchor, if there is one. */
static void shorten(const struct selector_map *map, const struct path *whole, int anchor,
                    const struct strbuf *begin, struct strbuf *text)
{
    struct rivals rivals;
    struct short_path path = { .whole = whole, .count = 1 };
    struct short_path loose = { .whole = whole, .count = 1, .is_loose = true };
    if (!find_rivals(map, whole->steps[0], anchor, &rivals) ||
        !choose_steps(map, anchor, &rivals, &path)) {
        return;
    }
    prune(map, anchor, &rivals, &path);
    if (choose_steps(map, anchor, &rivals, &loose)) {
        prune(map, anchor, &rivals, &loose);
        path = loose.count <= path.count ? loose : path;
    }
    CLEANUP_STRBUF struct strbuf shorter = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_format(&shorter, "%s ", begin->data);
    for (int i = path.count - 1; i >= 0; i--) {
        if (!add_step(map, whole->steps[path.steps[i]], &shorter)) {
            return;
        }
        if (!path.is_loose && i > 0 && path.steps[i] == path.steps[i - 1] + 1) {
            add_child_combinator(&shorter);
        } else if (i > 0) {
            strbuf_add(&shorter, " ", 1);
        }
    }
    bool is_as_short = path.is_loose && shorter.length == text->length;
    if (shorter.length < text->length || is_as_short) {
        strbuf_clear(text);
        strbuf_add(text, shorter.data, shorter.length);
    }
}

/* Tries the nearest ancestors that a path may begin with. */
static void find_shorter(const struct selector_map *map, int node, struct strbuf *text)
{
    int anchors = 0;
    struct path path = { .count = 0 };
    if (map->has_shadow || map->hosts[node] != SNAPSHOT_NONE) {
        return;
    }
    while (path.count < MAX_PATH && anchors < MAX_ANCHORS) {
        CLEANUP_STRBUF struct strbuf begin = STRBUF_INIT(STRBUF_UNCAPPED);
        path.steps[path.count++] = node;
        node = map->parents[node];
        if (node < 0 || map->tree->nodes[node].kind != SNAPSHOT_ELEMENT) {
            return;
        }
        if (add_anchor(map, node, &begin)) {
            anchors++;
            shorten(map, &path, node, &begin, text);
        }
    }
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
    bool is_found = add_alone(map, node, &path);
    if (!is_found && add_path(map, node, &path)) {
        is_found = true;
        find_shorter(map, node, &path);
    }
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

/* Lists the elements by their names, and finds where each subtree ends. */
static void place_in_order(struct selector_map *map)
{
    const struct snapshot_tree *tree = map->tree;
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        const struct snapshot_node *self = &tree->nodes[node];
        map->positions[node] = i;
        map->names_of[node] = -1;
        map->has_shadow |= self->shadow == SNAPSHOT_OPEN || self->shadow == SNAPSHOT_CLOSED;
        if (self->kind == SNAPSHOT_ELEMENT && self->name && map->hosts[node] == SNAPSHOT_NONE) {
            json_t *number = json_object_get(map->names, self->name);
            if (!number) {
                number = json_integer((json_int_t)json_object_size(map->names));
                json_object_set_new_nocheck(map->names, self->name, number);
            }
            map->names_of[node] = (int)json_integer_value(number);
        }
    }
    for (int i = tree->order_count - 1; i >= 0; i--) {
        int node = tree->order[i];
        int parent = tree->nodes[node].parent;
        map->ends[node] = map->ends[node] > i + 1 ? map->ends[node] : i + 1;
        if (parent != SNAPSHOT_NONE && map->ends[parent] < map->ends[node]) {
            map->ends[parent] = map->ends[node];
        }
    }
    size_t names = json_object_size(map->names);
    map->named_begin = xcalloc(names + 2, sizeof(int));
    for (int i = 0; i < tree->order_count; i++) {
        int name = map->names_of[tree->order[i]];
        if (name >= 0) {
            map->named_begin[name + 2]++;
        }
    }
    for (size_t i = 2; i < names + 2; i++) {
        map->named_begin[i] += map->named_begin[i - 1];
    }
    for (int i = 0; i < tree->order_count; i++) {
        int name = map->names_of[tree->order[i]];
        if (name >= 0) {
            map->named[map->named_begin[name + 1]++] = tree->order[i];
        }
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
    map->child = xcalloc(nodes, sizeof(int));
    map->positions = xcalloc(nodes, sizeof(int));
    map->ends = xcalloc(nodes, sizeof(int));
    map->names = json_object();
    map->names_of = xcalloc(nodes, sizeof(int));
    map->named = xcalloc(nodes, sizeof(int));
    for (int i = 0; i < tree->order_count; i++) {
        place_in_dom(map, tree->order[i]);
    }
    for (int i = 0; i < tree->order_count; i++) {
        number_children(map, tree->order[i]);
    }
    place_in_order(map);
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
        free(map->child);
        free(map->positions);
        free(map->ends);
        json_decref(map->names);
        free(map->names_of);
        free(map->named);
        free(map->named_begin);
        free(map);
    }
}
