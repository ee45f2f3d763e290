#include "runner/base/arena.h"
#include "runner/base/unicode.h"
#include "runner/snapshot/dom/style.h"
#include "runner/snapshot/outline/builder.h"

#include <assert.h>
#include <string.h>

enum {
    AT_TOP = -1,   /* an owner: there is no enclosing item */
    NOT_SHOWN = -2 /* an owner: nothing below is shown */
};

struct walk {
    struct outline_builder *builder;
    struct outline *outline;
    const struct snapshot_tree *tree;
    const struct node_semantics *semantics;
    const struct snapshot_owned *owned;
    bool *is_inside;    /* for each node: inside the root by its parents; NULL: the root is the
                           page */
    int *owners;        /* for each node: the item that its children belong to */
    int *blocks;        /* for each node: the innermost block around its children */
    int *serials;       /* for each block: number of blocks begun in it; each ends the current
                           line */
    bool *scrolls;      /* for each node: it has more content than is visible at once */
    bool *scrolls_down; /* the same in the vertical direction */
    bool *is_pre;       /* for each node: white space and line ends are preserved */
    struct strbuf run;  /* the text being joined */
    int run_item;       /* its item; NONE: no text is being joined */
    bool is_refused;    /* the root is in omitted content */
};

static void end_run(struct walk *walk)
{
    if (walk->run_item == SNAPSHOT_NONE) {
        return;
    }
    struct strbuf *run = &walk->run;
    size_t length = run->length;
    while (length > 0 && (run->data[length - 1] == ' ' || run->data[length - 1] == '\n')) {
        length--;
    }
    walk->outline->items[walk->run_item].text = arena_copy(walk->outline->arena, run->data, length);
    walk->run_item = SNAPSHOT_NONE;
    strbuf_clear(run);
}

static int add_item(struct walk *walk, int node, int owner)
{
    end_run(walk);
    struct outline *outline = walk->outline;
    struct outline_builder *builder = walk->builder;
    outline->items = array_reserve(outline->items, (size_t)outline->count, &outline->capacity,
                                   sizeof(*outline->items));
    builder->drafts = array_reserve(builder->drafts, (size_t)outline->count,
                                    &builder->draft_capacity, sizeof(*builder->drafts));
    int block = walk->blocks[node];
    outline->items[outline->count] = (struct outline_item){
        .node = node,
        .parent = owner,
        .first_child = SNAPSHOT_NONE,
        .next = SNAPSHOT_NONE,
        .last_child = SNAPSHOT_NONE,
        .is_scrollable = walk->scrolls[node],
        .scrolls_down = walk->scrolls_down[node],
    };
    builder->drafts[outline->count] = (struct outline_draft){
        .block = block,
        .begin = walk->serials[block],
        .end = walk->serials[block],
        .last = outline->count,
    };
    return outline->count++;
}

/* Adds a separator between words. */
static void add_space(struct walk *walk)
{
    struct strbuf *run = &walk->run;
    if (walk->run_item != SNAPSHOT_NONE && run->length > 0 && run->data[run->length - 1] != ' ' &&
        run->data[run->length - 1] != '\n') {
        strbuf_add(run, " ", 1);
    }
}

/* Collapses white space to one blank, except in preformatted text. */
static void add_characters(struct walk *walk, const char *text, bool is_pre)
{
    struct strbuf *run = &walk->run;
    const char *end = text + strlen(text);
    while (text < end) {
        size_t plain = unicode_plain_length(text, end);
        strbuf_add(run, text, plain);
        text += plain;
        uint32_t character = text < end ? unicode_decode(&text) : 0;
        if (character == 0 || unicode_is_invisible(character)) {
            continue;
        }
        if (!unicode_is_space(character)) {
            unicode_encode(run, character);
        } else if (is_pre && run->length > 0) {
            strbuf_add(run, character == '\n' ? "\n" : " ", 1);
        } else {
            add_space(walk);
        }
    }
}

static void add_row(struct walk *walk, const struct snapshot_layout *row, bool is_pre)
{
    CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
    if (row->transform == TRANSFORM_NONE) {
        add_characters(walk, row->text, is_pre);
        return;
    }
    const struct strbuf *run = &walk->run;
    bool begins_word = run->length == 0 || run->data[run->length - 1] == ' ';
    snapshot_transform(&shown, row->text, strlen(row->text), row->transform, begins_word);
    add_characters(walk, shown.data, is_pre);
}

