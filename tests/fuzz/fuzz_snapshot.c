/*
 * Reads any bytes as replies of a browser to DOMSnapshot.captureSnapshot, separated by NULs: one
 * for each process of the page. An accepted page must keep the promises of the headers in each of
 * its forms.
 */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/snapshot/dom/decode.h"
#include "runner/snapshot/dom/ids.h"
#include "runner/snapshot/markdown/markdown.h"
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/outline/print.h"
#include "runner/snapshot/semantics/semantics.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool is_true, const char *what)
{
    if (!is_true) {
        fprintf(stderr, "broken: %s\n", what);
        abort();
    }
}

/* Reads all bytes of the string, so that the sanitizer detects a missing end. */
static void check_string(const char *text)
{
    require(!text || strlen(text) < SIZE_MAX, "a string ends");
}

/*
 * Whether `count` items beginning at `first` are within `all`. `first` is ignored if there are
 * none.
 */
static bool is_range(int first, int count, int all)
{
    return count == 0 || (count > 0 && first >= 0 && first < all && count <= all - first);
}

static bool is_node(const struct snapshot_tree *tree, int node)
{
    return node >= 0 && node < tree->node_count;
}

static void check_attributes(const struct snapshot_tree *tree, const struct snapshot_node *node)
{
    require(is_range(node->attribute, node->attribute_count, tree->attribute_count),
            "attributes are there");
    for (int i = 0; i < node->attribute_count; i++) {
        const struct snapshot_attribute *attribute = &tree->attributes[node->attribute + i];
        require(attribute->name && attribute->value, "an attribute has a name and a value");
        check_string(attribute->name);
        check_string(attribute->value);
    }
}

static void check_layouts(const struct snapshot_tree *tree, int index)
{
    const struct snapshot_node *node = &tree->nodes[index];
    require((node->layout == SNAPSHOT_NONE) == (node->layout_count == 0), "no rows, no count");
    require(is_range(node->layout, node->layout_count, tree->layout_count), "rows are there");
    for (int i = 0; i < node->layout_count; i++) {
        const struct snapshot_layout *layout = &tree->layouts[node->layout + i];
        require(layout->node == index, "a row is of its node");
        require(is_range(layout->line, layout->line_count, tree->line_count), "lines are there");
        check_string(layout->text);
        check_string(layout->content);
    }
}

static void check_node(const struct snapshot_tree *tree, int index)
{
    const struct snapshot_node *node = &tree->nodes[index];
    const char *const strings[] = { node->name, node->text, node->value, node->picture };
    for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
        check_string(strings[i]);
    }
    require(node->document >= 0 && node->document < tree->document_count, "a document is there");
    require((node->tag != TAG_NONE) == (node->kind == SNAPSHOT_ELEMENT), "elements have tags");
    check_attributes(tree, node);
    check_layouts(tree, index);
}

/*
 * Each node must occur once, after its parent. snapshot_next() must visit the same nodes in the
 * same order.
 */
static void check_order(const struct snapshot_tree *tree)
{
    bool *is_seen = xcalloc((size_t)tree->node_count + 1, sizeof(*is_seen));
    int walked = tree->documents[0].root;
    for (int i = 0; i < tree->order_count; i++) {
        int index = tree->order[i];
        require(is_node(tree, index) && !is_seen[index], "a node is in the order once");
        require(walked == index, "snapshot_next() has the same order");
        int parent = tree->nodes[index].parent;
        require(i == 0 ? parent == SNAPSHOT_NONE : is_node(tree, parent) && is_seen[parent],
                "a parent is before its children");
        is_seen[index] = true;
        check_node(tree, index);
        walked = snapshot_next(tree, index, tree->documents[0].root);
    }
    require(walked == SNAPSHOT_NONE, "nothing hangs together but what is in the order");
    free(is_seen);
}

