#include "runner/base/memory.h"
#include "runner/base/unicode.h"
#include "runner/snapshot/outline/builder.h"

#include <string.h>

enum {
    MAX_ENTRY = 20, /* items of an entry that is shown as a whole */
    MAX_LINE = 8,   /* items beside a match that are shown, to either side */
};

static void mark_parent(const struct outline *outline, bool *marks, int item)
{
    int parent = outline->items[item].parent;
    if (parent != SNAPSHOT_NONE && marks[item]) {
        marks[parent] = true;
    }
}

static bool is_inside(const struct outline *outline, const bool *marks, int item)
{
    int parent = outline->items[item].parent;
    return parent != SNAPSHOT_NONE && marks[parent];
}

static bool is_row(enum snapshot_role role)
{
    return role == ROLE_ROW;
}

/* Returns whether it tells where on the page the controls in it are. */
static bool is_landmark(const struct outline *outline, int item)
{
    enum snapshot_role role = outline_semantics(outline, item)->role;
    return snapshot_role_is(role, IS_REGION | IS_TABLE) || role == ROLE_HEADING ||
           snapshot_tag_is_frame(outline->tree->nodes[outline->items[item].node].tag);
}

/* Keeps headings that are followed by controls before the next heading, and headings of level 1. */
static void find_controls(const struct outline *outline, bool *has_control, bool *is_heading)
{
    bool is_followed = false;
    for (int i = outline->count; i-- > 0;) {
        const struct node_semantics *semantics = outline_semantics(outline, i);
        bool is_operable = outline->items[i].is_operable;
        has_control[i] |= is_operable;
        mark_parent(outline, has_control, i);
        is_followed |= is_operable;
        if (semantics->role == ROLE_HEADING) {
            is_heading[i] = is_followed || semantics->level == 1;
            is_followed = false;
        }
    }
}

/* Returns whether it speaks to the user: an alert, a status message, a live region or a dialog. */
static bool is_announcement(const struct outline *outline, int item)
{
    const char *live =
        outline_is_text(outline, item)
            ? NULL
            : snapshot_attribute(outline->tree, outline->items[item].node, "aria-live");
    switch (outline_semantics(outline, item)->role) {
    case ROLE_ALERT:
    case ROLE_ALERTDIALOG:
    case ROLE_DIALOG:
    case ROLE_STATUS:
        return true;
    default:
        return live && (strcmp(live, "polite") == 0 || strcmp(live, "assertive") == 0);
    }
}

/* Counts the items of each item's subtree. Caller frees. */
static int *count_items(const struct outline *outline)
{
    int *sizes = xcalloc((size_t)outline->count + 1, sizeof(*sizes));
    for (int i = outline->count; i-- > 0;) {
        sizes[i]++;
        if (outline->items[i].parent != SNAPSHOT_NONE) {
            sizes[outline->items[i].parent] += sizes[i];
        }
    }
    return sizes;
}

/*
 * Shows rows as a whole: "Delete" means nothing without the rest of its row. Small announcements,
 * too: they are what the page says about the last action.
 */
static void keep_interactive(struct outline_builder *builder)
{
    const struct outline *outline = builder->outline;
    size_t count = (size_t)outline->count + 1;
    CLEANUP_FREE bool *has_control = xcalloc(count, sizeof(*has_control));
    CLEANUP_FREE bool *is_heading = xcalloc(count, sizeof(*is_heading));
    CLEANUP_FREE bool *is_whole = xcalloc(count, sizeof(*is_whole));
    CLEANUP_FREE int *sizes = count_items(outline);
    find_controls(outline, has_control, is_heading);
    for (int i = outline->count; i-- > 0;) {
        is_whole[i] |= sizes[i] > 1 && sizes[i] <= MAX_ENTRY && is_announcement(outline, i);
        is_whole[i] |= outline->items[i].text && is_announcement(outline, i);
        has_control[i] |= is_whole[i];
        mark_parent(outline, has_control, i);
    }
    for (int i = 0; i < outline->count; i++) {
        is_whole[i] |= is_inside(outline, is_whole, i) || outline->items[i].is_operable ||
                       (is_row(outline_semantics(outline, i)->role) && has_control[i]) ||
                       is_heading[i];
        if (is_whole[i] || outline->items[i].is_left_out) {
            continue;
        }
        builder->drafts[i].fate = !has_control[i]           ? FATE_DROP
                                  : is_landmark(outline, i) ? FATE_KEEP
                                                            : FATE_DISSOLVE;
    }
}

