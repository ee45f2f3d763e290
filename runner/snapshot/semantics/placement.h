/* The place of a node relative to the viewport. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_PLACEMENT_H
#define RUNNER_SNAPSHOT_SEMANTICS_PLACEMENT_H

#include "runner/snapshot/dom/tree.h"

enum snapshot_place {
    PLACE_NOWHERE, /* no box, or clipped and not reachable by scrolling */
    PLACE_IN_VIEW, /* at least partly */
    PLACE_ABOVE,   /* beyond the viewport's edge, or scrolled out of view in a box */
    PLACE_BELOW,
    PLACE_ASIDE,
    PLACE_OUTSIDE, /* outside the page's viewport and not reachable by scrolling */
};

/* A box in CSS pixels of the page's viewport. */
struct snapshot_box {
    float x, y, width, height;
};

struct snapshot_placement {
    enum snapshot_place place;
    bool is_occluded; /* something else is painted over the click point: a hint */
    int occluder;     /* the node painted over it; NONE */
    struct snapshot_box box;
};

#endif
