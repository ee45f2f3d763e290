#include "runner/snapshot/controls.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/selector.h"
#include "runner/snapshot/outline/print.h"

#include <stdlib.h>
#include <string.h>

enum layer {
    LAYER_ELEMENT,
    LAYER_ROLE,
    LAYER_LISTENER,
    LAYER_TABINDEX,
    LAYER_EDITABLE,
    LAYER_CURSOR,
    LAYER_CLASS,
    LAYER_COUNT,
};

static const struct {
    const char *name;
    enum control_confidence confidence;
} layers[] = {
    [LAYER_ELEMENT] = { "element", CONFIDENCE_HIGH },
    [LAYER_ROLE] = { "role", CONFIDENCE_HIGH },
    [LAYER_LISTENER] = { "listener", CONFIDENCE_MEDIUM },
    [LAYER_TABINDEX] = { "tabindex", CONFIDENCE_MEDIUM },
    [LAYER_EDITABLE] = { "editable", CONFIDENCE_MEDIUM },
    [LAYER_CURSOR] = { "cursor", CONFIDENCE_LOW },
    [LAYER_CLASS] = { "class", CONFIDENCE_LOW },
};

static const char *const confidence_names[] = {
    [CONFIDENCE_LOW] = "LOW",
    [CONFIDENCE_MEDIUM] = "MEDIUM",
    [CONFIDENCE_HIGH] = "HIGH",
};

/* State of listing the controls. */
struct listing {
    const struct snapshot *snapshot;
    const struct outline *outline;
    const struct controls_options *options;
    struct selector_map *selectors;
    json_t *list;
    int found;
};

static bool is_control_element(const struct snapshot_tree *tree, int node)
{
    switch (tree->nodes[node].tag) {
    case TAG_A:
    case TAG_AREA:
        return snapshot_attribute(tree, node, "href");
    case TAG_AUDIO:
    case TAG_VIDEO:
        return snapshot_attribute(tree, node, "controls");
    case TAG_BUTTON:
    case TAG_INPUT:
    case TAG_SELECT:
    case TAG_TEXTAREA:
    case TAG_SUMMARY:
    case TAG_OPTION:
        return true;
    default:
        return false;
    }
}

/* Chrome reports these as clickable even without listeners. */
static bool is_click_natural(enum snapshot_tag tag)
{
    return tag == TAG_A || tag == TAG_AREA || tag == TAG_LABEL;
}

/* Returns the control's layers as bits; 0 if the node is not a control. */
static unsigned layers_of(const struct listing *listing, int node)
{
    const struct snapshot_tree *tree = listing->snapshot->tree;
    const struct node_semantics *semantics = &listing->snapshot->semantics->nodes[node];
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    const char *tab_index = snapshot_attribute(tree, node, "tabindex");
    bool stands_for = semantics->stands_for != ROLE_UNKNOWN;
    bool has_role = snapshot_role_is(semantics->role, IS_OPERABLE);
    bool is_element = is_control_element(tree, node) || stands_for;
    const bool holds[LAYER_COUNT] = {
        [LAYER_ELEMENT] = is_element,
        [LAYER_ROLE] = has_role && (!is_element || snapshot_attribute(tree, node, "role")),
        [LAYER_LISTENER] =
            (tree->nodes[node].is_clickable && !is_click_natural(tree->nodes[node].tag)) ||
            snapshot_attribute(tree, node, "onclick"),
        [LAYER_TABINDEX] = tab_index && strtol(tab_index, NULL, 10) >= 0,
        [LAYER_EDITABLE] = semantics->is_editable,
        [LAYER_CURSOR] = layout && layout->has_pointer,
    };
    unsigned bits = 0;
    for (int i = 0; i < LAYER_COUNT; i++) {
        bits |= holds[i] ? 1U << i : 0;
    }
    return bits;
}

static enum control_confidence confidence_of(unsigned bits)
{
    enum control_confidence confidence = CONFIDENCE_LOW;
    for (int i = 0; i < LAYER_COUNT; i++) {
        if (bits >> i & 1 && layers[i].confidence > confidence) {
            confidence = layers[i].confidence;
        }
    }
    return confidence;
}

static json_t *layer_names(unsigned bits)
{
    json_t *names = json_array();
    for (int i = 0; i < LAYER_COUNT; i++) {
        if (bits >> i & 1) {
            json_array_append_new(names, json_string(layers[i].name));
        }
    }
    return names;
}

static void set_text(json_t *entry, const char *name, const char *text)
{
    if (text && *text) {
        json_object_set_new(entry, name, json_text(text));
    }
}

static void set_true(json_t *entry, const char *name, bool is_so)
{
    if (is_so) {
        json_object_set_new(entry, name, json_true());
    }
}

