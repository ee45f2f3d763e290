/*
 * The page as DOMSnapshot.captureSnapshot has it, decoded: one flat tree of all its documents, in
 * document order. Assigned nodes stand inside of their slot and the children of a shadow root below
 * their host; comments and doctypes are left out. Nothing is known of roles here.
 */
#ifndef RUNNER_SNAPSHOT_DOM_TREE_H
#define RUNNER_SNAPSHOT_DOM_TREE_H

#include "runner/base/error.h"
#include "runner/snapshot/dom/tag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SNAPSHOT_NONE = -1 }; /* no node, no layout, no document */

/* More is LIMIT_EXCEEDED: nodes of all documents, and how deep they may be nested. */
enum {
    SNAPSHOT_MAX_NODES = 2000000,
    SNAPSHOT_MAX_DEPTH = 20000,
    SNAPSHOT_MAX_DOCUMENTS = 1000,
    SNAPSHOT_MAX_ATTRIBUTES = 128, /* megabytes of their values; a reply has equal ones once */
};

enum snapshot_kind {
    SNAPSHOT_ELEMENT,
    SNAPSHOT_TEXT,
    SNAPSHOT_PSEUDO,   /* ::before, ::after, ::marker and the like */
    SNAPSHOT_DOCUMENT, /* the root of a frame, below the element of the frame */
};

enum snapshot_shadow { SNAPSHOT_LIGHT, SNAPSHOT_OPEN, SNAPSHOT_CLOSED, SNAPSHOT_USER_AGENT };

/* Strings are borrowed from the tree, NUL-terminated UTF-8, and NULL where they are absent. */
struct snapshot_node {
    enum snapshot_kind kind;
    enum snapshot_tag tag; /* TAG_NONE of what is no element */
    int parent;            /* of a document: the element of its frame; NONE: the page's root */
    int first_child, last_child, next;
    int document;
    int layout;          /* its first row; NONE: not rendered, or display:contents, or a slot */
    int layout_count;    /* rows from there on; a pseudo-element has one for itself and its text */
    int64_t backend_id;  /* the protocol's, unique in the process */
    const char *name;    /* of an element as the protocol has it: "BUTTON", "svg"; "::before" */
    const char *text;    /* of a text node, as it is in the DOM */
    const char *value;   /* of a control at present: what is typed, or chosen; also secret ones */
    const char *picture; /* of an image: the URL of the source that is shown */
    int attribute, attribute_count;
    enum snapshot_shadow shadow;           /* the kind of the shadow root that it is in */
    bool is_svg;                           /* in SVG, but not in a foreignObject of it */
    bool is_clickable;                     /* a script listens to its clicks */
    bool is_checked;                       /* input that is on */
    bool is_selected;                      /* option */
    bool is_focused, is_mixed, is_invalid; /* as the page has them now; by snapshot_tree_mark() */
};

struct snapshot_attribute {
    const char *name, *value; /* value is "" at least */
};

enum snapshot_display {
    DISPLAY_BLOCK, /* also list items, flex, grid, table parts but cells: they stand by themselves
                    */
    DISPLAY_INLINE,
    DISPLAY_INLINE_BLOCK, /* also inline-flex and the like */
    DISPLAY_TABLE_CELL,
};

enum snapshot_transform { TRANSFORM_NONE, TRANSFORM_UPPER, TRANSFORM_LOWER, TRANSFORM_CAPITALIZE };