static bool is_choice(const struct outline *outline, int item)
{
    enum snapshot_tag tag = outline->tree->nodes[outline->items[item].node].tag;
    return tag == TAG_OPTION || tag == TAG_OPTGROUP;
}

static void keep_in_view(struct outline_builder *builder)
{
    const struct outline *outline = builder->outline;
    CLEANUP_FREE bool *is_seen = xcalloc((size_t)outline->count + 1, sizeof(*is_seen));
    for (int i = outline->count; i-- > 0;) {
        const struct outline_item *item = &outline->items[i];
        bool is_leaf = item->first_child == SNAPSHOT_NONE || outline->items[i].is_operable;
        is_seen[i] |= is_leaf && outline->visibility->placements[item->node].place == PLACE_IN_VIEW;
        if (is_choice(outline, i)) {
            continue; /* it has no place of its own, and is kept or dropped with its control */
        }
        mark_parent(outline, is_seen, i);
        if (!is_seen[i]) {
            builder->drafts[i].fate = FATE_DROP;
        }
    }
}

static bool is_found(const struct outline_builder *builder, int item)
{
    const struct outline *outline = builder->outline;
    const struct outline_options *options = builder->options;
    const struct node_semantics *semantics = outline_semantics(outline, item);
    const char *text = outline->items[item].text;
    if (options->find_role != ROLE_UNKNOWN && semantics->role != options->find_role) {
        return false;
    }
    if (!options->find_text) {
        return true;
    }
    const char *value = semantics->is_private ? NULL : semantics->value;
    bool has_name = semantics->name && !outline->items[item].is_name_repeated;
    return (text && unicode_contains(text, options->find_text)) ||
           (has_name && unicode_contains(semantics->name, options->find_text)) ||
           (semantics->name && options->find_role != ROLE_UNKNOWN &&
            unicode_contains(semantics->name, options->find_text)) ||
           (value && unicode_contains(value, options->find_text)) ||
           (semantics->test_id && unicode_contains(semantics->test_id, options->find_text));
}

/*
 * Returns whether it is shown as a whole when something in it matches, such as a product with its
 * button.
 */
static bool is_entry(const struct outline_builder *builder, int item, int size)
{
    enum snapshot_role role = outline_semantics(builder->outline, item)->role;
    bool is_small_entry = (role == ROLE_LISTITEM || role == ROLE_ARTICLE) && size <= MAX_ENTRY;
    return is_row(role) || (is_small_entry && builder->options->find_role == ROLE_UNKNOWN);
}

/* Returns whether two boxes share at least half of the lower one's height. */
static bool is_beside(const struct snapshot_box *a, const struct snapshot_box *b)
{
    float top = a->y > b->y ? a->y : b->y;
    float a_end = a->y + a->height;
    float b_end = b->y + b->height;
    float shared = (a_end < b_end ? a_end : b_end) - top;
    float lower = a->height < b->height ? a->height : b->height;
    return lower > 0 && shared * 2 >= lower;
}

/*
 * Returns whether a neighbour of a match is read together with it: on the same line of the page,
 * such as "Total:" and its amount. Controls side by side, such as the links of a menu, are not.
 */
static bool is_of_line(const struct outline_builder *builder, const int *sizes, int match, int item)
{
    const struct outline *outline = builder->outline;
    const struct outline_item *items = outline->items;
    const struct snapshot_placement *places = outline->visibility->placements;
    bool is_menu = items[match].is_operable && (items[item].is_operable || sizes[item] > 1);
    return !is_menu && !is_landmark(outline, item) && !items[item].is_left_out &&
           sizes[item] <= MAX_ENTRY && !is_entry(builder, item, sizes[item]) &&
           is_beside(&places[items[match].node].box, &places[items[item].node].box);
}

