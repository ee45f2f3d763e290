#include "runner/snapshot/labels.h"

#include "runner/base/memory.h"
#include "runner/page/core/box.h"
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/store.h"

#include <math.h>

enum {
    LEAST_SHOWN = 8,   /* CSS pixels of a clipped side: a smaller rest cannot be recognised */
    SMALL_EDGE = 48,   /* CSS pixels: a label over a smaller icon would hide it */
    LEADING_PART = 10, /* fraction of a line's height at top and bottom that has no glyphs */
};

struct picking {
    struct snapshot_labels *labels;
    const struct outline *outline;
    size_t capacity, content_capacity;
};

static void add_content(struct picking *picking, const struct snapshot_box *box)
{
    struct snapshot_labels *labels = picking->labels;
    labels->content = array_reserve(labels->content, labels->content_count,
                                    &picking->content_capacity, sizeof(*labels->content));
    labels->content[labels->content_count++] = *box;
}

static void add_lines(struct picking *picking, int node)
{
    const struct outline *outline = picking->outline;
    const struct snapshot_layout *layout = snapshot_layout(outline->tree, node);
    for (int i = 0; i < layout->line_count; i++) {
        struct snapshot_box line;
        if (snapshot_visibility_line_shown(outline->visibility, outline->tree, node, i, &line)) {
            line.y += line.height / LEADING_PART;
            line.height -= 2 * line.height / LEADING_PART;
            add_content(picking, &line);
        }
    }
}

static bool is_picture(const struct snapshot_node *node)
{
    return node->tag == TAG_IMG || node->tag == TAG_CANVAS || node->tag == TAG_SVG;
}

static void find_content(struct picking *picking)
{
    const struct outline *outline = picking->outline;
    const struct snapshot_tree *tree = outline->tree;
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        const struct snapshot_layout *layout = snapshot_layout(tree, node);
        struct snapshot_box box;
        if (!layout || layout->is_invisible ||
            outline->visibility->placements[node].place != PLACE_IN_VIEW) {
            continue;
        }
        if (layout->line_count > 0) {
            add_lines(picking, node);
        } else if (is_picture(&tree->nodes[node]) && layout->width <= SMALL_EDGE &&
                   layout->height <= SMALL_EDGE &&
                   snapshot_visibility_shown(outline->visibility, node,
                                             &outline->visibility->placements[node].box, &box)) {
            add_content(picking, &box);
        }
    }
}

/*
 * A link that continues in the next line has a box around both lines, which contains other text:
 * uses the visible part of its first line.
 */
static void narrow_to_line(const struct outline *outline, int node, struct snapshot_box *box)
{
    const struct snapshot_tree *tree = outline->tree;
    struct snapshot_box first = { 0 };
    float area = 0;
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    if (!layout || layout->display != DISPLAY_INLINE) {
        return;
    }
    for (int inner = node; inner != SNAPSHOT_NONE; inner = snapshot_next(tree, inner, node)) {
        layout = snapshot_layout(tree, inner);
        for (int i = 0; layout && i < layout->line_count; i++) {
            struct snapshot_box line;
            if (snapshot_visibility_line_shown(outline->visibility, tree, inner, i, &line)) {
                first = area > 0 ? first : line;
                area += line.width * line.height;
            }
        }
    }
    if (area > 0 && area < box->width * box->height / 2) {
        *box = first;
    }
}

static bool is_long_enough(float shown, float length)
{
    return shown >= fminf(length, LEAST_SHOWN);
}

/*
 * Returns whether it is laid out but not drawn. A transparent field usually lies over a drawing of
 * it and receives its clicks. A frame's content does not inherit invisibility.
 */
static bool is_undrawn(const struct snapshot_tree *tree, int node)
{
    enum snapshot_tag tag = tree->nodes[node].tag;
    bool is_field = tag == TAG_INPUT || tag == TAG_SELECT;
    for (int i = is_field ? tree->nodes[node].parent : node; i != SNAPSHOT_NONE;
         i = tree->nodes[i].parent) {
        const struct snapshot_layout *layout = snapshot_layout(tree, i);
        bool is_frame = snapshot_tag_is_frame(tree->nodes[i].tag);
        if (layout && (layout->is_transparent || (is_frame && layout->is_invisible))) {
            return true;
        }
    }
    return false;
}

