#include "runner/snapshot/dom/decode.h"

#include "runner/base/memory.h"
#include "runner/snapshot/dom/columns.h"
#include "runner/snapshot/dom/style.h"
#include "runner/snapshot/dom/tree.h"

#include <string.h>

/* State of decoding a reply. */
struct decoder {
    struct snapshot_tree *tree;
    struct scan scan;
    const char **strings;
    size_t string_count, string_capacity;
    const char *broken; /* the first inconsistency; NULL: none so far */
};

enum { ELEMENT_NODE = 1, TEXT_NODE = 3, CDATA_NODE = 4, DOCUMENT_NODE = 9, BOX = 4 };

/* Notes the first inconsistency of the reply. Returns false. */
static bool decoder_mismatch(struct decoder *decoder, const char *what)
{
    decoder->broken = decoder->broken ? decoder->broken : what;
    return false;
}

/* Returns NULL for index -1. */
static const char *string_at(struct decoder *decoder, int index)
{
    if (index < 0 || (size_t)index >= decoder->string_count) {
        if (index != -1) {
            decoder_mismatch(decoder, "a string that is not there");
        }
        return NULL;
    }
    return decoder->strings[index];
}

static bool is_text(const char *value, const char *text)
{
    return value && strcmp(value, text) == 0;
}

/* Returns the length of list i, or 0 after the last one; *ret_begin is its first value. */
static int list_length(const struct scan_ints *ends, size_t i, int *ret_begin)
{
    *ret_begin = i == 0 || i > ends->count ? 0 : ends->items[i - 1];
    return i < ends->count ? ends->items[i] - *ret_begin : 0;
}

static enum snapshot_kind kind_of(int type)
{
    return type == ELEMENT_NODE    ? SNAPSHOT_ELEMENT
           : type == DOCUMENT_NODE ? SNAPSHOT_DOCUMENT
                                   : SNAPSHOT_TEXT;
}

static bool add_attributes(struct decoder *decoder, const struct columns *columns, size_t i,
                           struct snapshot_node *node)
{
    struct snapshot_tree *tree = decoder->tree;
    int begin = 0;
    int length = list_length(&columns->attributes.ends, i, &begin);
    node->attribute = tree->attribute_count;
    for (int k = begin; k + 1 < begin + length; k += 2) {
        const char *name = string_at(decoder, columns->attributes.values.items[k]);
        const char *value = string_at(decoder, columns->attributes.values.items[k + 1]);
        if (!name) {
            return decoder_mismatch(decoder, "an attribute without a name");
        }
        tree->attributes = array_reserve(tree->attributes, (size_t)tree->attribute_count,
                                         &tree->attribute_capacity, sizeof(*tree->attributes));
        if (value && strncmp(value, "data:", strlen("data:")) != 0) {
            tree->attribute_bytes += strlen(value);
        }
        tree->attributes[tree->attribute_count++] =
            (struct snapshot_attribute){ .name = name, .value = value ? value : "" };
    }
    node->attribute_count = tree->attribute_count - node->attribute;
    return true;
}

/* Nodes come before their descendants; all code that walks the tree relies on it. */
static bool add_node(struct decoder *decoder, const struct columns *columns, size_t i, int first)
{
    struct snapshot_tree *tree = decoder->tree;
    int parent = columns->parent.items[i];
    if (i == 0 ? parent != -1 : parent < 0 || (size_t)parent >= i) {
        return decoder_mismatch(decoder, "a node before its parent");
    }
    struct snapshot_node node = {
        .kind = kind_of(columns->type.items[i]),
        .parent = parent == -1 ? SNAPSHOT_NONE : first + parent,
        .first_child = SNAPSHOT_NONE,
        .last_child = SNAPSHOT_NONE,
        .next = SNAPSHOT_NONE,
        .document = tree->document_count,
        .layout = SNAPSHOT_NONE,
        .backend_id = columns->backend_id.items[i],
        .name = string_at(decoder, columns->name.items[i]),
        .text = string_at(decoder, columns->text.items[i]),
    };
    if ((i == 0) != (node.kind == SNAPSHOT_DOCUMENT)) {
        return decoder_mismatch(decoder, "a document that is not at the root");
    }
    if (node.kind == SNAPSHOT_ELEMENT) {
        const struct snapshot_node *above = &tree->nodes[node.parent];
        node.tag = snapshot_tag(node.name ? node.name : "");
        node.is_svg = node.tag == TAG_SVG || (above->is_svg && above->tag != TAG_FOREIGNOBJECT);
    }
    if (!add_attributes(decoder, columns, i, &node)) {
        return false;
    }
    tree->nodes = array_reserve(tree->nodes, (size_t)tree->node_count, &tree->node_capacity,
                                sizeof(*tree->nodes));
    tree->nodes[tree->node_count++] = node;
    return true;
}

