#include "runner/snapshot/outline/outline.h"

#include "runner/base/memory.h"
#include "runner/base/arena.h"
#include "runner/snapshot/outline/outline_build.h"

enum { DROPPED = -2 };

/* Hangs an item below what its parent has become, behind the siblings that are there already. */
static void link_item(struct outline_builder *builder, int item, int *last_at_top)
{
    struct outline *outline = builder->outline;
    struct outline_item *linked = &outline->items[item];
    struct outline_item *parent =
        linked->parent == SNAPSHOT_NONE ? NULL : &outline->items[linked->parent];
    int *last = parent ? &parent->last_child : last_at_top;
    if (*last != SNAPSHOT_NONE) {
        const struct outline_draft *before = &builder->drafts[*last];
        const struct outline_draft *after = &builder->drafts[item];
        linked->is_continued = before->block == after->block && before->end == after->begin;
        outline->items[*last].next = item;
    } else if (parent) {
        parent->first_child = item;
    }
    *last = item;
}

static void find_last(struct outline_builder *builder)
{
    for (int i = builder->outline->count; i-- > 0;) {
        int last_child = builder->outline->items[i].last_child;
        builder->drafts[i].last =
            last_child == SNAPSHOT_NONE ? i : builder->drafts[last_child].last;
    }
}

void outline_settle(struct outline_builder *builder)
{
    struct outline *outline = builder->outline;
    CLEANUP_FREE int *places = xcalloc((size_t)outline->count + 1, sizeof(*places));
    int count = 0;
    int last_at_top = SNAPSHOT_NONE;
    for (int i = 0; i < outline->count; i++) {
        int parent = outline->items[i].parent;
        enum outline_fate fate = builder->drafts[i].fate;
        places[i] = parent == SNAPSHOT_NONE ? SNAPSHOT_NONE : places[parent];
        if (places[i] == DROPPED || fate == FATE_DROP) {
            places[i] = DROPPED;
            continue;
        }
        if (fate == FATE_DISSOLVE) {
            continue;
        }
        struct outline_item item = outline->items[i];
        item.parent = places[i];
        item.first_child = item.next = item.last_child = SNAPSHOT_NONE;
        item.is_continued = false;
        outline->items[count] = item;
        builder->drafts[count] = builder->drafts[i];
        places[i] = count++;
        link_item(builder, places[i], &last_at_top);
    }
    outline->count = count;
    find_last(builder);
}

/* A text that is all there is in an element becomes its own. */
static void absorb_texts(struct outline_builder *builder)
{
    struct outline *outline = builder->outline;
    for (int i = 0; i < outline->count; i++) {
        struct outline_item *item = &outline->items[i];
        int child = item->first_child;
        if (!outline_is_text(outline, i) && child != SNAPSHOT_NONE && child == item->last_child &&
            outline_is_text(outline, child)) {
            item->text = outline->items[child].text;
            builder->drafts[child].fate = FATE_DROP;
        }
    }
}

static bool wants_id(const struct outline *outline, int item)
{
    int node = outline->items[item].node;
    switch (outline->semantics->meanings[node].role) {
    case ROLE_AUDIO:
    case ROLE_CANVAS:
    case ROLE_IMAGE:
    case ROLE_SVG_ROOT:
    case ROLE_VIDEO:
        return true;
    default:
        return outline->items[item].is_operable || outline->items[item].is_scrollable ||
               outline->semantics->meanings[node].is_focusable ||
               snapshot_role_is_region(outline->semantics->meanings[node].role) ||
               snapshot_tag_is_frame(outline->tree->nodes[node].tag);
    }
}

static void give_ids(struct outline *outline, const struct outline_options *options,
                     struct snapshot_ids *ids)
{
    for (int i = 0; i < outline->count; i++) {
        struct outline_item *item = &outline->items[i];
        const struct snapshot_node *node = &outline->tree->nodes[item->node];
        bool is_wanted = options->has_all_ids || options->is_all || wants_id(outline, i);
        if (node->kind == SNAPSHOT_ELEMENT && !item->is_left_out && is_wanted) {
            int document = outline->tree->documents[node->document].number;
            item->id = snapshot_ids_give(ids, document, node->backend_id);
        }
    }
}

struct outline *outline_create(const struct snapshot_tree *tree,
                               const struct snapshot_semantics *semantics,
                               const struct snapshot_visibility *visibility,
                               const struct outline_options *options, struct snapshot_ids *ids)
{
    struct outline *outline = xcalloc(1, sizeof(*outline));
    outline->tree = tree;
    outline->semantics = semantics;
    outline->visibility = visibility;
    outline->is_all = options->is_all;
    outline->arena = snapshot_arena_create();
    struct outline_builder builder = { .outline = outline, .options = options };
    outline_walk(&builder);
    outline_settle(&builder);
    if (!options->is_all) {
        outline_drop_repeated(&builder);
        outline_settle(&builder);
    }
    absorb_texts(&builder);
    outline_settle(&builder);
    outline_filter(&builder);
    free(builder.drafts);
    give_ids(outline, options, ids);
    return outline;
}

void outline_destroy(struct outline *outline)
{
    if (outline) {
        snapshot_arena_destroy(outline->arena);
        free(outline->items);
        free(outline);
    }
}
