#include "runner/snapshot/semantics/visibility.h"

#include "runner/base/memory.h"
#include "runner/snapshot/semantics/clip.h"

#include <math.h>
#include <strings.h>

/* Limit of enclosing clips examined to find where a box is; pages have about ten. */
enum { MAX_CLIPS_AROUND = 64 };

/* The clips for the content of a node. */
struct scope {
    int flow;     /* for its children */
    int absolute; /* for children with position: absolute, which escape boxes that are not
                     positioned */
};

struct placing {
    const struct snapshot_tree *tree;
    struct snapshot_visibility *visibility;
    struct clip_map *map;
    struct edges view;    /* the examined part of the page */
    struct scope *scopes; /* for each node */
    int *fixed;           /* for each document: the clip of fixed content */
};

static int add_clip(struct placing *placing, struct clip clip)
{
    struct clip_map *map = placing->map;
    map->clips = array_reserve(map->clips, (size_t)map->count, &map->capacity, sizeof(struct clip));
    clip.shown = clip.outer == SNAPSHOT_NONE
                     ? clip.own
                     : edges_common(&clip.own, &map->clips[clip.outer].shown);
    map->clips[map->count] = clip;
    return map->count++;
}

/*
 * Returns whether the content that does not fit is at the left, because of vertical lines or CSS,
 * and none is at the right.
 */
static bool extends_to_left(const struct snapshot_tree *tree, int index)
{
    const struct snapshot_document *document = &tree->documents[index];
    bool is_longer = document->scroll_x == 0 && document->content_width > document->width + 1;
    for (int i = 0; is_longer && i < tree->layout_count; i++) {
        const struct snapshot_layout *layout = &tree->layouts[i];
        is_longer = tree->nodes[layout->node].document != index ||
                    (double)layout->x + (double)layout->width <= document->width + 1;
    }
    return is_longer;
}

static bool is_right_to_left(const struct snapshot_tree *tree, int index)
{
    const struct snapshot_document *document = &tree->documents[index];
    for (int node = tree->nodes[document->root].first_child; node != SNAPSHOT_NONE;
         node = tree->nodes[node].next) {
        const char *direction = snapshot_attribute(tree, node, "dir");
        if (direction && strcasecmp(direction, "rtl") == 0) {
            return true;
        }
    }
    return document->scroll_x < 0 || extends_to_left(tree, index);
}

/* Returns whether the document cannot scroll sideways: by its root, or by its body instead. */
static bool is_cut_aside(const struct snapshot_tree *tree, int document)
{
    for (int i = tree->nodes[document].first_child; i != SNAPSHOT_NONE; i = tree->nodes[i].next) {
        const struct snapshot_layout *root = snapshot_layout(tree, i);
        int body = tree->nodes[i].first_child;
        while (body != SNAPSHOT_NONE && tree->nodes[body].tag != TAG_BODY) {
            body = tree->nodes[body].next;
        }
        const struct snapshot_layout *of =
            root && !root->clips_x && body != SNAPSHOT_NONE ? snapshot_layout(tree, body) : root;
        if (of && of->clips_x && !of->scrolls_x) {
            return true;
        }
    }
    return false;
}

/* Adds the viewport of a frame, or of the page. */
static void enter_document(struct placing *placing, int node, int outer)
{
    const struct snapshot_tree *tree = placing->tree;
    int index = tree->nodes[node].document;
    const struct snapshot_document *document = &tree->documents[index];
    bool is_page = outer == SNAPSHOT_NONE;
    const struct edges own = { document->left, document->top, document->left + document->width,
                               document->top + document->height };
    struct clip clip = {
        .outer = outer,
        .own = is_page ? placing->view : own,
        .reach_left =
            is_right_to_left(tree, index) ? -INFINITY : document->left - document->scroll_x,
        .reach_top = document->top - document->scroll_y,
        .scrolls_x = !is_cut_aside(tree, node),
        .scrolls_y = true,
    };
    int scrolling = add_clip(placing, clip);
    clip.scrolls_x = clip.scrolls_y = false;
    placing->fixed[index] = add_clip(placing, clip);
    placing->scopes[node] = (struct scope){ scrolling, scrolling };
    placing->map->of_nodes[node] = scrolling;
}

static int clip_of(const struct placing *placing, int node, const struct snapshot_layout *layout)
{
    const struct snapshot_node *self = &placing->tree->nodes[node];
    const struct scope *around = &placing->scopes[self->parent];
    if (layout && self->kind != SNAPSHOT_TEXT) {
        if (layout->is_fixed || layout->is_in_top_layer) {
            return placing->fixed[self->document];
        }
        if (layout->is_absolute) {
            return around->absolute;
        }
    }
    return around->flow;
}