/* A run continues within the same block and item, as long as nothing begins in between. */
static bool continues_run(const struct walk *walk, int node, int owner)
{
    if (walk->run_item == SNAPSHOT_NONE || walk->outline->items[walk->run_item].parent != owner) {
        return false;
    }
    return walk->builder->drafts[walk->run_item].block == walk->blocks[node];
}

/* A text is in view if any part of it is. */
static void show_run(struct walk *walk, int node)
{
    const struct snapshot_placement *placements = walk->outline->visibility->placements;
    int *shown = &walk->outline->items[walk->run_item].node;
    if (placements[*shown].place != PLACE_IN_VIEW && placements[node].place == PLACE_IN_VIEW) {
        *shown = node;
    }
}

static void visit_text(struct walk *walk, int node, int owner)
{
    const struct snapshot_node *of = &walk->tree->nodes[node];
    if (walk->semantics[node].is_hidden || of->layout == SNAPSHOT_NONE) {
        return;
    }
    const struct snapshot_layout *rows = &walk->tree->layouts[of->layout];
    for (int i = 0; i < of->layout_count; i++) {
        bool is_shown = rows[i].text && !rows[i].is_invisible &&
                        (of->kind != SNAPSHOT_PSEUDO || unicode_has_word(rows[i].text) ||
                         unicode_has_pictograph(rows[i].text));
        if (!is_shown) {
            continue;
        }
        bool is_visible = unicode_has_visible(rows[i].text);
        if (!continues_run(walk, node, owner)) {
            if (!is_visible) {
                continue;
            }
            walk->run_item = add_item(walk, node, owner);
        }
        show_run(walk, node);
        walk->builder->drafts[walk->run_item].end = walk->serials[walk->blocks[node]];
        if (is_visible || walk->is_pre[node]) {
            add_row(walk, &rows[i], walk->is_pre[node]);
        } else {
            add_space(walk);
        }
    }
}

/* Sets the block of a node's children; a new block ends the enclosing line. */
static void enter_block(struct walk *walk, int node, int around)
{
    const struct snapshot_node *of = &walk->tree->nodes[node];
    const struct snapshot_layout *layout = snapshot_layout(walk->tree, node);
    bool is_block = of->kind == SNAPSHOT_DOCUMENT || of->parent == SNAPSHOT_NONE ||
                    (layout && of->kind == SNAPSHOT_ELEMENT && !of->is_svg &&
                     (layout->display == DISPLAY_BLOCK || layout->display == DISPLAY_TABLE_CELL));
    walk->blocks[node] = is_block ? node : around;
    if (is_block) {
        end_run(walk);
        walk->serials[around]++;
    } else if (of->tag == TAG_BR) {
        add_space(walk);
        walk->serials[around]++;
    } else if (layout && (of->is_svg || layout->display != DISPLAY_INLINE)) {
        add_space(walk);
    }
}

/* Returns whether it is an invisible control that is operated through its label or picture. */
static bool is_unseen_control(const struct walk *walk, int node)
{
    const struct snapshot_node *of = &walk->tree->nodes[node];
    const struct snapshot_layout *layout = snapshot_layout(walk->tree, node);
    const struct node_semantics *semantics = &walk->semantics[node];
    /* An editor that draws its text elsewhere has its caret in an empty box. */
    bool is_editor = semantics->role == ROLE_TEXTBOX && semantics->is_focusable;
    return (of->tag == TAG_INPUT || is_editor) && layout && !layout->is_invisible &&
           !semantics->is_ignored && snapshot_role_is(semantics->role, IS_OPERABLE);
}

/* The choices of a closed list have no boxes; they are shown with the control. */
static bool is_choice(const struct walk *walk, int node, int owner)
{
    enum snapshot_tag tag = walk->tree->nodes[node].tag;
    if (owner < 0 || (tag != TAG_OPTION && tag != TAG_OPTGROUP)) {
        return false;
    }
    enum snapshot_tag around = walk->tree->nodes[walk->outline->items[owner].node].tag;
    return around == TAG_SELECT || around == TAG_OPTGROUP;
}