/* Returns whether a person can operate it at the place where the picture shows it. */
static bool has_label(const struct outline *outline, int item, struct snapshot_box *ret_box)
{
    int node = outline->items[item].node;
    const struct node_semantics *semantics = outline_semantics(outline, item);
    const struct snapshot_placement *placement = &outline->visibility->placements[node];
    const struct snapshot_layout *layout = snapshot_layout(outline->tree, node);
    bool is_seen = outline->items[item].id && outline->items[item].is_operable &&
                   placement->place == PLACE_IN_VIEW && !placement->is_occluded &&
                   !semantics->is_hidden && !semantics->is_inert &&
                   !(layout && layout->is_invisible);
    if (!is_seen || is_undrawn(outline->tree, node) ||
        !snapshot_visibility_shown(outline->visibility, node, &placement->box, ret_box) ||
        !is_long_enough(ret_box->width, placement->box.width) ||
        !is_long_enough(ret_box->height, placement->box.height)) {
        return false;
    }
    narrow_to_line(outline, node, ret_box);
    return true;
}

static void find_labels(struct picking *picking)
{
    struct snapshot_labels *labels = picking->labels;
    for (int i = 0; i < picking->outline->count; i++) {
        struct snapshot_box box;
        if (!has_label(picking->outline, i, &box)) {
            continue;
        }
        labels->labels = array_reserve(labels->labels, labels->count, &picking->capacity,
                                       sizeof(*labels->labels));
        labels->labels[labels->count++] = (struct snapshot_label){ .item = i, .box = box };
    }
}

/* Returns the visibility through the box, if that is not the viewport. */
static const struct snapshot_visibility *look_through(struct snapshot_labels *labels,
                                                      const struct page_box *box)
{
    const struct snapshot *snapshot = &labels->snapshot;
    if (!box) {
        return snapshot->visibility;
    }
    const struct snapshot_box view = {
        .x = (float)(box->x - labels->scroll_x),
        .y = (float)(box->y - labels->scroll_y),
        .width = (float)box->width,
        .height = (float)box->height,
    };
    labels->visibility =
        snapshot_visibility_create_within(snapshot->tree, snapshot->semantics, &view);
    return labels->visibility;
}

bool snapshot_labels_take(struct page *page, struct snapshot_store *store,
                          const struct page_box *box, bool shows_left_out,
                          struct snapshot_labels *ret_labels, struct br_error *err)
{
    struct snapshot_labels *labels = ret_labels;
    struct snapshot *snapshot = &labels->snapshot;
    struct snapshot_ids *ids = snapshot_store_ids(store);
    *labels = (struct snapshot_labels){ 0 };
    if (!snapshot_take(page, snapshot_store_ax(store), ids, snapshot, err)) {
        return false;
    }
    if (snapshot->tree->document_count > 0) {
        labels->scroll_x = snapshot->tree->documents[0].scroll_x;
        labels->scroll_y = snapshot->tree->documents[0].scroll_y;
    }
    const struct outline_options options = {
        .root = SNAPSHOT_NONE,
        .is_interactive = true,
        .is_in_viewport = true,
        .keeps_left_out = shows_left_out,
    };
    labels->outline = outline_create(snapshot->tree, snapshot->semantics, look_through(labels, box),
                                     &options, ids);
    struct picking picking = { .labels = labels, .outline = labels->outline };
    find_labels(&picking);
    find_content(&picking);
    return true;
}

void snapshot_labels_finish(struct snapshot_labels *labels)
{
    free(labels->content);
    free(labels->labels);
    outline_destroy(labels->outline);
    snapshot_visibility_destroy(labels->visibility);
    snapshot_finish(&labels->snapshot);
    *labels = (struct snapshot_labels){ 0 };
}
