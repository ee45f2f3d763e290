#include "runner/snapshot/outline/builder.h"

#include <string.h>

/* Limit for counting an item's content: with more it is a part of the page, not a control. */
enum { MAX_COUNTED = 64 };

static bool is_large(const struct outline_builder *builder, int item)
{
    const struct snapshot_placement *placement =
        &builder->outline->visibility->placements[builder->outline->items[item].node];
    return placement->box.width >= SNAPSHOT_MIN_PICTURE &&
           placement->box.height >= SNAPSHOT_MIN_PICTURE;
}

/* The kept content of an item, counted only as far as needed. */
struct content {
    int elements, operables;
};

static struct content content_of(const struct outline_builder *builder, int item)
{
    struct content content = { 0 };
    int last = builder->drafts[item].last;
    for (int i = item + 1; i <= last && i - item <= MAX_COUNTED; i++) {
        if (builder->drafts[i].fate == FATE_KEEP && !outline_is_text(builder->outline, i)) {
            content.elements++;
            content.operables += builder->outline->items[i].is_operable;
        }
    }
    return content;
}

/*
 * Returns whether it is not declared as a control and only contains other things: a listener around
 * several controls belongs to these, and a test id or class on a container does not make it a
 * control.
 */
static bool is_only_wrapper(const struct outline_builder *builder, int item)
{
    const struct node_semantics *semantics = outline_semantics(builder->outline, item);
    const struct snapshot_layout *layout =
        snapshot_layout(builder->outline->tree, builder->outline->items[item].node);
    if (semantics->category != CATEGORY_INTERACTIVE || semantics->is_focusable ||
        semantics->is_editable || (layout && layout->has_pointer)) {
        return false;
    }
    struct content content = content_of(builder, item);
    return content.operables > 1 ||
           (!outline_node(builder->outline, item)->is_clickable && content.elements > 0);
}

/*
 * Returns whether another widget replaces this list or field: it is invisible and not in the tab
 * order.
 */
static bool is_replaced(const struct outline_builder *builder, int item)
{
    const struct snapshot_node *node = outline_node(builder->outline, item);
    const struct snapshot_tree *tree = builder->outline->tree;
    int index = builder->outline->items[item].node;
    const char *tab_index = snapshot_attribute(tree, index, "tabindex");
    const struct snapshot_layout *layout = snapshot_layout(tree, index);
    bool is_field =
        node->tag == TAG_SELECT || node->tag == TAG_TEXTAREA ||
        (node->tag == TAG_INPUT && outline_semantics(builder->outline, item)->role == ROLE_TEXTBOX);
    if (!is_field || !layout || !tab_index || tab_index[0] != '-') {
        return false;
    }
    const char *aria_hidden = snapshot_attribute(tree, index, "aria-hidden");
    return layout->width <= 1 || layout->height <= 1 || layout->is_transparent ||
           (builder->outline->visibility->placements[index].is_occluded && aria_hidden &&
            strcmp(aria_hidden, "true") == 0);
}

/* Returns whether it is an invisible element that catches the focus at the end of a widget. */
static bool is_focus_guard(const struct outline_builder *builder, int item)
{
    const struct node_semantics *semantics = outline_semantics(builder->outline, item);
    const struct snapshot_layout *layout =
        snapshot_layout(builder->outline->tree, builder->outline->items[item].node);
    return semantics->category == CATEGORY_INTERACTIVE && !semantics->name && !semantics->test_id &&
           !semantics->is_editable && layout && (layout->width < 1 || layout->height < 1);
}

/* Returns whether it is a container without meaning of its own. */
static bool is_unsaid(const struct node_semantics *semantics)
{
    switch (semantics->role) {
    case ROLE_FIGURE:
    case ROLE_GROUP:
        return !semantics->name && !semantics->is_disabled;
    case ROLE_SVG_ROOT:
        return !semantics->name && semantics->category != CATEGORY_SEMANTIC;
    default:
        return false;
    }
}