/* Returns whether it is an HTML control; that stays true whatever its role is. */
static bool is_native_control(const struct walk *walk, int node)
{
    switch (walk->tree->nodes[node].tag) {
    case TAG_A:
    case TAG_AUDIO:
    case TAG_BUTTON:
    case TAG_INPUT:
    case TAG_SELECT:
    case TAG_SUMMARY:
    case TAG_TEXTAREA:
    case TAG_VIDEO:
        return walk->semantics[node].is_focusable;
    default:
        return false;
    }
}

static bool is_item(const struct walk *walk, int node, int owner)
{
    const struct node_semantics *semantics = &walk->semantics[node];
    if (walk->builder->options->is_all) {
        return true;
    }
    if (is_choice(walk, node, owner)) {
        return true;
    }
    if (semantics->is_hidden && !is_unseen_control(walk, node)) {
        return false;
    }
    return walk->scrolls[node] || semantics->category == CATEGORY_INTERACTIVE ||
           is_native_control(walk, node) ||
           (semantics->category == CATEGORY_SEMANTIC &&
            !snapshot_role_is(semantics->role, IS_LAYOUT)) ||
           snapshot_tag_is_frame(walk->tree->nodes[node].tag);
}

static bool begins_pointer(const struct walk *walk, int node)
{
    const struct snapshot_layout *layout = snapshot_layout(walk->tree, node);
    int parent = walk->tree->nodes[node].parent;
    const struct snapshot_layout *around =
        parent == SNAPSHOT_NONE ? NULL : snapshot_layout(walk->tree, parent);
    return layout && layout->has_pointer && !(around && around->has_pointer);
}

static bool is_operable(const struct walk *walk, int node)
{
    const struct snapshot_node *of = &walk->tree->nodes[node];
    const struct node_semantics *semantics = &walk->semantics[node];
    if (of->tag == TAG_OPTION) {
        return of->layout != SNAPSHOT_NONE; /* otherwise it is chosen through the closed list */
    }
    if (snapshot_role_is(semantics->role, IS_OPERABLE) ||
        semantics->category == CATEGORY_INTERACTIVE || is_native_control(walk, node)) {
        return true;
    }
    return snapshot_role_is(semantics->role, MAY_REACT) &&
           (of->is_clickable || snapshot_attribute(walk->tree, node, "onclick") ||
            begins_pointer(walk, node));
}

static void visit_element(struct walk *walk, int node, int owner)
{
    const struct snapshot_node *of = &walk->tree->nodes[node];
    walk->owners[node] = owner;
    if ((walk->semantics[node].is_left_out && !walk->builder->options->keeps_left_out) ||
        walk->is_refused) {
        int item = add_item(walk, node, owner);
        walk->outline->items[item].is_left_out = true;
        walk->outline->left_out++;
        walk->owners[node] = NOT_SHOWN;
        return;
    }
    if (of->tag == TAG_HEAD) {
        walk->owners[node] = NOT_SHOWN;
        return;
    }
    if (is_item(walk, node, owner)) {
        int item = add_item(walk, node, owner);
        walk->outline->items[item].is_operable = is_operable(walk, node);
        walk->owners[node] = item;
    }
    /*
     * Text typed into a control may be private: its inner nodes are never shown, nor those of a
     * private editor. Lists and custom elements have parts that can be operated.
     */
    bool is_private_editor =
        walk->semantics[node].is_private && of->tag != TAG_SELECT && of->tag != TAG_CUSTOM;
    bool is_typed_into = of->tag == TAG_INPUT || of->tag == TAG_TEXTAREA || is_private_editor;
    if (is_typed_into || (snapshot_tag_is_leaf(of->tag) && !walk->builder->options->is_all)) {
        walk->owners[node] = NOT_SHOWN;
    }
}

/* The text of the selection is the control's value; a choice's text is its name. */
static bool is_part_of_control(const struct walk *walk, int owner)
{
    enum snapshot_tag tag =
        owner < 0 ? TAG_NONE : walk->tree->nodes[walk->outline->items[owner].node].tag;
    return tag == TAG_SELECT || tag == TAG_OPTGROUP || snapshot_tag_is_leaf(tag);
}

