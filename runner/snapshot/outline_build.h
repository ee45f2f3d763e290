/* How an outline is made: outline_walk.c, outline_repeat.c and outline_filter.c, in this order. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_BUILD_H
#define RUNNER_SNAPSHOT_OUTLINE_BUILD_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline.h"

enum outline_fate {
    FATE_KEEP,
    FATE_DISSOLVE, /* its children stand in its place */
    FATE_DROP,     /* it goes, with all below */
};

/* Beside an item, while the outline is made. */
struct outline_draft {
    enum outline_fate fate;
    int block;      /* the node of the block that it is in the flow of */
    int begin, end; /* how many blocks had begun in that when it began, and at its end */
    int last;       /* the last item below it; itself when there is none */
};

struct outline_builder {
    struct outline *outline;
    const struct outline_options *options;
    struct outline_draft *drafts; /* of each item */
    size_t draft_capacity;
};

/* All items that may be shown, with their texts. */
void outline_walk(struct outline_builder *builder);

/* Lets go of what says nothing, or says again what is said beside or around it. */
void outline_drop_repeated(struct outline_builder *builder);

/* Lets go of what the options do not want to see. */
void outline_filter(struct outline_builder *builder);

/* Makes the fates true: what is dropped or dissolved is gone, what stays is linked anew. */
void outline_settle(struct outline_builder *builder);

#endif
