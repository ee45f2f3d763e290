#include "snapshot_page.h"

#include "runner/base/memory.h"

#include <string.h>

enum { BOX_WIDTH = 100, BOX_HEIGHT = 20 };

static int add_node(struct page *page, int parent, struct snapshot_node node)
{
    struct snapshot_tree *tree = page->tree;
    tree->nodes = array_reserve(tree->nodes, (size_t)tree->node_count, &tree->node_capacity,
                                sizeof(*tree->nodes));
    page->semantics.meanings =
        array_reserve(page->semantics.meanings, (size_t)tree->node_count, &page->meaning_capacity,
                      sizeof(*page->semantics.meanings));
    page->visibility.sights =
        array_reserve(page->visibility.sights, (size_t)tree->node_count, &page->sight_capacity,
                      sizeof(*page->visibility.sights));
    int added = tree->node_count++;
    node.parent = parent;
    node.first_child = node.last_child = node.next = SNAPSHOT_NONE;
    node.layout = SNAPSHOT_NONE;
    node.backend_id = added + 1;
    tree->nodes[added] = node;
    page->semantics.meanings[added] = (struct snapshot_meaning){ 0 };
    page->visibility.sights[added] = (struct snapshot_sight){
        .place = PLACE_IN_VIEW,
        .cover = SNAPSHOT_NONE,
        .box = { 0, 0, BOX_WIDTH, BOX_HEIGHT },
    };
    if (parent != SNAPSHOT_NONE) {
        struct snapshot_node *above = &tree->nodes[parent];
        int *link = above->last_child == SNAPSHOT_NONE ? &above->first_child
                                                       : &tree->nodes[above->last_child].next;
        *link = above->last_child = added;
    }
    return added;
}

static void add_layout(struct page *page, int node, struct snapshot_layout layout)
{
    struct snapshot_tree *tree = page->tree;
    tree->layouts = array_reserve(tree->layouts, (size_t)tree->layout_count, &tree->layout_capacity,
                                  sizeof(*tree->layouts));
    layout.node = node;
    layout.width = BOX_WIDTH;
    layout.height = BOX_HEIGHT;
    tree->nodes[node].layout = tree->layout_count;
    tree->nodes[node].layout_count = 1;
    tree->layouts[tree->layout_count++] = layout;
}

void page_init(struct page *page)
{
    *page = (struct page){ .tree = snapshot_tree_create(1280, 800), .ids = snapshot_ids_create() };
    struct snapshot_tree *tree = page->tree;
    tree->documents = array_reserve(NULL, 0, &tree->document_capacity, sizeof(*tree->documents));
    tree->documents[tree->document_count++] = (struct snapshot_document){
        .url = "http://shop.example/", .title = "Shop", .root = 0, .owner = SNAPSHOT_NONE
    };
    add_node(page, SNAPSHOT_NONE, (struct snapshot_node){ .kind = SNAPSHOT_DOCUMENT });
    page_add(page, 0, "BODY", ROLE_GENERIC);
}

void page_finish(struct page *page)
{
    snapshot_tree_destroy(page->tree);
    free(page->semantics.meanings);
    free(page->visibility.sights);
    snapshot_ids_destroy(page->ids);
}

int page_add(struct page *page, int parent, const char *name, enum snapshot_role role)
{
    int node = add_node(page, parent,
                        (struct snapshot_node){
                            .kind = SNAPSHOT_ELEMENT, .name = name, .tag = snapshot_tag(name) });
    add_layout(page, node, (struct snapshot_layout){ .display = DISPLAY_BLOCK });
    page->semantics.meanings[node].role = role;
    page->semantics.meanings[node].tier = role == ROLE_GENERIC ? TIER_STRUCTURAL : TIER_SEMANTIC;
    return node;
}

int page_add_named(struct page *page, int parent, const char *name, enum snapshot_role role,
                   const char *accessible_name)
{
    int node = page_add(page, parent, name, role);
    page_meaning(page, node)->name = accessible_name;
    page_meaning(page, node)->name_from = NAME_FROM_ATTRIBUTE;
    return node;
}

int page_add_control(struct page *page, int parent, const char *name, enum snapshot_role role,
                     const char *text)
{
    int node = page_add_named(page, parent, name, role, text);
    page_meaning(page, node)->name_from = NAME_FROM_CONTENT;
    page_layout(page, node)->display = DISPLAY_INLINE;
    page_add_text(page, node, text);
    return node;
}

int page_add_text(struct page *page, int parent, const char *text)
{
    int node = add_node(page, parent, (struct snapshot_node){ .kind = SNAPSHOT_TEXT, .text = text });
    add_layout(page, node, (struct snapshot_layout){ .text = text, .display = DISPLAY_INLINE });
    return node;
}

struct snapshot_meaning *page_meaning(struct page *page, int node)
{
    return &page->semantics.meanings[node];
}

struct snapshot_sight *page_sight(struct page *page, int node)
{
    return &page->visibility.sights[node];
}

struct snapshot_layout *page_layout(struct page *page, int node)
{
    return &page->tree->layouts[page->tree->nodes[node].layout];
}

struct outline *page_outline(struct page *page, const struct outline_options *options)
{
    struct br_error err;
    return snapshot_tree_finish(page->tree, &err)
               ? outline_create(page->tree, &page->semantics, &page->visibility, options, page->ids)
               : NULL;
}
