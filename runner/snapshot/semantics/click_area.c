#include "runner/snapshot/semantics/click_area.h"

/* Nodes of an inline element that are searched for its first line. */
enum { MAX_INNER_NODES = 64 };

/* Returns whether it is a box of its own, although it may be part of a line. */
static bool is_replaced(enum snapshot_tag tag)
{
    return tag == TAG_IMG || tag == TAG_SVG || tag == TAG_CANVAS || tag == TAG_VIDEO ||
           tag == TAG_IFRAME || tag == TAG_OBJECT || tag == TAG_EMBED || tag == TAG_AUDIO;
}

bool is_line_content(const struct snapshot_tree *tree, int node)
{
    const struct snapshot_node *self = &tree->nodes[node];
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    return layout && self->kind == SNAPSHOT_ELEMENT && layout->display == DISPLAY_INLINE &&
           self->first_child != SNAPSHOT_NONE && !is_replaced(self->tag) && !self->is_svg;
}

/* Finds the visible part of the first visible line of a text. */
static bool first_line(const struct snapshot_tree *tree, const struct clip_map *map, int node,
                       struct edges *ret_edges)
{
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    for (int i = 0; i < layout->line_count; i++) {
        const struct snapshot_line *line = &tree->lines[layout->line + i];
        struct snapshot_box box =
            box_in_view(tree, node, line->x, line->y, line->width, line->height);
        *ret_edges = box_shown(map, node, &box);
        if (ret_edges->right - ret_edges->left >= 1 && ret_edges->bottom - ret_edges->top >= 1) {
            return true;
        }
    }
    return false;
}

struct edges click_area(const struct snapshot_tree *tree, const struct clip_map *map,
                        const struct snapshot_placement *placements, int target)
{
    struct edges edges = box_shown(map, target, &placements[target].box);
    if (!is_line_content(tree, target)) {
        return edges;
    }
    int inner = snapshot_next(tree, target, target);
    for (int i = 0; i < MAX_INNER_NODES && inner != SNAPSHOT_NONE; i++) {
        struct edges line;
        const struct snapshot_node *self = &tree->nodes[inner];
        if (placements[inner].place == PLACE_IN_VIEW && snapshot_layout(tree, inner)) {
            if (self->kind == SNAPSHOT_TEXT && first_line(tree, map, inner, &line)) {
                return line;
            }
            if (self->kind == SNAPSHOT_ELEMENT && !is_line_content(tree, inner)) {
                return box_shown(map, inner, &placements[inner].box);
            }
        }
        inner = snapshot_next(tree, inner, target);
    }
    return edges;
}