/*
 * Returns the node of entry i of a sparse column, in a document whose nodes begin at `first`; NULL,
 * with a noted mismatch, if there is no such node.
 */
static struct snapshot_node *decoder_node(struct decoder *decoder, const struct sparse *sparse,
                                          size_t i, int first)
{
    int index = sparse->index.items[i];
    if (index < 0 || index >= decoder->tree->node_count - first) {
        decoder_mismatch(decoder, "a node that is not there");
        return NULL;
    }
    return &decoder->tree->nodes[first + index];
}

/* Applies a sparse column's entry to its node; value is -1 if the column has none. */
typedef void apply_sparse(struct decoder *decoder, struct snapshot_node *node, int value);

static void apply_shadow(struct decoder *decoder, struct snapshot_node *node, int value)
{
    const char *type = string_at(decoder, value);
    node->shadow = is_text(type, "open")     ? SNAPSHOT_OPEN
                   : is_text(type, "closed") ? SNAPSHOT_CLOSED
                                             : SNAPSHOT_USER_AGENT;
}

static void apply_value(struct decoder *decoder, struct snapshot_node *node, int value)
{
    node->value = string_at(decoder, value);
}

static void apply_checked(struct decoder *decoder, struct snapshot_node *node, int value)
{
    (void)decoder, (void)value;
    node->is_checked = true;
}

static void apply_selected(struct decoder *decoder, struct snapshot_node *node, int value)
{
    (void)decoder, (void)value;
    node->is_selected = true;
}

static void apply_pseudo(struct decoder *decoder, struct snapshot_node *node, int value)
{
    (void)decoder, (void)value;
    node->kind = node->kind == SNAPSHOT_ELEMENT ? SNAPSHOT_PSEUDO : node->kind;
    node->tag = TAG_NONE;
}

static void apply_clickable(struct decoder *decoder, struct snapshot_node *node, int value)
{
    (void)decoder, (void)value;
    node->is_clickable = true;
}

static void apply_picture(struct decoder *decoder, struct snapshot_node *node, int value)
{
    node->picture = string_at(decoder, value);
}

static void add_sparse(struct decoder *decoder, const struct sparse *sparse, int first,
                       apply_sparse *apply)
{
    for (size_t i = 0; i < sparse->index.count; i++) {
        struct snapshot_node *node = decoder_node(decoder, sparse, i, first);
        if (node) {
            apply(decoder, node, scan_int_at(&sparse->value, i, -1));
        }
    }
}

static void add_child(struct snapshot_tree *tree, int child)
{
    struct snapshot_node *parent = &tree->nodes[tree->nodes[child].parent];
    if (parent->last_child == SNAPSHOT_NONE) {
        parent->first_child = child;
    } else {
        tree->nodes[parent->last_child].next = child;
    }
    parent->last_child = child;
}

static bool is_behind_children(const struct snapshot_node *node)
{
    return node->kind == SNAPSHOT_PSEUDO && is_text(node->name, "::after");
}

