#include "snapshot_builder.h"

#include "runner/base/memory.h"

#include <string.h>

static int add_node(struct snapshot_tree *tree, struct snapshot_node node)
{
    int index = tree->node_count++;
    node.first_child = node.last_child = node.next = node.layout = SNAPSHOT_NONE;
    node.attribute = tree->attribute_count;
    node.backend_id = index + 1;
    tree->nodes =
        array_reserve(tree->nodes, (size_t)index, &tree->node_capacity, sizeof(*tree->nodes));
    tree->nodes[index] = node;
    if (node.parent == SNAPSHOT_NONE) {
        return index;
    }
    struct snapshot_node *parent = &tree->nodes[node.parent];
    if (parent->last_child == SNAPSHOT_NONE) {
        parent->first_child = index;
    } else {
        tree->nodes[parent->last_child].next = index;
    }
    parent->last_child = index;
    return index;
}

int build_document(struct snapshot_tree *tree, int owner)
{
    int document = tree->document_count++;
    int root = add_node(tree, (struct snapshot_node){ .kind = SNAPSHOT_DOCUMENT,
                                                      .parent = owner,
                                                      .document = document,
                                                      .name = "#document" });
    tree->documents = array_reserve(tree->documents, (size_t)document, &tree->document_capacity,
                                    sizeof(*tree->documents));
    tree->documents[document] = (struct snapshot_document){ .frame_id = "F",
                                                            .url = "http://page/",
                                                            .base_url = "http://page/",
                                                            .root = root,
                                                            .owner = owner };
    return root;
}

int build_element(struct snapshot_tree *tree, int parent, const char *tag)
{
    enum snapshot_tag known = snapshot_tag(tag);
    return add_node(tree, (struct snapshot_node){ .kind = SNAPSHOT_ELEMENT,
                                                  .tag = known,
                                                  .parent = parent,
                                                  .document = tree->nodes[parent].document,
                                                  .name = tag });
}

void build_attribute(struct snapshot_tree *tree, const char *name, const char *value)
{
    tree->attributes = array_reserve(tree->attributes, (size_t)tree->attribute_count,
                                     &tree->attribute_capacity, sizeof(*tree->attributes));
    tree->attributes[tree->attribute_count++] =
        (struct snapshot_attribute){ .name = name, .value = value };
    tree->nodes[tree->node_count - 1].attribute_count++;
}

int build_text(struct snapshot_tree *tree, int parent, const char *text)
{
    return add_node(tree, (struct snapshot_node){ .kind = SNAPSHOT_TEXT,
                                                  .parent = parent,
                                                  .document = tree->nodes[parent].document,
                                                  .text = text });
}

struct snapshot_layout *build_box(struct snapshot_tree *tree, int node, float x, float y,
                                  float width, float height)
{
    bool is_text = tree->nodes[node].kind == SNAPSHOT_TEXT;
    tree->layouts = array_reserve(tree->layouts, (size_t)tree->layout_count, &tree->layout_capacity,
                                  sizeof(*tree->layouts));
    struct snapshot_layout *layout = &tree->layouts[tree->layout_count];
    *layout = (struct snapshot_layout){
        .node = node,
        .x = x,
        .y = y,
        .width = width,
        .height = height,
        .text = is_text ? tree->nodes[node].text : NULL,
        .display = is_text ? DISPLAY_INLINE : DISPLAY_BLOCK,
        .line = tree->line_count,
    };
    tree->nodes[node].layout = tree->layout_count++;
    tree->nodes[node].layout_count = 1;
    return layout;
}

void build_line(struct snapshot_tree *tree, float x, float y, float width, float height)
{
    tree->lines = array_reserve(tree->lines, (size_t)tree->line_count, &tree->line_capacity,
                                sizeof(*tree->lines));
    tree->lines[tree->line_count++] =
        (struct snapshot_line){ .x = x, .y = y, .width = width, .height = height };
    tree->layouts[tree->layout_count - 1].line_count++;
}

static bool is_inline(enum snapshot_tag tag)
{
    static const enum snapshot_tag tags[] = {
        TAG_A,   TAG_B,     TAG_BUTTON, TAG_CODE,   TAG_DEL,      TAG_EM,   TAG_I,
        TAG_IMG, TAG_INPUT, TAG_LABEL,  TAG_SELECT, TAG_TEXTAREA, TAG_SPAN, TAG_STRONG,
    };
    for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
        if (tags[i] == tag) {
            return true;
        }
    }
    return false;
}

/* Returns the text up to one of the letters, and moves behind it. */
static const char *take(struct arena *arena, const char **at, const char *ends)
{
    size_t length = strcspn(*at, ends);
    const char *text = arena_copy(arena, *at, length);
    *at += length;
    return text;
}

/* `at` is after the `<`, and after the `>` on return. Returns the element, or -1 for "<tag/>". */
static int open_element(struct snapshot_tree *tree, struct arena *arena, int parent,
                        const char **at)
{
    int node = build_element(tree, parent, take(arena, at, " />"));
    while (**at == ' ') {
        ++*at;
        const char *name = take(arena, at, "=");
        *at += 2;
        build_attribute(tree, name, take(arena, at, "\""));
        ++*at;
    }
    struct snapshot_layout *layout = build_box(tree, node, 0, 0, 100, 20);
    layout->display = is_inline(tree->nodes[node].tag) ? DISPLAY_INLINE : DISPLAY_BLOCK;
    bool is_empty = **at == '/';
    *at += is_empty ? 2 : 1;
    return is_empty ? SNAPSHOT_NONE : node;
}

void build_markup(struct snapshot_tree *tree, struct arena *arena, int parent, const char *markup)
{
    int node = parent;
    while (*markup) {
        if (strncmp(markup, "</", 2) == 0) {
            markup = strchr(markup, '>') + 1;
            node = tree->nodes[node].parent;
        } else if (*markup == '<') {
            markup++;
            int element = open_element(tree, arena, node, &markup);
            node = element == SNAPSHOT_NONE ? node : element;
        } else {
            build_box(tree, build_text(tree, node, take(arena, &markup, "<")), 0, 0, 100, 20);
        }
    }
}
