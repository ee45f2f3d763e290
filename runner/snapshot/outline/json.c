#include "runner/snapshot/outline/print.h"

#include "runner/base/cut.h"
#include "runner/base/memory.h"
#include "runner/base/unicode.h"
#include "runner/snapshot/outline/words.h"

#include <math.h>
#include <string.h>

enum {
    MAX_NESTING = 500, /* depth of items; JSON readers and writers have limits, too */
    ITEM_TOKENS = 12,  /* tokens of an item's keys, in addition to its words */
};

/* Makes a valid UTF-8 string whatever the page contains, cut after `max` characters; 0: not cut. */
static json_t *string_of(const char *text, int max)
{
    struct strbuf clean = STRBUF_INIT(STRBUF_UNCAPPED);
    const char *end = text + quote_length(text, max);
    while (text < end) {
        uint32_t character = unicode_decode(&text);
        if (!unicode_is_invisible(character)) {
            unicode_encode(&clean, character);
        }
    }
    if (*end) {
        strbuf_add_string(&clean, "…");
    }
    json_t *string = json_stringn(clean.data, clean.length);
    strbuf_finish(&clean);
    return string;
}

static void set_string(json_t *object, const char *key, const char *text, int max)
{
    if (text) {
        json_object_set_new(object, key, string_of(text, max));
    }
}

static void set_flag(json_t *object, const char *key, bool is_so)
{
    if (is_so) {
        json_object_set_new(object, key, json_true());
    }
}

/* Writes a false state only if everything is wanted, or if false is not the default. */
static void set_check(json_t *object, const char *key, enum snapshot_check check, bool says_false)
{
    if (check == CHECK_MIXED) {
        json_object_set_new(object, key, json_string("mixed"));
    } else if (check == CHECK_TRUE || (check == CHECK_FALSE && says_false)) {
        json_object_set_new(object, key, json_boolean(check == CHECK_TRUE));
    }
}

static void set_number(json_t *object, const char *key, int number, int usual)
{
    if (number > usual) {
        json_object_set_new(object, key, json_integer(number));
    }
}

static void set_states(json_t *object, const struct node_semantics *semantics, bool is_all)
{
    set_check(object, "checked", semantics->checked, is_all);
    set_check(object, "pressed", semantics->pressed, is_all);
    set_check(object, "selected", semantics->selected, is_all);
    set_check(object, "expanded", semantics->expanded, true);
    set_string(object, "current", semantics->current, QUOTE_MAX_NAME);
    set_flag(object, "focused", semantics->is_focused);
    set_flag(object, "disabled", semantics->is_disabled);
    set_flag(object, "readonly", semantics->is_readonly);
    set_flag(object, "required", semantics->is_required);
    set_flag(object, "invalid", semantics->is_invalid);
    set_flag(object, "busy", semantics->is_busy);
    set_flag(object, "modal", semantics->is_modal);
    set_flag(object, "inert", semantics->is_inert);
    set_flag(object, "multiline", semantics->is_multiline);
    set_flag(object, "multiselectable", semantics->is_multiselectable);
    set_number(object, "level", semantics->level, 0);
    set_number(object, "rowspan", semantics->row_span, 1);
    set_number(object, "colspan", semantics->column_span, 1);
}

static void set_value(json_t *object, const struct outline *outline,
                      const struct print_options *options, int item)
{
    const struct node_semantics *semantics = outline_semantics(outline, item);
    if (!semantics->is_private) {
        set_string(object, "value", semantics->value, options->text_length);
        return;
    }
    const char *secret = outline->tree->nodes[outline->items[item].node].value;
    set_flag(object, "value_hidden", secret && *secret);
}

static json_t *box_of(const struct snapshot_placement *placement)
{
    return json_pack("[iiii]", (int)lroundf(placement->box.x), (int)lroundf(placement->box.y),
                     (int)lroundf(placement->box.width), (int)lroundf(placement->box.height));
}

