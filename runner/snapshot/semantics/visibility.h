/* Where nodes are to be seen: in the viewport, beyond it, below something else. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_VISIBILITY_H
#define RUNNER_SNAPSHOT_SEMANTICS_VISIBILITY_H

#include "runner/snapshot/semantics/semantics.h"

enum snapshot_place {
    PLACE_NOWHERE, /* no box, or clipped away for good */
    PLACE_IN_VIEW, /* a part of it, at least */
    PLACE_ABOVE,   /* beyond the viewport's edge, or scrolled away inside of a box */
    PLACE_BELOW,
    PLACE_ASIDE,
};

/* A box in the page's viewport, CSS pixels. */
struct snapshot_box {
    float x, y, width, height;
};

struct snapshot_sight {
    enum snapshot_place place;
    bool is_covered; /* something else is painted over the point where a click would go: a hint */
    int cover;       /* the node that covers it; NONE */
    struct snapshot_box box;
};

struct snapshot_visibility {
    struct snapshot_sight *sights; /* of each node of the tree; of text: of its own box */
};

/* Linear but for the nodes that may cover something. Never NULL. */
struct snapshot_visibility *snapshot_visibility_create(const struct snapshot_tree *tree,
                                                       const struct snapshot_semantics *semantics);
void snapshot_visibility_destroy(struct snapshot_visibility *visibility);

#endif