/* Adds the click point, as far as boxes determine it. */
static void add_place(const struct listing *listing, int node, json_t *entry)
{
    const struct snapshot_visibility *visibility = listing->snapshot->visibility;
    const struct snapshot_placement *placement = &visibility->placements[node];
    struct snapshot_box box = placement->box;
    bool is_in_view = placement->place == PLACE_IN_VIEW &&
                      snapshot_visibility_shown(visibility, node, &placement->box, &box);
    json_object_set_new(entry, "x", json_number((double)box.x + box.width / 2, 1));
    json_object_set_new(entry, "y", json_number((double)box.y + box.height / 2, 1));
    set_true(entry, "outOfView", !is_in_view);
    set_true(entry, "covered", placement->is_occluded);
}

static void add_element(const struct listing *listing, int node, json_t *entry)
{
    const struct snapshot_tree *tree = listing->snapshot->tree;
    const struct snapshot_document *document = &tree->documents[tree->nodes[node].document];
    CLEANUP_STRBUF struct strbuf selector = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_FREE char *tag = xstrdup(tree->nodes[node].name);
    for (char *c = tag; c && *c; c++) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    }
    set_text(entry, "tag", tag);
    if (tree->nodes[node].tag == TAG_INPUT || tree->nodes[node].tag == TAG_BUTTON) {
        set_text(entry, "type", snapshot_attribute(tree, node, "type"));
    }
    if (selector_add(listing->selectors, node, &selector)) {
        set_text(entry, "selector", selector.data);
    }
    if (document->owner != SNAPSHOT_NONE) {
        set_text(entry, "frame", document->url);
    }
}

/* `entry` has what the outline says about the control. Takes ownership of it. */
static void add_control(struct listing *listing, int node, unsigned bits, json_t *entry)
{
    bits = bits ? bits : 1U << LAYER_CLASS;
    enum control_confidence confidence = confidence_of(bits);
    if (confidence < listing->options->least || listing->found++ >= listing->options->most) {
        json_decref(entry);
        return;
    }
    json_object_set_new(entry, "confidence", json_string(confidence_names[confidence]));
    json_object_set_new(entry, "layers", layer_names(bits));
    add_element(listing, node, entry);
    json_array_append_new(listing->list, entry);
}

static void add_item(struct listing *listing, int item)
{
    int node = listing->outline->items[item].node;
    json_t *entry = print_json_label(listing->outline, item);
    add_place(listing, node, entry);
    add_control(listing, node, layers_of(listing, node), entry);
}

static void add_hidden(struct listing *listing, int node)
{
    const struct node_semantics *semantics = &listing->snapshot->semantics->nodes[node];
    unsigned bits = layers_of(listing, node);
    const char *type = snapshot_attribute(listing->snapshot->tree, node, "type");
    bool is_data = listing->snapshot->tree->nodes[node].tag == TAG_INPUT && type &&
                   strcmp(type, "hidden") == 0;
    if (!(bits & ~(1U << LAYER_CURSOR)) || is_data ||
        listing->snapshot->tree->nodes[node].tag == TAG_OPTION) {
        return;
    }
    json_t *entry = json_object();
    set_text(entry, "role",
             semantics->role == ROLE_UNKNOWN ? "clickable" : snapshot_role_name(semantics->role));
    set_text(entry, "name", semantics->name);
    set_true(entry, "disabled", semantics->is_disabled);
    set_true(entry, "hidden", true);
    add_control(listing, node, bits, entry);
}

json_t *controls_list(const struct snapshot *snapshot, const struct outline *outline,
                      const struct controls_options *options, int *ret_found)
{
    const struct snapshot_tree *tree = snapshot->tree;
    struct listing listing = {
        .snapshot = snapshot,
        .outline = outline,
        .options = options,
        .selectors = selector_map_create(tree),
        .list = json_array(),
    };
    CLEANUP_FREE int *items = outline_index_nodes(outline);
    int node = tree->order_count > 0 ? tree->order[0] : SNAPSHOT_NONE;
    while (node != SNAPSHOT_NONE) {
        int item = items[node];
        bool is_left_out = snapshot->semantics->nodes[node].is_left_out && !options->keeps_left_out;
        if (item != SNAPSHOT_NONE && outline->items[item].is_operable &&
            !outline->items[item].is_left_out) {
            add_item(&listing, item);
        } else if (options->has_hidden && !is_left_out &&
                   tree->nodes[node].kind == SNAPSHOT_ELEMENT &&
                   tree->nodes[node].shadow != SNAPSHOT_USER_AGENT &&
                   snapshot->semantics->nodes[node].is_hidden) {
            add_hidden(&listing, node);
        }
        node = is_left_out ? snapshot_skip(tree, node, tree->order[0])
                           : snapshot_next(tree, node, tree->order[0]);
    }
    selector_map_destroy(listing.selectors);
    *ret_found = listing.found;
    return listing.list;
}
