#include "runner/servers/debug_bridge/app/ui.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/base/unicode.h"
#include "runner/base/utf8.h"
#include "runner/snapshot/dom/ids.h"
#include "runner/snapshot/dom/node_index.h"
#include "runner/snapshot/dom/selector.h"
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/semantics/private.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_TEXT = 200,    /* bytes of an element's text */
    MAX_ID_TEXT = 20,  /* bytes of the text in an id */
    MAX_VALUE = 10000, /* bytes */
    MAX_PATH = 1000,   /* bytes of an id that is a path */
    MAX_LEVELS = 200,
};

/* An element whose item is being made. */
struct element {
    int item;   /* its index in the outline */
    char *text; /* NULL: none, or private */
    char *base;
    char node[16];
};

static const char *attribute(const struct outline *outline, int node, const char *name)
{
    const char *value = snapshot_attribute(outline->tree, node, name);
    return value && *value ? value : NULL;
}

/* Caller frees. */
static char *tag_of(const struct snapshot_node *node)
{
    const char *known = snapshot_tag_name(node->tag);
    char *tag = xstrdup(*known ? known : node->name ? node->name : "");
    for (char *at = tag; *at; at++) {
        *at = (char)tolower((unsigned char)*at);
    }
    return tag;
}

/* Adds text; collapses white space to one space, and omits it at the beginning. */
static void add_collapsed(struct strbuf *text, const char *added)
{
    for (const char *at = added; *at;) {
        uint32_t character = unicode_decode(&at);
        bool is_space = unicode_is_space(character);
        bool is_behind_space = text->length == 0 || text->data[text->length - 1] == ' ';
        if (is_space && !is_behind_space) {
            strbuf_add_string(text, " ");
        } else if (!is_space && !unicode_is_invisible(character)) {
            unicode_encode(text, character);
        }
    }
}

static char *trimmed(struct strbuf *text)
{
    if (text->length > MAX_TEXT) {
        strbuf_truncate(text, utf8_cut(text->data, MAX_TEXT));
    }
    while (text->length > 0 && text->data[text->length - 1] == ' ') {
        strbuf_truncate(text, text->length - 1);
    }
    return text->length ? strbuf_take(text) : NULL;
}

/* Returns the visible text of an element, or NULL. Text that is typed into it is its value. Caller
 * frees. */
static char *text_of(const struct outline *outline, int node)
{
    const struct snapshot_tree *tree = outline->tree;
    enum snapshot_tag tag = tree->nodes[node].tag;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    if (tag == TAG_TEXTAREA || tag == TAG_SELECT || outline->semantics->nodes[node].is_private) {
        return NULL;
    }
    if (tag == TAG_INPUT) {
        enum snapshot_role role = outline->semantics->nodes[node].role;
        return role == ROLE_BUTTON && attribute(outline, node, "value")
                   ? xstrdup(attribute(outline, node, "value"))
                   : NULL;
    }
    int at = snapshot_next(tree, node, node);
    while (at != SNAPSHOT_NONE && text.length <= MAX_TEXT) {
        const struct node_semantics *semantics = &outline->semantics->nodes[at];
        bool is_kept = semantics->is_private || semantics->is_left_out;
        const struct snapshot_layout *layout = snapshot_layout(tree, at);
        if (tree->nodes[at].kind == SNAPSHOT_TEXT && layout && !layout->is_invisible) {
            add_collapsed(&text, layout->text ? layout->text : "");
        } else if (layout && layout->display != DISPLAY_INLINE) {
            add_collapsed(&text, " ");
        }
        at = is_kept ? snapshot_skip(tree, at, node) : snapshot_next(tree, at, node);
    }
    return trimmed(&text);
}

/* The accessible name, unless it comes from the text. */
static const char *label_of(const struct outline *outline, int node)
{
    const struct node_semantics *semantics = &outline->semantics->nodes[node];
    const char *label = attribute(outline, node, "aria-label");
    label = label ? label : attribute(outline, node, "title");
    bool is_content = semantics->name_from == NAME_FROM_CONTENT;
    return label ? label : is_content ? NULL : semantics->name;
}