/* Shows the rest of the line of each match that is not shown as part of an entry. */
static void match_lines(struct outline_builder *builder, const int *sizes, bool *has_match)
{
    struct outline *outline = builder->outline;
    size_t count = (size_t)outline->count + 1;
    CLEANUP_FREE int *previous = xcalloc(count, sizeof(*previous));
    CLEANUP_FREE bool *is_found = xcalloc(count, sizeof(*is_found));
    for (int i = 0; i < outline->count; i++) {
        const struct outline_item *item = &outline->items[i];
        is_found[i] = item->is_match && sizes[i] <= MAX_ENTRY && !is_entry(builder, i, sizes[i]);
        previous[i] = item->parent == SNAPSHOT_NONE || outline->items[item->parent].first_child == i
                          ? SNAPSHOT_NONE
                          : previous[i];
        if (item->next != SNAPSHOT_NONE) {
            previous[item->next] = i;
        }
    }
    for (int i = 0; i < outline->count; i++) {
        for (int way = 0; is_found[i] && way < 2; way++) {
            int item = i;
            for (int n = 0; n < MAX_LINE; n++) {
                item = way ? outline->items[item].next : previous[item];
                if (item == SNAPSHOT_NONE || !is_of_line(builder, sizes, i, item)) {
                    break;
                }
                outline->items[item].is_match = has_match[item] = true;
            }
        }
    }
}

/* Of nested entries the innermost counts. */
static void find_matches(struct outline_builder *builder, bool *has_match)
{
    struct outline *outline = builder->outline;
    CLEANUP_FREE bool *has_entry = xcalloc((size_t)outline->count + 1, sizeof(*has_entry));
    CLEANUP_FREE int *sizes = count_items(outline);
    for (int i = outline->count; i-- > 0;) {
        struct outline_item *item = &outline->items[i];
        bool is_around = has_match[i] && !has_entry[i] && is_entry(builder, i, sizes[i]);
        item->is_match = !item->is_left_out && (is_around || is_found(builder, i));
        has_match[i] |= item->is_match;
        has_entry[i] |= is_around;
        mark_parent(outline, has_match, i);
        mark_parent(outline, has_entry, i);
    }
    if (builder->options->find_role == ROLE_UNKNOWN) {
        match_lines(builder, sizes, has_match);
    }
}

static void keep_found(struct outline_builder *builder)
{
    const struct outline *outline = builder->outline;
    CLEANUP_FREE bool *has_match = xcalloc((size_t)outline->count + 1, sizeof(*has_match));
    find_matches(builder, has_match);
    CLEANUP_FREE bool *is_whole = xcalloc((size_t)outline->count + 1, sizeof(*is_whole));
    for (int i = 0; i < outline->count; i++) {
        is_whole[i] = is_inside(outline, is_whole, i) || outline->items[i].is_match;
        if (!is_whole[i] && !has_match[i]) {
            builder->drafts[i].fate = FATE_DROP;
        }
    }
}

static void keep_depth(struct outline_builder *builder)
{
    struct outline *outline = builder->outline;
    CLEANUP_FREE int *depths = xcalloc((size_t)outline->count + 1, sizeof(*depths));
    for (int i = 0; i < outline->count; i++) {
        int parent = outline->items[i].parent;
        depths[i] = parent == SNAPSHOT_NONE ? 1 : depths[parent] + 1;
        if (depths[i] > builder->options->depth) {
            builder->drafts[i].fate = FATE_DROP;
            outline->items[parent].is_cut |= depths[parent] == builder->options->depth;
        }
    }
}

void outline_filter(struct outline_builder *builder)
{
    const struct outline_options *options = builder->options;
    if (options->is_interactive) {
        keep_interactive(builder);
        outline_settle(builder);
    }
    if (options->is_in_viewport) {
        keep_in_view(builder);
        outline_settle(builder);
    }
    if (options->find_text || options->find_role != ROLE_UNKNOWN) {
        keep_found(builder);
        outline_settle(builder);
    }
    if (options->depth > 0) {
        keep_depth(builder);
        outline_settle(builder);
    }
}
