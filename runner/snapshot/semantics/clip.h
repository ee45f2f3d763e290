/* Clips the boxes of nodes by the boxes around them; for the files of this folder only. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_CLIP_H
#define RUNNER_SNAPSHOT_SEMANTICS_CLIP_H

#include "runner/snapshot/semantics/placement.h"
#include "runner/snapshot/semantics/semantics.h"

/* A box by its edges, in CSS pixels of the page's viewport. */
struct edges {
    double left, top, right, bottom;
};

/* A box that clips its overflow, or the viewport of a document. */
struct clip {
    int outer;                    /* the enclosing clip; NONE: the page's viewport */
    struct edges own;             /* infinite in a direction that is not clipped */
    struct edges shown;           /* the part left by the enclosing clips */
    double reach_left, reach_top; /* content left of or above this cannot be scrolled into view */
    bool scrolls_x, scrolls_y;
};

struct clip_map {
    struct clip *clips;
    int count;
    size_t capacity;
    int *of_nodes; /* for each node of the tree: its clip; NONE if it is not attached */
};

static inline struct edges edges_of(const struct snapshot_box *box)
{
    return (struct edges){ box->x, box->y, (double)box->x + box->width,
                           (double)box->y + box->height };
}

static inline struct edges edges_common(const struct edges *a, const struct edges *b)
{
    return (struct edges){
        .left = a->left > b->left ? a->left : b->left,
        .top = a->top > b->top ? a->top : b->top,
        .right = a->right < b->right ? a->right : b->right,
        .bottom = a->bottom < b->bottom ? a->bottom : b->bottom,
    };
}

static inline bool edges_are_empty(const struct edges *edges)
{
    return !(edges->left < edges->right && edges->top < edges->bottom);
}

/* Converts a box of the node's document, such as a line of its text, to the page's viewport. */
static inline struct snapshot_box box_in_view(const struct snapshot_tree *tree, int node, float x,
                                              float y, float width, float height)
{
    const struct snapshot_document *document = &tree->documents[tree->nodes[node].document];
    return (struct snapshot_box){ (float)(x + document->left - document->scroll_x),
                                  (float)(y + document->top - document->scroll_y), width, height };
}

/* Returns the visible part of a box of the node. */
static inline struct edges box_shown(const struct clip_map *map, int node,
                                     const struct snapshot_box *box)
{
    struct edges edges = edges_of(box);
    return edges_common(&edges, &map->clips[map->of_nodes[node]].shown);
}

/* Sets is_occluded and occluder for elements in the view; requires all other fields. */
void occlusion_find(const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
                    const struct clip_map *map, const struct edges *view,
                    struct snapshot_placement *placements);

#endif