static const char *given_id(const struct outline *outline, int node)
{
    const char *id = attribute(outline, node, "data-testid");
    id = id ? id : attribute(outline, node, "data-debug-id");
    if (id) {
        return id;
    }
    id = attribute(outline, node, "id");
    return id && !app_ids_is_generated(id) ? id : NULL;
}

/* How many siblings with the same tag are before it. */
static int place_of(const struct outline *outline, int node)
{
    const struct snapshot_node *nodes = outline->tree->nodes;
    int parent = nodes[node].parent;
    int place = 0;
    for (int at = parent == SNAPSHOT_NONE ? node : nodes[parent].first_child; at != node;
         at = nodes[at].next) {
        place += nodes[at].kind == SNAPSHOT_ELEMENT && nodes[at].name && nodes[node].name &&
                 strcmp(nodes[at].name, nodes[node].name) == 0;
    }
    return place;
}

/* Adds the path from the nearest ancestor with an id, at most `levels` above. */
static void add_path(const struct outline *outline, int node, int levels, struct strbuf *path)
{
    const struct snapshot_node *of = &outline->tree->nodes[node];
    const char *id = of->kind == SNAPSHOT_ELEMENT ? given_id(outline, node) : NULL;
    if (id) {
        strbuf_add_string(path, id);
        return;
    }
    if (of->parent != SNAPSHOT_NONE && levels > 0) {
        add_path(outline, of->parent, levels - 1, path);
    }
    if (of->kind == SNAPSHOT_ELEMENT) {
        CLEANUP_FREE char *tag = tag_of(of);
        strbuf_add_format(path, path->length ? ">%s[%d]" : "%s[%d]", tag, place_of(outline, node));
    }
}

/* Caller frees. */
static char *role_of(const struct outline *outline, int node)
{
    enum snapshot_role role = outline->semantics->nodes[node].role;
    if (role == ROLE_DISCLOSURE_TRIANGLE || role == ROLE_DISCLOSURE_TRIANGLE_GROUPED) {
        return xstrdup("button"); /* Chrome's own names are no roles of ARIA */
    }
    return role == ROLE_UNKNOWN || role == ROLE_GENERIC ? tag_of(&outline->tree->nodes[node])
                                                        : xstrdup(snapshot_role_name(role));
}

/* The base of the element's id, in the protocol's order, and its kind. Caller frees. */
static char *base_of(const struct outline *outline, int node, const char *text,
                     struct app_ids_item *item)
{
    const char *id = given_id(outline, node);
    const char *words = text ? text : label_of(outline, node);
    item->is_given = id;
    item->is_counted = !id && words;
    if (id) {
        return xstrdup(id);
    }
    if (words) {
        CLEANUP_FREE char *role = role_of(outline, node);
        size_t length = strlen(words);
        length = length > MAX_ID_TEXT ? utf8_cut(words, MAX_ID_TEXT) : length;
        return xasprintf("%s-%.*s", role, (int)length, words);
    }
    CLEANUP_STRBUF struct strbuf path = STRBUF_INIT(STRBUF_UNCAPPED);
    add_path(outline, node, MAX_LEVELS, &path);
    const char *end = path.data + (path.length > MAX_PATH ? path.length - MAX_PATH : 0);
    while ((*end & 0xc0) == 0x80) {
        end++;
    }
    return xstrdup(end); /* the end is the most specific part */
}

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text) {
        json_object_set_new(object, key, json_text(text));
    }
}

static void set_check(json_t *object, const char *key, enum snapshot_check check)
{
    if (check != CHECK_NONE) {
        json_object_set_new(object, key, json_boolean(check == CHECK_TRUE));
    }
}

