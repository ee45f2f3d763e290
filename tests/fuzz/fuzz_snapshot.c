/*
 * Whatever a browser may say that a page is: replies to DOMSnapshot.captureSnapshot, a NUL between
 * two processes. What is taken for a page keeps what the tree's header promises.
 */
#include "runner/base/memory.h"
#include "runner/snapshot/tree.h"

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

/* Reads each of its bytes, and so the one behind its end if there is none. */
static void check_string(const char *text)
{
    require(!text || strlen(text) < SIZE_MAX, "a string ends");
}

/* Whether `count` items from `first` on are within `all`; where there are none, anywhere. */
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

/* Parents before their children, each once; all are reached by both ways to walk. */
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

/* Adds the next reply; false at the end of them. */
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
        /* By small numbers, which the nodes of the seeds have. */
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
        check_documents(tree);
        check_order(tree);
    }
    snapshot_tree_destroy(tree);
    return 0;
}