/* In the reply, ::after comes before the children; comments and doctypes are not linked. */
static void link_children(struct snapshot_tree *tree, const struct columns *columns, int first)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = first + 1; i < tree->node_count; i++) {
            int type = columns->type.items[i - first];
            bool is_shown = type == ELEMENT_NODE || type == TEXT_NODE || type == CDATA_NODE;
            if (is_shown && is_behind_children(&tree->nodes[i]) == (pass == 1)) {
                add_child(tree, i);
            }
        }
    }
}

static bool add_layout(struct decoder *decoder, const struct columns *columns, size_t i, int first)
{
    struct snapshot_tree *tree = decoder->tree;
    int index = columns->layout_node.items[i];
    int begin = 0;
    int style_begin = 0;
    int style_count = list_length(&columns->styles.ends, i, &style_begin);
    if (index < 0 || index >= tree->node_count - first ||
        list_length(&columns->bounds.ends, i, &begin) != BOX) {
        return decoder_mismatch(decoder, "a layout without a node or a box");
    }
    struct snapshot_node *node = &tree->nodes[first + index];
    const float *box = columns->bounds.values.items + begin;
    struct snapshot_layout layout = {
        .node = first + index,
        .x = box[0],
        .y = box[1],
        .width = box[2],
        .height = box[3],
        .paint_order = scan_int_at(&columns->paint_order, i, 0),
        .text = string_at(decoder, scan_int_at(&columns->layout_text, i, -1)),
    };
    if (style_count > 0) {
        const char *styles[STYLE_COUNT] = { 0 };
        for (int k = 0; k < STYLE_COUNT && k < style_count; k++) {
            styles[k] = string_at(decoder, columns->styles.values.items[style_begin + k]);
        }
        style_apply(&layout, styles);
    }
    layout.display = node->kind == SNAPSHOT_TEXT ? DISPLAY_INLINE : layout.display;
    if (node->layout == SNAPSHOT_NONE) {
        node->layout = tree->layout_count;
    }
    /* Rows of one node are adjacent; a row that is not would belong to another node. */
    node->layout_count += node->layout + node->layout_count == tree->layout_count;
    tree->layouts = array_reserve(tree->layouts, (size_t)tree->layout_count, &tree->layout_capacity,
                                  sizeof(*tree->layouts));
    tree->layouts[tree->layout_count++] = layout;
    return true;
}

static bool add_line(struct decoder *decoder, const struct columns *columns, size_t i,
                     int first_layout)
{
    struct snapshot_tree *tree = decoder->tree;
    int index = columns->line_layout.items[i];
    int begin = 0;
    if (index < 0 || index >= tree->layout_count - first_layout ||
        list_length(&columns->line_bounds.ends, i, &begin) != BOX) {
        return decoder_mismatch(decoder, "a line without a layout or a box");
    }
    struct snapshot_layout *layout = &tree->layouts[first_layout + index];
    const float *box = columns->line_bounds.values.items + begin;
    if (layout->line_count == 0) {
        layout->line = tree->line_count;
    }
    layout->line_count += layout->line + layout->line_count == tree->line_count;
    tree->lines = array_reserve(tree->lines, (size_t)tree->line_count, &tree->line_capacity,
                                sizeof(*tree->lines));
    tree->lines[tree->line_count++] = (struct snapshot_line){
        .x = box[0],
        .y = box[1],
        .width = box[2],
        .height = box[3],
        .start = scan_int_at(&columns->line_start, i, 0),
        .length = scan_int_at(&columns->line_length, i, 0),
    };
    return true;
}

static bool add_nodes(struct decoder *decoder, const struct columns *columns, int first)
{
    size_t count = columns->parent.count;
    if (count == 0 || columns->type.count != count || columns->name.count != count ||
        columns->text.count != count || columns->backend_id.count != count) {
        return decoder_mismatch(decoder, "columns of different lengths");
    }
    for (size_t i = 0; i < count; i++) {
        if (!add_node(decoder, columns, i, first)) {
            return false;
        }
    }
    add_sparse(decoder, &columns->shadow, first, apply_shadow);
    add_sparse(decoder, &columns->text_value, first, apply_value);
    add_sparse(decoder, &columns->input_value, first, apply_value);
    add_sparse(decoder, &columns->checked, first, apply_checked);
    add_sparse(decoder, &columns->selected, first, apply_selected);
    add_sparse(decoder, &columns->pseudo, first, apply_pseudo);
    add_sparse(decoder, &columns->clickable, first, apply_clickable);
    add_sparse(decoder, &columns->picture, first, apply_picture);
    link_children(decoder->tree, columns, first);
    return true;
}