static void check_documents(const struct snapshot_tree *tree)
{
    for (int i = 0; i < tree->document_count; i++) {
        const struct snapshot_document *document = &tree->documents[i];
        require(is_node(tree, document->root), "a document has a root");
        require(document->owner == SNAPSHOT_NONE || is_node(tree, document->owner),
                "the owner is there");
        require(document->part >= 0 && document->part < tree->part_count, "the part is there");
        require(document->frame_id && document->url && document->base_url && document->title &&
                    document->language,
                "a document's strings are there");
        check_string(document->frame_id);
        check_string(document->url);
        check_string(document->base_url);
        check_string(document->title);
        check_string(document->language);
    }
}

static void check_semantics(const struct snapshot_tree *tree,
                            const struct snapshot_semantics *semantics)
{
    for (int i = 0; i < tree->node_count; i++) {
        const struct node_semantics *node = &semantics->nodes[i];
        const char *const strings[] = { node->name,    node->description, node->value,
                                        node->url,     node->placeholder, node->test_id,
                                        node->current, node->has_popup };
        for (size_t k = 0; k < sizeof(strings) / sizeof(strings[0]); k++) {
            check_string(strings[k]);
        }
        require(!node->name || node->name[0], "no name, or one that says something");
        require(!(node->is_private && node->value), "what is private has no value");
    }
}

/*
 * Applies an accessibility tree of Chrome to the computed semantics. Its node ids are small
 * numbers.
 */
static void apply_chrome(struct snapshot_semantics *semantics, const struct snapshot_tree *tree,
                         bool is_all)
{
    json_auto_t *nodes = json_loads(
        "[{\"nodeId\":\"1\",\"ignored\":true,\"backendDOMNodeId\":3},{\"backendDOMNodeId\":4,"
        "\"role\":{\"value\":\"button\"},\"name\":{\"value\":\" \"},\"properties\":[{\"name\":"
        "\"checked\",\"value\":{\"value\":\"mixed\"}},{\"name\":\"level\"}]},{\"role\":7},8,"
        "{\"backendDOMNodeId\":99999999999,\"role\":{\"value\":\"wizard\"}}]",
        0, NULL);
    snapshot_semantics_apply(semantics, tree, 0, nodes, is_all);
}

static void check_items(const struct outline *outline, const struct snapshot_ids *ids)
{
    for (int i = 0; i < outline->count; i++) {
        const struct outline_item *item = &outline->items[i];
        struct snapshot_identity identity;
        struct br_error err = { 0 };
        require(is_node(outline->tree, item->node), "an item is a node");
        require(item->parent >= -1 && item->parent < i, "a parent is before its children");
        require(item->first_child == -1 || item->first_child == i + 1, "children follow at once");
        require(item->next == -1 || (item->next > i && item->next < outline->count),
                "the next one is behind");
        require(item->next == -1 || outline->items[item->next].parent == item->parent,
                "the next one has the same parent");
        require(item->id == 0 || snapshot_ids_find(ids, item->id, &identity, &err),
                "an id is that of somebody");
        check_string(item->text);
    }
}

/* Each line must have text besides its indentation. */
static void check_lines(const char *text)
{
    for (const char *line = text; *line;) {
        size_t indent = strspn(line, " ");
        size_t length = strcspn(line, "\n");
        require(length > indent, "a line says something");
        require(line[length] == '\n', "a line is whole");
        line += length + 1;
    }
}

static void check_forms(const struct outline *outline, const struct print_options *options)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf nothing = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf difference = STRBUF_INIT(STRBUF_UNCAPPED);
    int cut = 0;
    print_text(outline, options, &text, &cut);
    require(cut >= 0 && cut <= outline->count, "no more is cut than there is");
    require(strlen(text.data) == text.length, "no NUL in the text");
    check_lines(text.data);
    print_difference(text.data, text.data, &nothing);
    require(nothing.length == 0, "equal texts do not differ");
    print_difference("button \"x\" e1\n  \"y\"\n", text.data, &difference);
    check_string(difference.data);
    json_decref(print_json(outline, options, &cut));
}