static void visit(struct walk *walk, int node, int owner, int around)
{
    enum snapshot_kind kind = walk->tree->nodes[node].kind;
    int parent = walk->tree->nodes[node].parent;
    walk->owners[node] = owner;
    walk->blocks[node] = around;
    walk->is_pre[node] =
        walk->tree->nodes[node].tag == TAG_PRE || (parent != SNAPSHOT_NONE && walk->is_pre[parent]);
    if (owner == NOT_SHOWN) {
        return;
    }
    if (kind == SNAPSHOT_TEXT || kind == SNAPSHOT_PSEUDO) {
        bool is_marker =
            walk->tree->nodes[node].name && strcmp(walk->tree->nodes[node].name, "::marker") == 0;
        if (!is_marker && !is_part_of_control(walk, owner)) {
            visit_text(walk, node, owner);
        }
        /* The text of a pseudo-element may also be a node. */
        walk->owners[node] = NOT_SHOWN;
        return;
    }
    enter_block(walk, node, around);
    if (kind == SNAPSHOT_ELEMENT) {
        visit_element(walk, node, owner);
    }
}

/* Computes walk.is_inside; the caller frees. */
static bool *find_inside(const struct walk *walk, int root)
{
    const struct snapshot_tree *tree = walk->tree;
    if (root == SNAPSHOT_NONE || !walk->owned->owners) {
        return NULL;
    }
    bool *is_inside = xcalloc((size_t)tree->node_count + 1, sizeof(*is_inside));
    for (int i = 0; i < tree->order_count; i++) {
        int parent = tree->nodes[tree->order[i]].parent;
        is_inside[tree->order[i]] =
            tree->order[i] == root || (parent != SNAPSHOT_NONE && is_inside[parent]);
    }
    return is_inside;
}

/*
 * Returns the node's owner; NONE also if the owner is outside the outline's root: the node then
 * stays at its own place.
 */
static int owner_of(const struct walk *walk, int node)
{
    int owner = walk->owned->owners ? walk->owned->owners[node] : SNAPSHOT_NONE;
    bool is_apart = owner != SNAPSHOT_NONE && walk->is_inside && walk->is_inside[node] &&
                    !walk->is_inside[owner];
    return is_apart ? SNAPSHOT_NONE : owner;
}

/* Returns the node that contains it in the outline: its owner, or its parent. */
static int place_of(const struct walk *walk, int node)
{
    int owner = owner_of(walk, node);
    return owner == SNAPSHOT_NONE ? walk->tree->nodes[node].parent : owner;
}

/*
 * Returns the first of a node and its next siblings that is not owned through aria-owns, or NONE.
 */
static int skip_owned(const struct walk *walk, int node)
{
    while (node != SNAPSHOT_NONE && owner_of(walk, node) != SNAPSHOT_NONE) {
        node = walk->tree->nodes[node].next;
    }
    return node;
}

/* Returns the first of a node and the next ones of the same owner that are shown there; NONE. */
static int skip_apart(const struct walk *walk, int node)
{
    while (node != SNAPSHOT_NONE && owner_of(walk, node) == SNAPSHOT_NONE) {
        node = walk->owned->next[node];
    }
    return node;
}

/* Returns the next node; owned nodes follow the children of their owner. */
static int next_in_place(const struct walk *walk, int node)
{
    const struct snapshot_node *nodes = walk->tree->nodes;
    const struct snapshot_owned *owned = walk->owned;
    int next = skip_owned(walk, nodes[node].first_child);
    next = next == SNAPSHOT_NONE ? skip_apart(walk, owned->first[node]) : next;
    while (next == SNAPSHOT_NONE && node != SNAPSHOT_NONE) {
        int around = place_of(walk, node);
        if (owner_of(walk, node) != SNAPSHOT_NONE) {
            next = skip_apart(walk, owned->next[node]);
        } else {
            next = skip_owned(walk, nodes[node].next);
            next = next == SNAPSHOT_NONE && around != SNAPSHOT_NONE
                       ? skip_apart(walk, owned->first[around])
                       : next;
        }
        node = around;
    }
    return next;
}