static bool add_layouts(struct decoder *decoder, const struct columns *columns, int first)
{
    int first_layout = decoder->tree->layout_count;
    for (size_t i = 0; i < columns->layout_node.count; i++) {
        if (!add_layout(decoder, columns, i, first)) {
            return false;
        }
    }
    for (size_t i = 0; i < columns->line_layout.count; i++) {
        if (!add_line(decoder, columns, i, first_layout)) {
            return false;
        }
    }
    return true;
}

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

/* Adds a document with its nodes, layouts and lines. */
static bool decoder_add_document(struct decoder *decoder, const struct columns *columns)
{
    struct snapshot_tree *tree = decoder->tree;
    int first = tree->node_count;
    if (!add_nodes(decoder, columns, first) || !add_layouts(decoder, columns, first)) {
        return false;
    }
    tree->documents = array_reserve(tree->documents, (size_t)tree->document_count,
                                    &tree->document_capacity, sizeof(*tree->documents));
    tree->documents[tree->document_count++] = (struct snapshot_document){
        .frame_id = text_or_empty(string_at(decoder, columns->frame_id)),
        .url = text_or_empty(string_at(decoder, columns->url)),
        .base_url = text_or_empty(string_at(decoder, columns->base_url)),
        .title = text_or_empty(string_at(decoder, columns->title)),
        .language = text_or_empty(string_at(decoder, columns->language)),
        .root = first,
        .owner = SNAPSHOT_NONE,
        .part = tree->part_count,
        .scroll_x = columns->scroll_x,
        .scroll_y = columns->scroll_y,
        .content_width = columns->content_width,
        .content_height = columns->content_height,
    };
    return true;
}

/* Finds where the two members begin in the reply. */
static bool find_members(struct scan scan, char **ret_documents, char **ret_strings)
{
    int state = 0;
    *ret_documents = NULL;
    *ret_strings = NULL;
    for (const char *key; (key = scan_member(&scan, &state));) {
        if (strcmp(key, "documents") == 0) {
            *ret_documents = scan.at;
        } else if (strcmp(key, "strings") == 0) {
            *ret_strings = scan.at;
        }
        scan_skip(&scan);
    }
    return !scan.is_broken && *ret_documents && *ret_strings;
}

static void read_strings(struct decoder *decoder)
{
    int state = 0;
    while (scan_item(&decoder->scan, &state)) {
        decoder->strings = array_reserve(decoder->strings, decoder->string_count,
                                         &decoder->string_capacity, sizeof(*decoder->strings));
        decoder->strings[decoder->string_count++] = scan_string(&decoder->scan);
    }
}

/* A frame of the same process: its position comes with the enclosing document. */
struct hanging {
    int document, owner; /* index in the reply; node of the tree */
};

struct hangings {
    struct hanging *items;
    size_t count, capacity;
};

static void note_frames(struct decoder *decoder, const struct columns *columns, int first,
                        struct hangings *hangings)
{
    const struct sparse *sparse = &columns->content_document;
    for (size_t i = 0; i < sparse->index.count; i++) {
        const struct snapshot_node *owner = decoder_node(decoder, sparse, i, first);
        if (owner) {
            hangings->items = array_reserve(hangings->items, hangings->count, &hangings->capacity,
                                            sizeof(*hangings->items));
            hangings->items[hangings->count++] = (struct hanging){
                .document = scan_int_at(&sparse->value, i, -1),
                .owner = (int)(owner - decoder->tree->nodes),
            };
        }
    }
}

