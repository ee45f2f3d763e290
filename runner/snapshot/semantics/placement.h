/* Where a node is to be seen. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_PLACEMENT_H
#define RUNNER_SNAPSHOT_SEMANTICS_PLACEMENT_H

#include "runner/snapshot/dom/tree.h"

enum snapshot_place {
    PLACE_NOWHERE, /* no box, or clipped away for good */
    PLACE_IN_VIEW, /* a part of it, at least */
    PLACE_ABOVE,   /* beyond the viewport's edge, or scrolled away inside of a box */
    PLACE_BELOW,
    PLACE_ASIDE,
    PLACE_OUTSIDE, /* beyond the page's viewport, where no scrolling leads */
};

/* A box in the page's viewport, CSS pixels. */
struct snapshot_box {
    float x, y, width, height;
};

struct snapshot_placement {
    enum snapshot_place place;
    bool is_occluded; /* something else is painted over the point where a click would go: a hint */
    int occluder;     /* the node that is painted over it; NONE */
    struct snapshot_box box;
};

#endif