static bool has_kept_child(const struct outline_builder *builder, int item)
{
    int last = builder->drafts[item].last;
    for (int i = item + 1; i <= last; i = builder->drafts[i].last + 1) {
        /* A dissolved item has content, otherwise it would have been dropped. */
        if (builder->drafts[i].fate != FATE_DROP) {
            return true;
        }
    }
    return false;
}

/* Returns the only kept child of an item; NONE if there is none or several. */
static int only_child(const struct outline_builder *builder, int item)
{
    int only = SNAPSHOT_NONE;
    int last = builder->drafts[item].last;
    for (int i = item + 1; i <= last; i = builder->drafts[i].last + 1) {
        if (builder->drafts[i].fate != FATE_DROP && only != SNAPSHOT_NONE) {
            return SNAPSHOT_NONE;
        }
        only = builder->drafts[i].fate == FATE_DROP ? only : i;
    }
    return only;
}

/*
 * Returns whether it occupies the same place as its only control: a click on one is a click on
 * both.
 */
static bool is_hull(const struct outline_builder *builder, int item)
{
    const struct node_semantics *semantics = outline_semantics(builder->outline, item);
    const struct snapshot_placement *placements = builder->outline->visibility->placements;
    int child = only_child(builder, item);
    if (semantics->name || semantics->is_focusable || semantics->is_editable ||
        child == SNAPSHOT_NONE || builder->drafts[child].fate != FATE_KEEP ||
        !builder->outline->items[child].is_operable) {
        return false;
    }
    const struct snapshot_box *own = &placements[builder->outline->items[item].node].box;
    const struct snapshot_box *inner = &placements[builder->outline->items[child].node].box;
    return inner->width * inner->height >= own->width * own->height / 2;
}

void outline_settle_pointer(struct outline_builder *builder, int item)
{
    const struct node_semantics *semantics = outline_semantics(builder->outline, item);
    struct outline_item *shown = &builder->outline->items[item];
    if (shown->is_operable && semantics->category == CATEGORY_SEMANTIC &&
        !semantics->is_focusable && !snapshot_role_is(semantics->role, IS_OPERABLE) &&
        !outline_node(builder->outline, item)->is_clickable) {
        shown->is_operable = content_of(builder, item).operables == 0;
    }
}

/* Returns whether it means nothing without content; a cell's position counts, though. */
static bool is_container(enum snapshot_role role)
{
    return !snapshot_role_is(role, IS_CELL) &&
           (snapshot_role_is(role, IS_PART) || !snapshot_role_is(role, IS_OPERABLE));
}

enum outline_fate outline_fate_of(const struct outline_builder *builder, int item)
{
    const struct outline_item *shown = &builder->outline->items[item];
    const struct node_semantics *semantics = outline_semantics(builder->outline, item);
    if (shown->is_left_out || snapshot_tag_is_frame(outline_node(builder->outline, item)->tag)) {
        return FATE_KEEP;
    }
    bool is_empty = !has_kept_child(builder, item);
    if (is_replaced(builder, item) || (is_empty && is_focus_guard(builder, item))) {
        return FATE_DROP;
    }
    if (shown->is_scrollable && !is_empty) {
        return FATE_KEEP;
    }
    if (semantics->category == CATEGORY_INTERACTIVE) {
        return is_only_wrapper(builder, item) || is_hull(builder, item) ? FATE_DISSOLVE : FATE_KEEP;
    }
    if (is_empty && !semantics->name && !semantics->value && !shown->is_operable) {
        bool is_worth_a_line =
            (snapshot_role_is(semantics->role, IS_PICTURE) || semantics->role == ROLE_VIDEO) &&
            is_large(builder, item);
        return is_container(semantics->role) && !is_worth_a_line ? FATE_DROP : FATE_KEEP;
    }
    return is_unsaid(semantics) && !is_empty && !shown->is_operable ? FATE_DISSOLVE : FATE_KEEP;
}