/* Returns all nodes in the order of the outline; the caller frees. NULL: the tree's order. */
static int *order_nodes(const struct walk *walk)
{
    const struct snapshot_tree *tree = walk->tree;
    if (!walk->owned->owners || tree->order_count == 0) {
        return NULL;
    }
    int *order = xcalloc((size_t)tree->order_count + 1, sizeof(*order));
    int node = tree->order[0];
    for (int i = 0; i < tree->order_count; i++) {
        assert(node != SNAPSHOT_NONE);
        order[i] = node;
        node = next_in_place(walk, node);
    }
    return order;
}

/* Finds the boxes with scroll bars and hidden content. */
static void find_scrolling(struct walk *walk)
{
    const struct snapshot_tree *tree = walk->tree;
    int *around = walk->owners; /* not yet used otherwise: the scrollable box that contains a
                                   node */
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        const struct snapshot_node *of = &tree->nodes[node];
        const struct snapshot_layout *box = snapshot_layout(tree, node);
        int scroller = of->parent == SNAPSHOT_NONE || of->kind == SNAPSHOT_DOCUMENT
                           ? SNAPSHOT_NONE
                           : around[of->parent];
        bool may_scroll = box && (box->scrolls_x || box->scrolls_y) && of->tag != TAG_HTML &&
                          of->tag != TAG_BODY && !snapshot_tag_is_leaf(of->tag);
        around[node] = may_scroll ? node : scroller;
        if (!box || scroller == SNAPSHOT_NONE || box->is_fixed || box->is_absolute) {
            continue;
        }
        const struct snapshot_layout *edge = &tree->layouts[tree->nodes[scroller].layout];
        bool is_beyond_y = box->y + box->height > edge->y + edge->height + 2 || box->y < edge->y;
        bool is_beyond_x = box->x + box->width > edge->x + edge->width + 2 || box->x < edge->x;
        walk->scrolls_down[scroller] |= edge->scrolls_y && is_beyond_y;
        walk->scrolls[scroller] |=
            (edge->scrolls_y && is_beyond_y) || (edge->scrolls_x && is_beyond_x);
    }
}

void outline_walk(struct outline_builder *builder)
{
    const struct snapshot_tree *tree = builder->outline->tree;
    size_t count = (size_t)tree->node_count + 1;
    CLEANUP_FREE int *owners = xcalloc(count, sizeof(*owners));
    CLEANUP_FREE int *blocks = xcalloc(count, sizeof(*blocks));
    CLEANUP_FREE int *serials = xcalloc(count, sizeof(*serials));
    CLEANUP_FREE bool *scrolls = xcalloc(count, sizeof(*scrolls));
    CLEANUP_FREE bool *scrolls_down = xcalloc(count, sizeof(*scrolls_down));
    CLEANUP_FREE bool *is_pre = xcalloc(count, sizeof(*is_pre));
    struct walk walk = {
        .builder = builder,
        .outline = builder->outline,
        .tree = tree,
        .semantics = builder->outline->semantics->nodes,
        .owned = &builder->outline->semantics->owned,
        .owners = owners,
        .blocks = blocks,
        .serials = serials,
        .scrolls = scrolls,
        .scrolls_down = scrolls_down,
        .is_pre = is_pre,
        .run = STRBUF_INIT(STRBUF_UNCAPPED),
        .run_item = SNAPSHOT_NONE,
    };
    find_scrolling(&walk);
    int root = builder->options->root;
    walk.is_refused = !builder->options->keeps_left_out &&
                      snapshot_is_left_out(builder->outline->semantics, tree, root);
    CLEANUP_FREE bool *is_inside = find_inside(&walk, root);
    walk.is_inside = is_inside;
    CLEANUP_FREE int *order = order_nodes(&walk);
    for (int i = 0; i < tree->order_count; i++) {
        int node = order ? order[i] : tree->order[i];
        int parent = place_of(&walk, node);
        if (owner_of(&walk, node) != SNAPSHOT_NONE) {
            end_run(&walk);
        }
        bool is_root = root == SNAPSHOT_NONE ? parent == SNAPSHOT_NONE : node == root;
        int owner = parent == SNAPSHOT_NONE ? NOT_SHOWN : owners[parent];
        visit(&walk, node, is_root ? AT_TOP : owner, parent == SNAPSHOT_NONE ? 0 : blocks[parent]);
    }
    end_run(&walk);
    strbuf_finish(&walk.run);
}
