#include "runner/snapshot/snapshot.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/dom.h"
#include "runner/page/element/skipped.h"
#include "runner/page/world/describe.h"
#include "runner/snapshot/dom/decode.h"
#include "runner/snapshot/dom/node_index.h"
#include "runner/snapshot/dom/style.h"
#include "runner/snapshot/semantics/semantics.h"

#include <string.h>

enum {
    MAX_ASKED = 200,  /* custom elements whose role only Chrome knows */
    MAX_CLOSED = 200, /* elements in closed shadow roots that may skip their content */
    MAX_LEVELS = 5,   /* of nested closed shadow roots, which are found one level after the other */
};

static void mark_node(struct snapshot_tree *tree, int node, const char *kind)
{
    static const struct {
        const char *kind;
        enum snapshot_mark mark;
    } marks[] = {
        { "focused", SNAPSHOT_FOCUSED },
        { "mixed", SNAPSHOT_MIXED },
        { "invalid", SNAPSHOT_INVALID },
    };
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (strcmp(kind, marks[i].kind) == 0) {
            snapshot_tree_mark(tree, node, marks[i].mark);
        }
    }
}

/* Applies the marks of a part of the DOM to the tree's part. */
static void mark_part(struct snapshot_tree *tree, const struct page_dom *dom, int part,
                      int part_of_tree)
{
    struct node_index index = { 0 };
    for (size_t i = 0; i < dom->mark_count; i++) {
        if (dom->marks[i].part != part) {
            continue;
        }
        if (!index.nodes) {
            node_index_init(&index, tree, part_of_tree);
        }
        int node = node_index_find(&index, dom->marks[i].node_id);
        if (node != SNAPSHOT_NONE) {
            mark_node(tree, node, dom->marks[i].kind);
        }
    }
    node_index_finish(&index);
}

/* *parts maps the DOM's parts to the tree's; NONE: it did not arrive. */
static bool decode(struct snapshot_tree *tree, struct page_dom *dom, int *parts,
                   struct br_error *err)
{
    for (int i = 0; i < dom->part_count; i++) {
        struct page_dom_part *part = &dom->parts[i];
        parts[i] = SNAPSHOT_NONE;
        if (part->text &&
            !snapshot_tree_add(tree, TAKE(part->text), part->length, &parts[i], err)) {
            return false;
        }
    }
    for (int i = 0; i < dom->part_count; i++) {
        if (parts[i] != SNAPSHOT_NONE) {
            mark_part(tree, dom, i, parts[i]);
        }
    }
    for (int i = 1; i < dom->part_count; i++) {
        int owner = dom->parts[i].owner_part;
        if (parts[i] != SNAPSHOT_NONE && owner >= 0 && parts[owner] != SNAPSHOT_NONE) {
            snapshot_tree_hang(tree, parts[i], parts[owner], dom->parts[i].owner_id);
        }
    }
    return snapshot_tree_finish(tree, err);
}

static void number_documents(struct page *page, struct snapshot_tree *tree,
                             struct snapshot_ids *ids)
{
    for (int i = 0; i < tree->document_count; i++) {
        struct snapshot_document *document = &tree->documents[i];
        const char *loader_id = page_frame_loader(page, document->frame_id);
        document->number =
            snapshot_ids_document(ids, document->frame_id, loader_id ? loader_id : "");
    }
}

/*
 * Lists operable custom elements without a declared role. The first request makes Chrome build its
 * whole accessibility tree, so elements that are only wrappers are not listed.
 */
static size_t list_unknown(const struct snapshot *snapshot, int part, int64_t *node_ids)
{
    const struct snapshot_tree *tree = snapshot->tree;
    size_t count = 0;
    for (int i = 0; i < tree->order_count && count < MAX_ASKED; i++) {
        int node = tree->order[i];
        const struct snapshot_node *of = &tree->nodes[node];
        if (of->tag == TAG_CUSTOM && tree->documents[of->document].part == part &&
            snapshot->semantics->nodes[node].category == CATEGORY_INTERACTIVE &&
            !snapshot_attribute(tree, node, "role")) {
            node_ids[count++] = of->backend_id;
        }
    }
    return count;
}

static bool ask_chrome(struct page *page, const struct page_dom *dom, const int *parts,
                       enum snapshot_ax ax, struct snapshot *snapshot, struct br_error *err)
{
    for (int i = 0; i < dom->part_count && ax != SNAPSHOT_AX_NONE; i++) {
        int64_t node_ids[MAX_ASKED];
        json_auto_t *nodes = NULL;
        if (parts[i] == SNAPSHOT_NONE) {
            continue;
        }
        size_t count = ax == SNAPSHOT_AX_FULL ? 0 : list_unknown(snapshot, parts[i], node_ids);
        if (ax != SNAPSHOT_AX_FULL && count == 0) {
            continue;
        }
        if (!(ax == SNAPSHOT_AX_FULL ? page_get_accessibility(page, &dom->parts[i], &nodes, err)
                                     : page_get_accessibility_of(page, &dom->parts[i], node_ids,
                                                                 count, &nodes, err))) {
            return false;
        }
        snapshot_semantics_apply(snapshot->semantics, snapshot->tree, parts[i], nodes,
                                 ax == SNAPSHOT_AX_FULL);
    }
    return true;
}