static void check_page(const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
                       struct snapshot_ids *ids)
{
    const struct outline_options shown[] = {
        { .root = SNAPSHOT_NONE },
        { .root = SNAPSHOT_NONE, .is_interactive = true, .is_in_viewport = true },
        { .root = SNAPSHOT_NONE, .is_all = true, .has_all_ids = true, .keeps_left_out = true },
        { .root = tree->order[tree->order_count / 2], .depth = 2 },
        { .root = SNAPSHOT_NONE, .find_text = "o" },
        { .root = SNAPSHOT_NONE, .find_role = ROLE_BUTTON },
    };
    const struct print_options options[] = {
        { .has_boxes = true, .has_urls = true },
        { .text_length = 3, .max_tokens = 40 },
        { .max_tokens = 1 },
    };
    struct snapshot_visibility *visibility = snapshot_visibility_create(tree, semantics);
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
        struct outline *outline = outline_create(tree, semantics, visibility, &shown[i], ids);
        check_items(outline, ids);
        for (size_t k = 0; k < sizeof(options) / sizeof(options[0]); k++) {
            check_forms(outline, &options[k]);
        }
        outline_destroy(outline);
        CLEANUP_STRBUF struct strbuf markdown = STRBUF_INIT(STRBUF_UNCAPPED);
        print_markdown(tree, semantics, &shown[i],
                       &(struct markdown_options){ .text_length = (int)i }, &markdown);
        print_plain(tree, semantics, &shown[i], &markdown);
        require(strlen(markdown.data) == markdown.length, "no NUL in the markdown");
    }
    snapshot_visibility_destroy(visibility);
}

static void check_tree(struct snapshot_tree *tree)
{
    struct snapshot_ids *ids = snapshot_ids_create();
    check_documents(tree);
    check_order(tree);
    for (int i = 0; i < tree->document_count; i++) {
        struct snapshot_document *document = &tree->documents[i];
        document->number = snapshot_ids_document(ids, document->frame_id, document->url);
    }
    struct snapshot_semantics *semantics = snapshot_semantics_create(tree);
    check_semantics(tree, semantics);
    check_page(tree, semantics, ids);
    apply_chrome(semantics, tree, tree->node_count % 2);
    check_semantics(tree, semantics);
    snapshot_semantics_destroy(semantics);
    snapshot_ids_destroy(ids);
}

/* Adds the next reply. Returns false at the end of the input. */
static bool add_part(struct snapshot_tree *tree, const uint8_t **bytes, size_t *size)
{
    if (*size == 0) {
        return false;
    }
    const uint8_t *end = memchr(*bytes, '\0', *size);
    size_t length = end ? (size_t)(end - *bytes) : *size;
    char *text = xmalloc(length + 1);
    memcpy(text, *bytes, length);
    text[length] = '\0';
    *bytes += length + (end != NULL);
    *size -= length + (end != NULL);
    struct br_error err = { 0 };
    int part = SNAPSHOT_NONE;
    int nodes = tree->node_count;
    if (!snapshot_tree_add(tree, text, length, &part, &err)) {
        require(err.code != 0 && err.message[0] != '\0', "a refusal says why");
        require(tree->node_count == nodes, "what is refused leaves nothing");
    } else if (part > 0) {
        /* Tries small numbers, because the nodes of the seeds have small ids. */
        for (int64_t owner_id = 1; owner_id < 8; owner_id++) {
            snapshot_tree_hang(tree, part, part - 1, owner_id);
        }
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct br_error err = { 0 };
    struct snapshot_tree *tree = snapshot_tree_create(400, 300);
    while (add_part(tree, &bytes, &size)) {
    }
    if (!snapshot_tree_finish(tree, &err)) {
        require(err.code == BR_LIMIT_EXCEEDED, "only a limit keeps a tree from being finished");
    } else if (tree->document_count > 0) {
        check_tree(tree);
    }
    snapshot_tree_destroy(tree);
    return 0;
}