/* The first clip of root and body applies to the viewport, which clips anyway. */
static bool is_root_clip(const struct snapshot_tree *tree, int node)
{
    const struct snapshot_node *self = &tree->nodes[node];
    if (tree->nodes[self->parent].kind == SNAPSHOT_DOCUMENT) {
        return true;
    }
    const struct snapshot_layout *root = snapshot_layout(tree, self->parent);
    return self->tag == TAG_BODY && root && !root->clips_x && !root->clips_y;
}

/* Returns the clip for the node's content; creates one if it clips. */
static int clip_within(struct placing *placing, int node, const struct snapshot_layout *layout)
{
    int outer = placing->map->of_nodes[node];
    bool is_clip = layout && placing->tree->nodes[node].kind == SNAPSHOT_ELEMENT &&
                   (layout->clips_x || layout->clips_y) && layout->display != DISPLAY_INLINE &&
                   !is_root_clip(placing->tree, node);
    if (!is_clip) {
        return outer;
    }
    struct edges edges = edges_of(&placing->visibility->placements[node].box);
    struct clip clip = {
        .outer = outer,
        .own = { -INFINITY, -INFINITY, INFINITY, INFINITY },
        .reach_left = -INFINITY,
        .reach_top = -INFINITY,
        .scrolls_x = layout->scrolls_x,
        .scrolls_y = layout->scrolls_y,
    };
    if (layout->clips_x) {
        clip.own.left = edges.left;
        clip.own.right = edges.right;
    }
    if (layout->clips_y) {
        clip.own.top = edges.top;
        clip.own.bottom = edges.bottom;
    }
    return add_clip(placing, clip);
}

/* Returns on which side of the clip a box is, and whether scrolling could reveal it. */
static enum snapshot_place side_of(const struct clip *clip, const struct edges *box)
{
    if (box->right <= clip->reach_left || box->bottom <= clip->reach_top) {
        return PLACE_NOWHERE;
    }
    if (box->bottom <= clip->own.top) {
        return clip->scrolls_y ? PLACE_ABOVE : PLACE_NOWHERE;
    }
    if (box->top >= clip->own.bottom) {
        return clip->scrolls_y ? PLACE_BELOW : PLACE_NOWHERE;
    }
    if (box->right <= clip->own.left || box->left >= clip->own.right) {
        return clip->scrolls_x ? PLACE_ASIDE : PLACE_NOWHERE;
    }
    return PLACE_IN_VIEW;
}

static enum snapshot_place place_of(const struct clip_map *map, int clip, struct edges box)
{
    struct edges shown = edges_common(&box, &map->clips[clip].shown);
    if (!edges_are_empty(&shown)) {
        return PLACE_IN_VIEW;
    }
    for (int i = 0; i < MAX_CLIPS_AROUND && clip != SNAPSHOT_NONE; i++) {
        enum snapshot_place side = side_of(&map->clips[clip], &box);
        if (side != PLACE_IN_VIEW) {
            return side;
        }
        box = edges_common(&box, &map->clips[clip].own);
        clip = map->clips[clip].outer;
    }
    return PLACE_NOWHERE;
}

/* Returns the place of a box that is permanently invisible. */
static enum snapshot_place place_unseen(const struct placing *placing, const struct edges *box)
{
    const struct edges *view = &placing->view;
    bool is_beyond = box->right <= view->left || box->left >= view->right ||
                     box->bottom <= view->top || box->top >= view->bottom;
    return is_beyond ? PLACE_OUTSIDE : PLACE_NOWHERE;
}

static void place_node(struct placing *placing, int node)
{
    const struct snapshot_tree *tree = placing->tree;
    const struct snapshot_node *self = &tree->nodes[node];
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    struct snapshot_placement *placement = &placing->visibility->placements[node];
    if (self->kind == SNAPSHOT_DOCUMENT || self->parent == SNAPSHOT_NONE) {
        int outer =
            self->parent == SNAPSHOT_NONE ? SNAPSHOT_NONE : placing->scopes[self->parent].flow;
        enter_document(placing, node, outer);
    } else {
        placing->map->of_nodes[node] = clip_of(placing, node, layout);
    }
    int clip = placing->map->of_nodes[node];
    if (layout) {
        placement->box =
            box_in_view(tree, node, layout->x, layout->y, layout->width, layout->height);
        struct edges edges = edges_of(&placement->box);
        placement->place =
            edges_are_empty(&edges) ? PLACE_NOWHERE : place_of(placing->map, clip, edges);
        if (placement->place == PLACE_NOWHERE && !edges_are_empty(&edges)) {
            placement->place = place_unseen(placing, &edges);
        }
    }
    if (self->kind == SNAPSHOT_DOCUMENT || self->parent == SNAPSHOT_NONE) {
        return;
    }
    int flow = clip_within(placing, node, layout);
    /* A fixed element, or one in the top layer, is also a containing block. */
    bool holds_absolute = layout && (layout->is_positioned || layout->is_in_top_layer);
    int absolute = holds_absolute ? flow : placing->scopes[self->parent].absolute;
    placing->scopes[node] = (struct scope){ flow, absolute };
}

