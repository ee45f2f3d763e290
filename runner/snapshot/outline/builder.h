/* An outline while it is made: its items, and what becomes of each. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_BUILDER_H
#define RUNNER_SNAPSHOT_OUTLINE_BUILDER_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"

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

/* Makes the fates true: what is dropped or dissolved is gone, what stays is linked anew. */
void outline_settle(struct outline_builder *builder);

#endif
