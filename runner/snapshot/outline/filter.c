#include "runner/snapshot/outline/filter.h"
#include "runner/base/memory.h"
#include "runner/base/unicode.h"

enum { MAX_ENTRY = 20 /* items of an entry that is shown as a whole */ };

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

/* Shows rows as a whole: "Delete" means nothing without the rest of its row. */
static void keep_interactive(struct outline_builder *builder)
{
    const struct outline *outline = builder->outline;
    size_t count = (size_t)outline->count + 1;
    CLEANUP_FREE bool *has_control = xcalloc(count, sizeof(*has_control));
    CLEANUP_FREE bool *is_heading = xcalloc(count, sizeof(*is_heading));
    CLEANUP_FREE bool *is_whole = xcalloc(count, sizeof(*is_whole));
    find_controls(outline, has_control, is_heading);
    for (int i = 0; i < outline->count; i++) {
        is_whole[i] = is_inside(outline, is_whole, i) || outline->items[i].is_operable ||
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

/* Of nested entries the innermost counts. */
static void find_matches(struct outline_builder *builder, bool *has_match)
{
    struct outline *outline = builder->outline;
    CLEANUP_FREE bool *has_entry = xcalloc((size_t)outline->count + 1, sizeof(*has_entry));
    CLEANUP_FREE int *sizes = xcalloc((size_t)outline->count + 1, sizeof(*sizes));
    for (int i = outline->count; i-- > 0;) {
        struct outline_item *item = &outline->items[i];
        sizes[i]++;
        bool is_around = has_match[i] && !has_entry[i] && is_entry(builder, i, sizes[i]);
        item->is_match = !item->is_left_out && (is_around || is_found(builder, i));
        has_match[i] |= item->is_match;
        has_entry[i] |= is_around;
        mark_parent(outline, has_match, i);
        mark_parent(outline, has_entry, i);
        if (item->parent != SNAPSHOT_NONE) {
            sizes[item->parent] += sizes[i];
        }
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
