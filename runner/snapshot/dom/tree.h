/*
 * The page as decoded from DOMSnapshot.captureSnapshot: a flat tree of all documents in document
 * order. Assigned nodes are children of their slot, and a shadow root's children are children of
 * its host; comments and doctypes are omitted. Roles are computed elsewhere.
 */
#ifndef RUNNER_SNAPSHOT_DOM_TREE_H
#define RUNNER_SNAPSHOT_DOM_TREE_H

#include "runner/base/error.h"
#include "runner/snapshot/dom/tag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SNAPSHOT_NONE = -1 }; /* no node, no layout, no document */

/* Limits, otherwise LIMIT_EXCEEDED: nodes of all documents, nesting depth, and so on. */
enum {
    SNAPSHOT_MAX_NODES = 2000000,
    SNAPSHOT_MAX_DEPTH = 20000,
    SNAPSHOT_MAX_DOCUMENTS = 1000,
    SNAPSHOT_MAX_ATTRIBUTES = 128, /* megabytes of attribute values; a reply contains equal
                                      values once */
};

enum snapshot_kind {
    SNAPSHOT_ELEMENT,
    SNAPSHOT_TEXT,
    SNAPSHOT_PSEUDO,   /* ::before, ::after, ::marker and so on */
    SNAPSHOT_DOCUMENT, /* the root of a frame, below the frame's element */
};

enum snapshot_shadow { SNAPSHOT_LIGHT, SNAPSHOT_OPEN, SNAPSHOT_CLOSED, SNAPSHOT_USER_AGENT };

/* Strings are borrowed from the tree, NUL-terminated UTF-8, and NULL if absent. */
struct snapshot_node {
    enum snapshot_kind kind;
    enum snapshot_tag tag; /* TAG_NONE if not an element */
    int parent;            /* of a document: its frame's element; NONE: the page's root */
    int first_child, last_child, next;
    int document;
    int layout;          /* first row; NONE: not rendered, display:contents, or a slot */
    int layout_count;    /* number of rows; a pseudo-element has one for itself and its text */
    int64_t backend_id;  /* the protocol's, unique within a process */
    const char *name;    /* as in the protocol: "BUTTON", "svg"; "::before" */
    const char *text;    /* of a text node, as in the DOM */
    const char *value;   /* current value of a control, also a secret one: typed text or
                            selection */
    const char *picture; /* of an image: the URL of the displayed source */
    int attribute, attribute_count;
    enum snapshot_shadow shadow;           /* kind of the shadow root that contains it */
    bool is_svg;                           /* in SVG, but not in its foreignObject */
    bool is_clickable;                     /* has a click listener */
    bool is_checked;                       /* a checked input */
    bool is_selected;                      /* a selected option */
    bool is_focused, is_mixed, is_invalid; /* the current state in the page; set by
                                              snapshot_tree_mark() */
};

struct snapshot_attribute {
    const char *name, *value; /* "" if there is no value */
};

enum snapshot_display {
    DISPLAY_BLOCK, /* stands on lines of its own: also list items, flex, grid, table parts except
                      cells */
    DISPLAY_INLINE,
    DISPLAY_INLINE_BLOCK, /* also inline-flex and so on */
    DISPLAY_TABLE_CELL,
};

enum snapshot_transform { TRANSFORM_NONE, TRANSFORM_UPPER, TRANSFORM_LOWER, TRANSFORM_CAPITALIZE };

/* A row of the layout. Boxes are in CSS pixels of the node's document. */
struct snapshot_layout {
    int node;
    float x, y, width, height;
    int paint_order;      /* higher values are painted later */
    const char *text;     /* as rendered: whitespace collapsed, before text-transform */
    const char *content;  /* computed CSS `content` ("\"→ \""); NULL: normal or none */
    int line, line_count; /* boxes of its lines, in snapshot_tree.lines */
    enum snapshot_display display;
    enum snapshot_transform transform;
    bool is_invisible;         /* visibility: hidden or collapse */
    bool is_transparent;       /* opacity: 0 */
    bool has_pointer;          /* cursor: pointer */
    bool takes_no_pointer;     /* pointer-events: none */
    bool clips_x, clips_y;     /* overflow other than visible */
    bool scrolls_x, scrolls_y; /* overflow: auto or scroll */
    bool is_fixed;             /* position: fixed */
    bool is_absolute;          /* position: absolute */
    bool is_positioned;        /* position other than static */
    bool is_in_top_layer;      /* an open modal dialog, a popover, a fullscreen element */
    bool skips_content;        /* content-visibility: hidden; does not apply to table parts */
    bool may_skip_content;     /* content-visibility: auto */
    bool has_clip_path;
    bool has_dots;               /* shows dots instead of its text: -webkit-text-security */
    bool has_border;             /* at the left or the top */
    float inset_left, inset_top; /* border plus padding: offset of a frame's content */
};

