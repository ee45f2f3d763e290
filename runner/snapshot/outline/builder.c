#include "runner/snapshot/outline/builder.h"

#include "runner/base/memory.h"

enum { DROPPED = -2 };

/* Links an item below what its parent has become, after the siblings linked so far. */
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
