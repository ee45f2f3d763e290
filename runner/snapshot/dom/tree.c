#include "runner/snapshot/dom/tree.h"

#include "runner/base/memory.h"

#include <string.h>

struct snapshot_tree *snapshot_tree_create(double width, double height)
{
    struct snapshot_tree *tree = xcalloc(1, sizeof(*tree));
    tree->width = width;
    tree->height = height;
    return tree;
}

void snapshot_tree_destroy(struct snapshot_tree *tree)
{
    if (!tree) {
        return;
    }
    for (int i = 0; i < tree->part_count; i++) {
        free(tree->parts[i].text);
    }
    free(tree->parts);
    free(tree->nodes);
    free(tree->order);
    free(tree->layouts);
    free(tree->lines);
    free(tree->attributes);
    free(tree->documents);
    free(tree);
}

int snapshot_tree_find(const struct snapshot_tree *tree, int part, int64_t backend_id)
{
    const struct snapshot_part *in = &tree->parts[part];
    for (int i = in->first_node; i < in->end_node; i++) {
        if (tree->nodes[i].backend_id == backend_id) {
            return i;
        }
    }
    return SNAPSHOT_NONE;
}

/* Returns whether `node` is attached somewhere below `above`. */
static bool is_below(const struct snapshot_tree *tree, int node, int above)
{
    int steps = 0;
    while (node != SNAPSHOT_NONE && node != above && steps++ < tree->node_count) {
        node = tree->nodes[node].parent;
    }
    return node == above;
}

bool snapshot_tree_hang_document(struct snapshot_tree *tree, int document, int owner)
{
    struct snapshot_document *hung = &tree->documents[document];
    if (hung->owner != SNAPSHOT_NONE || is_below(tree, owner, hung->root)) {
        return false;
    }
    hung->owner = owner;
    struct snapshot_node *above = &tree->nodes[owner];
    tree->nodes[hung->root].parent = owner;
    if (above->last_child == SNAPSHOT_NONE) {
        above->first_child = hung->root;
    } else {
        tree->nodes[above->last_child].next = hung->root;
    }
    above->last_child = hung->root;
    return true;
}

bool snapshot_tree_hang(struct snapshot_tree *tree, int part, int owner_part, int64_t owner_id)
{
    int owner = snapshot_tree_find(tree, owner_part, owner_id);
    return owner != SNAPSHOT_NONE && tree->parts[part].first_document < tree->document_count &&
           snapshot_tree_hang_document(tree, tree->parts[part].first_document, owner);
}

void snapshot_tree_mark(struct snapshot_tree *tree, int node, enum snapshot_mark mark)
{
    tree->nodes[node].is_focused |= mark == SNAPSHOT_FOCUSED;
    tree->nodes[node].is_mixed |= mark == SNAPSHOT_MIXED;
    tree->nodes[node].is_invalid |= mark == SNAPSHOT_INVALID;
}

int snapshot_skip(const struct snapshot_tree *tree, int node, int root)
{
    while (node != SNAPSHOT_NONE && node != root) {
        if (tree->nodes[node].next != SNAPSHOT_NONE) {
            return tree->nodes[node].next;
        }
        node = tree->nodes[node].parent;
    }
    return SNAPSHOT_NONE;
}

int snapshot_next(const struct snapshot_tree *tree, int node, int root)
{
    int child = tree->nodes[node].first_child;
    return child != SNAPSHOT_NONE ? child : snapshot_skip(tree, node, root);
}

const char *snapshot_attribute(const struct snapshot_tree *tree, int node, const char *name)
{
    const struct snapshot_node *of = &tree->nodes[node];
    for (int i = 0; i < of->attribute_count; i++) {
        const struct snapshot_attribute *attribute = &tree->attributes[of->attribute + i];
        if (strcmp(attribute->name, name) == 0) {
            return attribute->value;
        }
    }
    return NULL;
}

/*
 * Computes the place of a frame's viewport from that of its enclosing document, which is already
 * known.
 */