static json_t *meta_of(const struct outline *outline, int node)
{
    static const char *const texts[] = { "type", "name", "href", "placeholder", "pattern", NULL };
    const struct node_semantics *semantics = &outline->semantics->nodes[node];
    CLEANUP_FREE char *tag = tag_of(&outline->tree->nodes[node]);
    json_t *meta = json_pack("{s:o}", "tagName", json_text(tag));
    for (size_t i = 0; texts[i]; i++) {
        set_text(meta, texts[i], attribute(outline, node, texts[i]));
    }
    if (outline->tree->nodes[node].tag == TAG_INPUT && !json_object_get(meta, "type")) {
        json_object_set_new(meta, "type", json_string("text"));
    }
    const char *max_length = attribute(outline, node, "maxlength");
    if (max_length && strspn(max_length, "0123456789") == strlen(max_length)) {
        json_object_set_new(meta, "maxLength", json_integer(strtoll(max_length, NULL, 10)));
    }
    if (semantics->is_required) {
        json_object_set_new(meta, "required", json_true());
    }
    if (semantics->checked == CHECK_MIXED) {
        json_object_set_new(meta, "mixed", json_true());
    }
    return meta;
}

/* The value of the first selected option, or its text; NULL: none is selected. Caller frees. */
static char *chosen_value(const struct outline *outline, int select)
{
    const struct snapshot_tree *tree = outline->tree;
    int at = snapshot_next(tree, select, select);
    while (at != SNAPSHOT_NONE && !(tree->nodes[at].tag == TAG_OPTION &&
                                    outline->semantics->nodes[at].selected == CHECK_TRUE)) {
        at = snapshot_next(tree, at, select);
    }
    const char *value = at == SNAPSHOT_NONE ? NULL : snapshot_attribute(tree, at, "value");
    return value                 ? xstrdup(value)
           : at == SNAPSHOT_NONE ? NULL
                                 : xstrdup(outline->semantics->nodes[select].value);
}

static void set_states(json_t *item, const struct outline *outline, int node)
{
    const struct node_semantics *semantics = &outline->semantics->nodes[node];
    const struct snapshot_placement *placement = &outline->visibility->placements[node];
    bool is_secret = semantics->is_private ||
                     snapshot_is_private_choice(outline->tree, outline->semantics->nodes, node);
    json_object_set_new(item, "disabled", json_boolean(semantics->is_disabled));
    json_object_set_new(item, "visible",
                        json_boolean(!semantics->is_hidden && placement->place != PLACE_NOWHERE &&
                                     placement->place != PLACE_OUTSIDE));
    set_check(item, "checked", semantics->checked);
    set_check(item, "selected", is_secret ? CHECK_NONE : semantics->selected);
    set_check(item, "expanded", semantics->expanded);
    CLEANUP_FREE char *chosen = outline->tree->nodes[node].tag == TAG_SELECT && !is_secret
                                    ? chosen_value(outline, node)
                                    : NULL;
    const char *shown = chosen ? chosen : semantics->value;
    if (!is_secret && shown) {
        size_t length = strlen(shown);
        CLEANUP_FREE char *value =
            xstrndup(shown, length > MAX_VALUE ? utf8_cut(shown, MAX_VALUE) : length);
        set_text(item, "value", value);
    }
    json_object_set_new(item, "bounds",
                        json_pack("{s:i, s:i, s:i, s:i}", "x", (int)lroundf(placement->box.x), "y",
                                  (int)lroundf(placement->box.y), "width",
                                  (int)lroundf(placement->box.width), "height",
                                  (int)lroundf(placement->box.height)));
}

static json_t *item_of(const struct outline *outline, const struct element *element, const char *id,
                       const struct selector_map *map)
{
    int node = outline->items[element->item].node;
    CLEANUP_STRBUF struct strbuf selector = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_FREE char *role = role_of(outline, node);
    selector_add(map, node, &selector);
    json_t *item = json_pack("{s:o, s:o, s:o}", "stableId", json_text(id), "selector",
                             json_text(selector.data), "role", json_text(role));
    set_text(item, "text", element->text);
    set_text(item, "label", label_of(outline, node));
    set_states(item, outline, node);
    json_object_set_new(item, "meta", meta_of(outline, node));
    return item;
}