struct snapshot_line {
    float x, y, width, height;
    int start, length; /* in UTF-16 units of the row's text */
};

struct snapshot_document {
    const char *frame_id, *url, *base_url, *title, *language;
    int root;   /* its root node */
    int owner;  /* its frame's element; NONE: the page's document, or unknown */
    int number; /* its number for snapshot_ids_give(), from snapshot_ids_document() */
    int part;   /* the part, and so the process, that it belongs to */
    double scroll_x, scroll_y, content_width, content_height;
    double left, top;     /* of its viewport, in CSS pixels of the page's viewport */
    double width, height; /* size of its viewport */
};

/* The reply of one process. */
struct snapshot_part {
    char *text; /* owned: the memory of its nodes' strings */
    int first_node, end_node;
    int first_document, end_document;
};

struct snapshot_tree {
    struct snapshot_node *nodes;
    int node_count;
    int *order; /* all attached nodes in document order, parents before children */
    int order_count;
    struct snapshot_layout *layouts;
    int layout_count;
    struct snapshot_line *lines;
    int line_count;
    struct snapshot_attribute *attributes;
    int attribute_count;
    size_t attribute_bytes; /* of their values, except data: URLs */
    struct snapshot_document *documents;
    int document_count;
    double width, height;        /* the page's viewport, CSS pixels */
    struct snapshot_part *parts; /* the memory of the strings */
    int part_count;
    size_t node_capacity, layout_capacity, line_capacity, attribute_capacity, document_capacity,
        part_capacity;
};

struct snapshot_tree *snapshot_tree_create(double width, double height);
void snapshot_tree_destroy(struct snapshot_tree *tree);

/*
 * Attaches a document below a frame element. False if it is already attached, or the element is
 * inside it.
 */
bool snapshot_tree_hang_document(struct snapshot_tree *tree, int document, int owner);

/* Attaches a part's first document below its frame's element, which is in another part. */
bool snapshot_tree_hang(struct snapshot_tree *tree, int part, int owner_part, int64_t owner_id);

/*
 * Computes order and frame positions after all parts were added. LIMIT_EXCEEDED if nested too
 * deeply.
 */
bool snapshot_tree_finish(struct snapshot_tree *tree, struct br_error *err);

/* Finds a node of a part by backend id; NONE if there is none. Linear search. */
int snapshot_tree_find(const struct snapshot_tree *tree, int part, int64_t backend_id);

/* State of a node that only the page's scripts know. */
enum snapshot_mark { SNAPSHOT_FOCUSED, SNAPSHOT_MIXED, SNAPSHOT_INVALID };
void snapshot_tree_mark(struct snapshot_tree *tree, int node, enum snapshot_mark mark);

/* Returns "" for an empty attribute, NULL for an absent one. */
const char *snapshot_attribute(const struct snapshot_tree *tree, int node, const char *name);

/* Returns the next node in document order within `root`; NONE at the end. */
int snapshot_next(const struct snapshot_tree *tree, int node, int root);

/* As snapshot_next(), but skips the nodes below this one. */
int snapshot_skip(const struct snapshot_tree *tree, int node, int root);

/* Returns the row of the node's own box; NULL: none. */
static inline const struct snapshot_layout *snapshot_layout(const struct snapshot_tree *tree,
                                                            int node)
{
    int layout = tree->nodes[node].layout;
    return layout == SNAPSHOT_NONE ? NULL : &tree->layouts[layout];
}

#endif
