/* An outline under construction: its items, and what is decided for each. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_BUILDER_H
#define RUNNER_SNAPSHOT_OUTLINE_BUILDER_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"

enum outline_fate {
    FATE_KEEP,
    FATE_DISSOLVE, /* replaced by its children */
    FATE_DROP,     /* removed with all descendants */
};

/* Data for an item during construction. */
struct outline_draft {
    enum outline_fate fate;
    int block;      /* node of the block whose flow it is in */
    int begin, end; /* number of blocks begun in that block at the item's begin and end */
    int last;       /* its last descendant; itself if there is none */
};

struct outline_builder {
    struct outline *outline;
    const struct outline_options *options;
    struct outline_draft *drafts; /* for each item */
    size_t draft_capacity;
};

/* Applies the fates: removes dropped and dissolved items, and relinks the others. */
void outline_settle(struct outline_builder *builder);

/* Adds all items that may be shown, with their texts. */
void outline_walk(struct outline_builder *builder);

/* Returns the fate of an element; those of its descendants are already decided. */
enum outline_fate outline_fate_of(const struct outline_builder *builder, int item);

/*
 * A pointer cursor on a listitem or row with controls belongs to these: the item is not operable.
 */
void outline_settle_pointer(struct outline_builder *builder, int item);

/* Drops items without content, and items that repeat a neighbour or an ancestor. */
void outline_drop_repeated(struct outline_builder *builder);

/* Drops the items that the options exclude. */
void outline_filter(struct outline_builder *builder);

#endif