static void place_document(struct snapshot_tree *tree, struct snapshot_document *document)
{
    if (document->owner == SNAPSHOT_NONE) {
        document->width = tree->width;
        document->height = tree->height;
        return;
    }
    const struct snapshot_document *around =
        &tree->documents[tree->nodes[document->owner].document];
    const struct snapshot_layout *box = snapshot_layout(tree, document->owner);
    document->left = around->left;
    document->top = around->top;
    if (box) {
        document->left += (double)box->x + (double)box->inset_left - around->scroll_x;
        document->top += (double)box->y + (double)box->inset_top - around->scroll_y;
        document->width = (double)box->width - 2 * (double)box->inset_left;
        document->height = (double)box->height - 2 * (double)box->inset_top;
    }
}

static bool refuse_depth(struct br_error *err)
{
    error_set(err, BR_LIMIT_EXCEEDED, "the page is nested more than %d levels deep",
              SNAPSHOT_MAX_DEPTH);
    return error_hint(err, "read what is needed of it with `evaluate`, or take a screenshot");
}

/* Returns the row of a ::first-letter with its text; NULL: none, or already moved back. */
static struct snapshot_layout *letter_of(const struct snapshot_tree *tree, int node)
{
    const struct snapshot_node *of = &tree->nodes[node];
    if (of->kind != SNAPSHOT_PSEUDO || !of->name || strcmp(of->name, "::first-letter") != 0 ||
        of->layout == SNAPSHOT_NONE) {
        return NULL;
    }
    for (int i = of->layout; i < of->layout + of->layout_count; i++) {
        if (tree->layouts[i].text) {
            return &tree->layouts[i];
        }
    }
    return NULL;
}

/*
 * A ::first-letter is rendered separately from its word and comes first in its block: moves the
 * letter back to the text it was taken from.
 */
static void give_letters_back(struct snapshot_tree *tree)
{
    static const char spaces[] = " \t\n\f\r";
    struct snapshot_layout *letter = NULL;
    for (int i = 0; i < tree->order_count; i++) {
        const struct snapshot_node *node = &tree->nodes[tree->order[i]];
        struct snapshot_layout *next = letter_of(tree, tree->order[i]);
        letter = next ? next : letter;
        if (!letter || node->kind != SNAPSHOT_TEXT || node->layout == SNAPSHOT_NONE ||
            !node->text) {
            continue;
        }
        const char *text = node->text + strspn(node->text, spaces);
        const char *taken = letter->text + strspn(letter->text, spaces);
        if (taken[0] != '\0' && strncmp(text, taken, strlen(taken)) == 0) {
            tree->layouts[node->layout].text = text;
            letter->text = NULL;
        }
        letter = NULL;
    }
}

bool snapshot_tree_finish(struct snapshot_tree *tree, struct br_error *err)
{
    int depth = 0;
    free(tree->order);
    tree->order = xcalloc((size_t)tree->node_count + 1, sizeof(*tree->order));
    tree->order_count = 0;
    int node = tree->document_count ? tree->documents[0].root : SNAPSHOT_NONE;
    while (node != SNAPSHOT_NONE) {
        tree->order[tree->order_count++] = node;
        if (tree->nodes[node].kind == SNAPSHOT_DOCUMENT) {
            place_document(tree, &tree->documents[tree->nodes[node].document]);
        }
        if (tree->nodes[node].first_child != SNAPSHOT_NONE) {
            node = tree->nodes[node].first_child;
            if (++depth > SNAPSHOT_MAX_DEPTH) {
                return refuse_depth(err);
            }
            continue;
        }
        while (node != SNAPSHOT_NONE && tree->nodes[node].next == SNAPSHOT_NONE) {
            node = tree->nodes[node].parent;
            depth--;
        }
        node = node == SNAPSHOT_NONE ? node : tree->nodes[node].next;
    }
    give_letters_back(tree);
    return true;
}