static void set_place(json_t *object, const struct outline *outline,
                      const struct print_options *options, int item)
{
    static const char *const places[] = { [PLACE_ABOVE] = "above",
                                          [PLACE_BELOW] = "below",
                                          [PLACE_ASIDE] = "aside",
                                          [PLACE_OUTSIDE] = "outside" };
    const struct snapshot_placement *placement =
        &outline->visibility->placements[outline->items[item].node];
    bool is_leaf = outline->items[item].first_child == SNAPSHOT_NONE;
    if (is_leaf && placement->place >= PLACE_ABOVE && placement->place <= PLACE_OUTSIDE) {
        json_object_set_new(object, "place", json_string(places[placement->place]));
    }
    set_flag(object, "covered", placement->is_occluded && outline->items[item].is_operable);
    if (options->has_boxes && outline->items[item].id) {
        json_object_set_new(object, "box", box_of(placement));
    }
}

/* Explains why the element was included, for the full first pass. */
static void set_origin(json_t *object, const struct node_semantics *semantics)
{
    static const char *const categories[] = {
        [CATEGORY_STRUCTURAL] = "structural",
        [CATEGORY_INTERACTIVE] = "interactive",
        [CATEGORY_SEMANTIC] = "semantic",
    };
    json_object_set_new(object, "tier", json_string(categories[semantics->category]));
    set_flag(object, "ignored", semantics->is_ignored);
    set_flag(object, "hidden", semantics->is_hidden);
}

static const char *role_of(const struct outline *outline, int item)
{
    const struct node_semantics *semantics = outline_semantics(outline, item);
    return semantics->role == ROLE_UNKNOWN || semantics->stands_for != ROLE_UNKNOWN ||
                   (semantics->role == ROLE_GENERIC && !outline->is_all)
               ? words_role(outline, item)
               : snapshot_role_name(semantics->role);
}

static json_t *element_of(const struct outline *outline, const struct print_options *options,
                          int item)
{
    const struct outline_item *shown = &outline->items[item];
    const struct node_semantics *semantics = outline_semantics(outline, item);
    const struct snapshot_node *node = &outline->tree->nodes[shown->node];
    json_t *object = json_object();
    if (shown->id) {
        json_object_set_new(object, "id", json_sprintf("e%u", shown->id));
    }
    set_string(object, "role",
               outline->is_all ? snapshot_role_name(semantics->role) : role_of(outline, item), 0);
    set_string(object, "name", semantics->name, outline->is_all ? 0 : QUOTE_MAX_NAME);
    const char *tag = snapshot_tag_name(node->tag);
    set_string(object, "tag", *tag ? tag : node->name, 0);
    bool is_said =
        shown->text && !(semantics->name && unicode_equal_words(semantics->name, shown->text));
    set_string(object, "text", is_said ? shown->text : NULL, options->text_length);
    set_string(object, "description", semantics->description, QUOTE_MAX_NAME);
    set_string(object, "placeholder", semantics->placeholder, QUOTE_MAX_NAME);
    bool is_data = semantics->url && strncmp(semantics->url, "data:", strlen("data:")) == 0;
    set_string(object, "href", options->has_urls ? semantics->url : NULL,
               is_data ? QUOTE_MAX_URL : 0);
    if (semantics->test_id) {
        set_string(object, semantics->test_id_name, semantics->test_id, QUOTE_MAX_NAME);
    }
    set_string(object, "haspopup", semantics->has_popup, QUOTE_MAX_NAME);
    set_value(object, outline, options, item);
    set_states(object, semantics, outline->is_all);
    set_place(object, outline, options, item);
    set_flag(object, "scrollable", shown->is_scrollable);
    set_flag(object, "cut", shown->is_cut);
    if (outline->is_all) {
        set_origin(object, semantics);
    }
    return object;
}

static json_t *item_of(const struct outline *outline, const struct print_options *options, int item)
{
    const struct outline_item *shown = &outline->items[item];
    if (shown->is_left_out) {
        return json_pack("{ssss}", "role", "none", "left_out", "data-no-ai");
    }
    if (outline_is_text(outline, item)) {
        json_t *object = json_pack("{ss}", "role", "text");
        set_string(object, "text", shown->text, options->text_length);
        return object;
    }
    return element_of(outline, options, item);
}