/* A row of the layout. Boxes are CSS pixels of the document that the node is in. */
struct snapshot_layout {
    int node;
    float x, y, width, height;
    int paint_order;      /* what is higher is painted later */
    const char *text;     /* what is rendered, whitespace collapsed, before text-transform */
    const char *content;  /* CSS generated content, as computed ("\"→ \""); NULL: normal, none */
    int line, line_count; /* boxes of its lines, in snapshot_tree.lines */
    enum snapshot_display display;
    enum snapshot_transform transform;
    bool is_invisible;         /* visibility: hidden or collapse */
    bool is_transparent;       /* opacity: 0 */
    bool has_pointer;          /* cursor: pointer */
    bool takes_no_pointer;     /* pointer-events: none */
    bool clips_x, clips_y;     /* overflow is not visible */
    bool scrolls_x, scrolls_y; /* overflow: auto or scroll */
    bool is_fixed;             /* position: fixed */
    bool is_absolute;          /* position: absolute */
    bool is_positioned;        /* position: anything but static */
    bool is_in_top_layer;      /* an open modal, a popover, what is full screen */
    bool skips_content;        /* content-visibility: hidden; of table parts it does not hold */
    bool may_skip_content;     /* content-visibility: auto */
    bool has_clip_path;
    bool has_dots;               /* in the place of its text: -webkit-text-security */
    bool has_border;             /* at its left or its top */
    float inset_left, inset_top; /* border and padding together: where a frame's content begins */
};

struct snapshot_line {
    float x, y, width, height;
    int start, length; /* UTF-16 units of the row's text */
};

struct snapshot_document {
    const char *frame_id, *url, *base_url, *title, *language;
    int root;   /* its node */
    int owner;  /* the element of its frame; NONE: the page's own, or not known */
    int number; /* by which snapshot_ids_give() knows it; see snapshot_ids_document() */
    int part;   /* of the reply, and so the process, that it came with */
    double scroll_x, scroll_y, content_width, content_height;
    double left, top;     /* of its viewport in the page's viewport, CSS pixels */
    double width, height; /* of its viewport */
};

/* The reply of one process. */
struct snapshot_part {
    char *text; /* owned: what the strings of its nodes point into */
    int first_node, end_node;
    int first_document, end_document;
};

struct snapshot_tree {
    struct snapshot_node *nodes;
    int node_count;
    int *order; /* all nodes that hang together, parents before their children, in document order */
    int order_count;
    struct snapshot_layout *layouts;
    int layout_count;
    struct snapshot_line *lines;
    int line_count;
    struct snapshot_attribute *attributes;
    int attribute_count;
    size_t attribute_bytes; /* of their values, but for those of data: */
    struct snapshot_document *documents;
    int document_count;
    double width, height;        /* of the page's viewport, CSS pixels */
    struct snapshot_part *parts; /* what the strings live in */
    int part_count;
    size_t node_capacity, layout_capacity, line_capacity, attribute_capacity, document_capacity,
        part_capacity;
};

struct snapshot_tree *snapshot_tree_create(double width, double height);
void snapshot_tree_destroy(struct snapshot_tree *tree);

/* False when the document hangs somewhere already, or the element is inside of it. */
bool snapshot_tree_hang_document(struct snapshot_tree *tree, int document, int owner);

/* Hangs the first document of a part below the element of its frame, which is in another part. */
bool snapshot_tree_hang(struct snapshot_tree *tree, int part, int owner_part, int64_t owner_id);

/* After all parts: finds the order, and where the frames are. LIMIT_EXCEEDED when it is too deep.
 */
bool snapshot_tree_finish(struct snapshot_tree *tree, struct br_error *err);

/* The node of a part; NONE when there is none. Builds nothing: linear. */
int snapshot_tree_find(const struct snapshot_tree *tree, int part, int64_t backend_id);

/* What the page's scripts know of a node that the reply does not say. */
enum snapshot_mark { SNAPSHOT_FOCUSED, SNAPSHOT_MIXED, SNAPSHOT_INVALID };
void snapshot_tree_mark(struct snapshot_tree *tree, int node, enum snapshot_mark mark);

/* "" where the attribute is empty; NULL where it is not there. */
const char *snapshot_attribute(const struct snapshot_tree *tree, int node, const char *name);

/* The node behind this one in document order, not below `root`'s end; NONE at the end. */
int snapshot_next(const struct snapshot_tree *tree, int node, int root);

/* The same, without the nodes below this one. */
int snapshot_skip(const struct snapshot_tree *tree, int node, int root);

/* The row of the node's own box; NULL: none. */
static inline const struct snapshot_layout *snapshot_layout(const struct snapshot_tree *tree,
                                                            int node)
{
    int layout = tree->nodes[node].layout;
    return layout == SNAPSHOT_NONE ? NULL : &tree->layouts[layout];
}

#endif
