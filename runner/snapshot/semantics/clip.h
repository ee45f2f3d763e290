/* What of the nodes' boxes is left by the boxes around them; for the files of this folder only. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_CLIP_H
#define RUNNER_SNAPSHOT_SEMANTICS_CLIP_H

#include "runner/snapshot/semantics/placement.h"

/* A box by its edges in the page's viewport, CSS pixels. */
struct edges {
    double left, top, right, bottom;
};

/* A box that cuts off what hangs out of it, or the viewport of a document. */
struct clip {
    int outer;                    /* the clip around it; NONE: of the page's viewport */
    struct edges own;             /* endless where it cuts off nothing */
    struct edges shown;           /* what the clips around it leave */
    double reach_left, reach_top; /* what lies before can never be scrolled to */
    bool scrolls_x, scrolls_y;
};

struct clip_map {
    struct clip *clips;
    int count;
    size_t capacity;
    int *of_nodes; /* the clip that a node of the tree is in; NONE where it hangs nowhere */
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

/* Where a box of the node's document, such as a line of its text, is in the page's viewport. */
static inline struct snapshot_box box_in_view(const struct snapshot_tree *tree, int node, float x,
                                              float y, float width, float height)
{
    const struct snapshot_document *document = &tree->documents[tree->nodes[node].document];
    return (struct snapshot_box){ (float)(x + document->left - document->scroll_x),
                                  (float)(y + document->top - document->scroll_y), width, height };
}

/* What can be seen of a box of the node. */
static inline struct edges box_shown(const struct clip_map *map, int node,
                                     const struct snapshot_box *box)
{
    struct edges edges = edges_of(box);
    return edges_common(&edges, &map->clips[map->of_nodes[node]].shown);
}

#endif