/*
 * An element without a box of its own gets that of its children: display: contents, slots, empty
 * boxes.
 */
static void inherit_child_box(const struct snapshot_tree *tree,
                              struct snapshot_placement *placements, int node)
{
    int parent = tree->nodes[node].parent;
    const struct snapshot_placement *child = &placements[node];
    if (parent == SNAPSHOT_NONE || tree->nodes[parent].kind != SNAPSHOT_ELEMENT ||
        child->place == PLACE_NOWHERE) {
        return;
    }
    struct snapshot_placement *placement = &placements[parent];
    const struct snapshot_layout *layout = snapshot_layout(tree, parent);
    if (layout && layout->width > 0 && layout->height > 0) {
        return;
    }
    bool is_better = child->place == PLACE_IN_VIEW && placement->place != PLACE_IN_VIEW;
    if (placement->place == PLACE_NOWHERE || is_better) {
        placement->place = child->place;
        placement->box = child->box;
    } else if (placement->place == child->place) {
        struct edges a = edges_of(&placement->box);
        struct edges b = edges_of(&child->box);
        double left = fmin(a.left, b.left);
        double top = fmin(a.top, b.top);
        placement->box =
            (struct snapshot_box){ (float)left, (float)top, (float)(fmax(a.right, b.right) - left),
                                   (float)(fmax(a.bottom, b.bottom) - top) };
    }
}

struct snapshot_visibility *snapshot_visibility_create_within(
    const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
    const struct snapshot_box *view)
{
    size_t count = tree->node_count > 0 ? (size_t)tree->node_count : 1;
    struct snapshot_visibility *visibility = xcalloc(1, sizeof(*visibility));
    visibility->placements = xcalloc(count, sizeof(struct snapshot_placement));
    visibility->map = xcalloc(1, sizeof(*visibility->map));
    visibility->map->of_nodes = xmalloc(count * sizeof(int));
    CLEANUP_FREE struct scope *scopes = xcalloc(count, sizeof(struct scope));
    CLEANUP_FREE int *fixed = xcalloc((size_t)tree->document_count + 1, sizeof(int));
    struct placing placing = {
        .tree = tree,
        .visibility = visibility,
        .map = visibility->map,
        .view = edges_of(view),
        .scopes = scopes,
        .fixed = fixed,
    };
    for (int i = 0; i < tree->node_count; i++) {
        visibility->placements[i].occluder = SNAPSHOT_NONE;
        visibility->map->of_nodes[i] = SNAPSHOT_NONE;
    }
    for (int i = 0; i < tree->order_count; i++) {
        place_node(&placing, tree->order[i]);
    }
    for (int i = tree->order_count - 1; i >= 0; i--) {
        inherit_child_box(tree, visibility->placements, tree->order[i]);
    }
    occlusion_find(tree, semantics, visibility->map, &placing.view, visibility->placements);
    return visibility;
}

struct snapshot_visibility *snapshot_visibility_create(const struct snapshot_tree *tree,
                                                       const struct snapshot_semantics *semantics)
{
    const struct snapshot_box view = { 0, 0, (float)tree->width, (float)tree->height };
    return snapshot_visibility_create_within(tree, semantics, &view);
}

void snapshot_visibility_destroy(struct snapshot_visibility *visibility)
{
    if (visibility) {
        free(visibility->map->clips);
        free(visibility->map->of_nodes);
        free(visibility->map);
        free(visibility->placements);
        free(visibility);
    }
}

bool snapshot_visibility_shown(const struct snapshot_visibility *visibility, int node,
                               const struct snapshot_box *box, struct snapshot_box *ret_shown)
{
    if (visibility->map->of_nodes[node] == SNAPSHOT_NONE) {
        return false;
    }
    struct edges edges = box_shown(visibility->map, node, box);
    *ret_shown = (struct snapshot_box){ (float)edges.left, (float)edges.top,
                                        (float)(edges.right - edges.left),
                                        (float)(edges.bottom - edges.top) };
    return !edges_are_empty(&edges);
}

bool snapshot_visibility_line_shown(const struct snapshot_visibility *visibility,
                                    const struct snapshot_tree *tree, int node, int line,
                                    struct snapshot_box *ret_shown)
{
    const struct snapshot_line *of = &tree->lines[snapshot_layout(tree, node)->line + line];
    struct snapshot_box box = box_in_view(tree, node, of->x, of->y, of->width, of->height);
    return snapshot_visibility_shown(visibility, node, &box, ret_shown);
}