static void add_child(json_t *parent, json_t *child)
{
    json_t *children = json_object_get(parent, "children");
    if (!children) {
        children = json_array();
        json_object_set_new(parent, "children", children);
    }
    json_array_append_new(children, child);
}

/* Adds the items below `body`; true if some are nested deeper than shown. */
static bool add_items(const struct outline *outline, const struct print_options *options,
                      const bool *is_cut, json_t *body)
{
    size_t count = (size_t)outline->count + 1;
    CLEANUP_FREE json_t **objects =
        xcalloc(count, sizeof(json_t *)); /* where children are attached */
    CLEANUP_FREE int *levels = xcalloc(count, sizeof(*levels));
    bool is_deeper = false;
    for (int i = 0; i < outline->count; i++) {
        int parent = outline->items[i].parent;
        if (is_cut && is_cut[i]) {
            continue; /* its descendants are omitted as well */
        }
        json_t *object = item_of(outline, options, i);
        add_child(parent == SNAPSHOT_NONE ? body : objects[parent], object);
        levels[i] = parent == SNAPSHOT_NONE ? 1 : levels[parent] + 1;
        bool is_too_deep = levels[i] >= MAX_NESTING;
        objects[i] = is_too_deep ? objects[parent] : object;
        is_deeper |= is_too_deep && outline->items[i].first_child != SNAPSHOT_NONE;
    }
    return is_deeper;
}

static json_t *context_of(const struct snapshot_tree *tree)
{
    const struct snapshot_document *document = tree->document_count ? &tree->documents[0] : NULL;
    json_t *context = json_object();
    CLEANUP_FREE char *url = document ? cut_text(document->url, CUT_URL) : NULL;
    CLEANUP_FREE char *title = document ? cut_text(document->title, CUT_TITLE) : NULL;
    set_string(context, "url", url ? url : "", 0);
    set_string(context, "title", title ? title : "", 0);
    json_object_set_new(
        context, "viewport",
        json_pack("{sisi}", "width", (int)tree->width, "height", (int)tree->height));
    return context;
}

json_t *print_json(const struct outline *outline, const struct print_options *options, int *ret_cut)
{
    CLEANUP_FREE bool *is_cut = NULL;
    *ret_cut = 0;
    if (options->max_tokens > 0) {
        CLEANUP_FREE int *costs = words_costs(outline, options, ITEM_TOKENS, false);
        is_cut = print_cut(outline, costs, options->max_tokens, ret_cut);
    }
    json_t *body = json_pack("{ssss}", "role", "document", "tag", "body");
    bool is_deeper = add_items(outline, options, is_cut, body);
    json_t *printed =
        json_pack("{s{soso}}", "page", "context", context_of(outline->tree), "body", body);
    if (is_deeper) {
        json_object_set_new(printed, "flattened_below", json_integer(MAX_NESTING));
    }
    if (*ret_cut > 0) {
        struct strbuf line = STRBUF_INIT(STRBUF_UNCAPPED);
        print_cut_line(outline, is_cut, options->max_tokens, &line);
        set_string(printed, "cut", line.data, 0);
        strbuf_finish(&line);
    }
    return printed;
}

json_t *print_json_label(const struct outline *outline, int item)
{
    const struct outline_item *shown = &outline->items[item];
    const struct node_semantics *semantics = outline_semantics(outline, item);
    json_t *object = json_object();
    json_object_set_new(object, "id", json_sprintf("e%u", shown->id));
    set_string(object, "role", role_of(outline, item), 0);
    set_string(object, "name", semantics->name ? semantics->name : shown->text, QUOTE_MAX_NAME);
    set_flag(object, "disabled", semantics->is_disabled);
    json_object_set_new(object, "box", box_of(&outline->visibility->placements[shown->node]));
    return object;
}