static bool understand(struct page *page, struct page_dom *dom, const int *parts,
                       enum snapshot_ax ax, struct snapshot_ids *ids, struct snapshot *snapshot,
                       struct br_error *err)
{
    number_documents(page, snapshot->tree, ids);
    snapshot->semantics = snapshot_semantics_create(snapshot->tree);
    if (!ask_chrome(page, dom, parts, ax, snapshot, err)) {
        return false;
    }
    snapshot->visibility = snapshot_visibility_create(snapshot->tree, snapshot->semantics);
    return true;
}

/* Returns whether elements may skip their content; `closed` gets those in closed roots. */
static bool list_skipping(const struct snapshot_tree *tree, struct skipped_node *closed,
                          size_t *ret_closed)
{
    bool is_skipping = false;
    *ret_closed = 0;
    for (int i = 0; i < tree->order_count; i++) {
        const struct snapshot_node *node = &tree->nodes[tree->order[i]];
        const struct snapshot_layout *layout = snapshot_layout(tree, tree->order[i]);
        if (!layout || !layout->may_skip_content || node->kind != SNAPSHOT_ELEMENT) {
            continue;
        }
        is_skipping = true;
        if (node->shadow == SNAPSHOT_CLOSED && *ret_closed < MAX_CLOSED) {
            closed[(*ret_closed)++] = (struct skipped_node){
                .frame_id = tree->documents[node->document].frame_id,
                .backend_id = node->backend_id,
            };
        }
    }
    return is_skipping;
}

/* Gets the page as one tree; *parts as in decode(), the caller frees it. */
static bool get_tree(struct page *page, void (*on_sent)(struct page *page),
                     struct snapshot_tree *tree, struct page_dom *dom, int **parts,
                     struct br_error *err)
{
    const struct page_dom_request request = { snapshot_styles, snapshot_frame_styles, on_sent };
    if (!page_get_dom(page, &request, dom, err)) {
        return false;
    }
    *parts = xcalloc((size_t)dom->part_count + 1, sizeof(**parts));
    return decode(tree, dom, *parts, err);
}

static bool take(struct page *page, enum snapshot_ax ax, struct snapshot_ids *ids,
                 void (*on_sent)(struct page *page), struct snapshot *ret_snapshot,
                 struct br_error *err)
{
    struct page_dom dom;
    struct skipped_node closed[MAX_CLOSED];
    size_t closed_count = 0;
    double width = 0;
    double height = 0;
    CLEANUP_FREE int *parts = NULL;
    wire_viewport(page, &width, &height);
    *ret_snapshot = (struct snapshot){ .tree = snapshot_tree_create(width, height) };
    bool is_taken = get_tree(page, on_sent, ret_snapshot->tree, &dom, &parts, err);
    /* For skipped content, Chrome's reply has no layout or an outdated one. */
    size_t known_count = 0;
    for (int i = 0; i < MAX_LEVELS && is_taken; i++) {
        bool is_skipping = list_skipping(ret_snapshot->tree, closed, &closed_count);
        bool is_more = is_skipping && (i == 0 || closed_count > known_count);
        if (!is_more || !skipped_lay_out(page, closed, closed_count)) {
            break;
        }
        known_count = closed_count;
        page_dom_finish(&dom);
        free(TAKE(parts));
        snapshot_tree_destroy(ret_snapshot->tree);
        ret_snapshot->tree = snapshot_tree_create(width, height);
        is_taken = get_tree(page, on_sent, ret_snapshot->tree, &dom, &parts, err);
    }
    const char *url = navigation_answered_url(page);
    if (is_taken && url && ret_snapshot->tree->document_count) {
        ret_snapshot->url = xstrdup(url);
        ret_snapshot->tree->documents[0].url = ret_snapshot->url;
    }
    is_taken = is_taken && understand(page, &dom, parts, ax, ids, ret_snapshot, err);
    page_dom_finish(&dom);
    return is_taken;
}

bool snapshot_take(struct page *page, enum snapshot_ax ax, struct snapshot_ids *ids,
                   struct snapshot *ret_snapshot, struct br_error *err)
{
    return take(page, ax, ids, NULL, ret_snapshot, err);
}

bool snapshot_take_last(struct page *page, enum snapshot_ax ax, struct snapshot_ids *ids,
                        struct snapshot *ret_snapshot, struct br_error *err)
{
    bool is_taken = take(page, ax, ids, page_ask_description, ret_snapshot, err);
    if (!is_taken || navigation_is_under_way(page)) {
        page_forget_description(page);
    }
    return is_taken;
}

void snapshot_finish(struct snapshot *snapshot)
{
    snapshot_visibility_destroy(snapshot->visibility);
    snapshot_semantics_destroy(snapshot->semantics);
    snapshot_tree_destroy(snapshot->tree);
    free(snapshot->url);
}

int snapshot_find(const struct snapshot *snapshot, const struct snapshot_identity *identity)
{
    const struct snapshot_tree *tree = snapshot->tree;
    for (int i = 0; i < tree->document_count; i++) {
        const struct snapshot_document *document = &tree->documents[i];
        int node = strcmp(document->frame_id, identity->frame_id) == 0
                       ? snapshot_tree_find(tree, document->part, identity->backend_id)
                       : SNAPSHOT_NONE;
        if (node != SNAPSHOT_NONE) {
            return node;
        }
    }
    return SNAPSHOT_NONE;
}