static void hang_frames(struct decoder *decoder, int first_document,
                        const struct hangings *hangings)
{
    struct snapshot_tree *tree = decoder->tree;
    for (size_t i = 0; i < hangings->count; i++) {
        int document = hangings->items[i].document;
        if (document <= 0 || document >= tree->document_count - first_document ||
            !snapshot_tree_hang_document(tree, first_document + document,
                                         hangings->items[i].owner)) {
            decoder_mismatch(decoder, "a frame without a document of its own");
        }
    }
}

static bool is_too_large(const struct snapshot_tree *tree)
{
    return tree->node_count > SNAPSHOT_MAX_NODES || tree->document_count > SNAPSHOT_MAX_DOCUMENTS ||
           tree->attribute_bytes > (size_t)SNAPSHOT_MAX_ATTRIBUTES << 20;
}

static bool read_documents(struct decoder *decoder)
{
    struct snapshot_tree *tree = decoder->tree;
    struct hangings hangings = { 0 };
    int first_document = tree->document_count;
    int state = 0;
    while (!decoder->broken && !is_too_large(tree) && scan_item(&decoder->scan, &state)) {
        struct columns columns;
        int first = tree->node_count;
        columns_read(&columns, &decoder->scan);
        if (!decoder->scan.is_broken && decoder_add_document(decoder, &columns)) {
            note_frames(decoder, &columns, first, &hangings);
        }
        columns_finish(&columns);
    }
    if (!decoder->scan.is_broken && !decoder->broken && !is_too_large(tree)) {
        hang_frames(decoder, first_document, &hangings);
    }
    free(hangings.items);
    return !decoder->scan.is_broken && !decoder->broken && tree->document_count > first_document;
}

/* Removes all nodes of a part that could not be read. */
static void undo(struct snapshot_tree *tree, const struct snapshot_tree *before)
{
    tree->node_count = before->node_count;
    tree->layout_count = before->layout_count;
    tree->line_count = before->line_count;
    tree->attribute_count = before->attribute_count;
    tree->attribute_bytes = before->attribute_bytes;
    tree->document_count = before->document_count;
}

static bool refuse_size(struct br_error *err)
{
    error_set(err, BR_LIMIT_EXCEEDED,
              "the page has more than %d nodes, %d frames or %d MB of attributes",
              SNAPSHOT_MAX_NODES, SNAPSHOT_MAX_DOCUMENTS, SNAPSHOT_MAX_ATTRIBUTES);
    return error_hint(err, "let the page show less of it at once, or take a screenshot");
}

static bool decode(struct decoder *decoder, struct br_error *err)
{
    char *documents = NULL;
    char *strings = NULL;
    if (find_members(decoder->scan, &documents, &strings)) {
        decoder->scan.at = strings;
        read_strings(decoder);
        decoder->scan.at = decoder->scan.is_broken ? decoder->scan.end : documents;
        if (read_documents(decoder)) {
            return !is_too_large(decoder->tree) || refuse_size(err);
        }
    }
    return error_set(err, BR_UNKNOWN_ERROR,
                     "the reply to DOMSnapshot.captureSnapshot makes no page: %s",
                     decoder->broken ? decoder->broken : "it is no such JSON");
}

bool snapshot_tree_add(struct snapshot_tree *tree, char *text, size_t length, int *ret_part,
                       struct br_error *err)
{
    struct snapshot_tree before = *tree;
    struct decoder decoder = {
        .tree = tree,
        .scan = { .at = text, .end = text + length },
    };
    bool is_decoded = decode(&decoder, err);
    free(decoder.strings);
    if (!is_decoded) {
        undo(tree, &before);
        free(text);
        return false;
    }
    tree->parts = array_reserve(tree->parts, (size_t)tree->part_count, &tree->part_capacity,
                                sizeof(*tree->parts));
    tree->parts[tree->part_count] = (struct snapshot_part){
        .text = text,
        .first_node = before.node_count,
        .end_node = tree->node_count,
        .first_document = before.document_count,
        .end_document = tree->document_count,
    };
    *ret_part = tree->part_count++;
    return true;
}