static bool is_in_tree(const struct outline *outline, int item)
{
    const struct outline_item *shown = &outline->items[item];
    const struct snapshot_node *node = outline_node(outline, item);
    return shown->is_operable && shown->id && !shown->is_left_out &&
           node->kind == SNAPSHOT_ELEMENT && node->shadow != SNAPSHOT_USER_AGENT;
}

json_t *app_ui_items(struct app_ids *ids, const struct outline *outline)
{
    size_t room = (size_t)outline->count + 1;
    CLEANUP_FREE struct element *elements = xcalloc(room, sizeof(*elements));
    CLEANUP_FREE struct app_ids_item *given = xcalloc(room, sizeof(*given));
    size_t count = 0;
    for (int i = 0; i < outline->count; i++) {
        if (is_in_tree(outline, i)) {
            struct element *element = &elements[count];
            element->item = i;
            element->text = text_of(outline, outline->items[i].node);
            element->base = base_of(outline, outline->items[i].node, element->text, &given[count]);
            snprintf(element->node, sizeof(element->node), "e%u", outline->items[i].id);
            given[count].node = element->node;
            given[count++].base = element->base;
        }
    }
    app_ids_assign(ids, given, count);
    json_t *items = json_array();
    struct selector_map *map = selector_map_create(outline->tree);
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(items, item_of(outline, &elements[i], given[i].id, map));
        free(elements[i].text);
        free(elements[i].base);
    }
    selector_map_destroy(map);
    return items;
}

/* The elements of a snapshot. */
struct elements {
    struct snapshot_ids *node_ids;
    const struct snapshot_tree *tree;
    struct node_index *indexes; /* of each part */
};

/* Chrome's number of a node is unique within a process, so the document is compared, too. */
static bool exists(void *data, const char *node)
{
    struct br_error ignored;
    struct snapshot_identity identity;
    const struct elements *elements = data;
    uint32_t id = snapshot_id_parse(node);
    bool is_found = false;
    if (!snapshot_ids_find(elements->node_ids, id, &identity, &ignored)) {
        return false;
    }
    for (int i = 0; i < elements->tree->part_count && !is_found; i++) {
        int at = node_index_find(&elements->indexes[i], identity.backend_id);
        int document = at == SNAPSHOT_NONE ? 0 : elements->tree->nodes[at].document;
        is_found =
            at != SNAPSHOT_NONE &&
            id == snapshot_ids_give(elements->node_ids, elements->tree->documents[document].number,
                                    identity.backend_id);
    }
    return is_found;
}

static void sweep(struct app_ids *ids, const struct snapshot_tree *tree,
                  struct snapshot_ids *node_ids)
{
    CLEANUP_FREE struct node_index *indexes =
        xcalloc((size_t)tree->part_count + 1, sizeof(*indexes));
    struct elements elements = { .node_ids = node_ids, .tree = tree, .indexes = indexes };
    for (int i = 0; i < tree->part_count; i++) {
        node_index_init(&indexes[i], tree, i);
    }
    app_ids_sweep(ids, exists, &elements);
    for (int i = 0; i < tree->part_count; i++) {
        node_index_finish(&indexes[i]);
    }
}

bool app_ui_look(struct app_ids *ids, const struct session_visit *visit, bool has_hidden,
                 json_t **ret_items, struct br_error *err)
{
    const struct outline_options shown = { .root = SNAPSHOT_NONE, .is_all = has_hidden };
    CLEANUP_SNAPSHOT struct snapshot snapshot = { 0 };
    struct snapshot_ids *node_ids = snapshot_store_ids(visit->snapshots);
    if (!snapshot_take(visit->page, SNAPSHOT_AX_AUTO, node_ids, &snapshot, err)) {
        return false;
    }
    struct outline *outline =
        outline_create(snapshot.tree, snapshot.semantics, snapshot.visibility, &shown, node_ids);
    sweep(ids, snapshot.tree, node_ids);
    *ret_items = app_ui_items(ids, outline);
    snapshot_store_show(visit->snapshots, outline, SNAPSHOT_AX_AUTO);
    outline_destroy(outline);
    return true;
}
