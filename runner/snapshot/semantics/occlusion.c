#include "runner/snapshot/semantics/clip.h"

#include "runner/base/memory.h"

#include <string.h>

/* Nodes of an inline element that are searched for its first line. */
enum { MAX_INNER_NODES = 64 };

/* Returns whether it is a box of its own, although it may be part of a line. */
static bool is_replaced(enum snapshot_tag tag)
{
    return tag == TAG_IMG || tag == TAG_SVG || tag == TAG_CANVAS || tag == TAG_VIDEO ||
           tag == TAG_IFRAME || tag == TAG_OBJECT || tag == TAG_EMBED || tag == TAG_AUDIO;
}

/* Returns whether the node has no box of its own, but only text and content in lines. */
static bool is_line_content(const struct snapshot_tree *tree, int node)
{
    const struct snapshot_node *self = &tree->nodes[node];
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    return layout && self->kind == SNAPSHOT_ELEMENT && layout->display == DISPLAY_INLINE &&
           self->first_child != SNAPSHOT_NONE && !is_replaced(self->tag) && !self->is_svg;
}

/* Finds the visible part of the first visible line of a text. */
static bool first_line(const struct snapshot_tree *tree, const struct clip_map *map, int node,
                       struct edges *ret_edges)
{
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    for (int i = 0; i < layout->line_count; i++) {
        const struct snapshot_line *line = &tree->lines[layout->line + i];
        struct snapshot_box box =
            box_in_view(tree, node, line->x, line->y, line->width, line->height);
        *ret_edges = box_shown(map, node, &box);
        if (ret_edges->right - ret_edges->left >= 1 && ret_edges->bottom - ret_edges->top >= 1) {
            return true;
        }
    }
    return false;
}

/* Returns the visible part of the element, or of its first line; a click goes to the middle. */
static struct edges click_area(const struct snapshot_tree *tree, const struct clip_map *map,
                               const struct snapshot_placement *placements, int target)
{
    struct edges edges = box_shown(map, target, &placements[target].box);
    if (!is_line_content(tree, target)) {
        return edges;
    }
    int inner = snapshot_next(tree, target, target);
    for (int i = 0; i < MAX_INNER_NODES && inner != SNAPSHOT_NONE; i++) {
        struct edges line;
        const struct snapshot_node *self = &tree->nodes[inner];
        if (placements[inner].place == PLACE_IN_VIEW && snapshot_layout(tree, inner)) {
            if (self->kind == SNAPSHOT_TEXT && first_line(tree, map, inner, &line)) {
                return line;
            }
            if (self->kind == SNAPSHOT_ELEMENT && !is_line_content(tree, inner)) {
                return box_shown(map, inner, &placements[inner].box);
            }
        }
        inner = snapshot_next(tree, inner, target);
    }
    return edges;
}

/*
 * Each operable element has a click point. Candidates that may cover a point are visited from the
 * top down; each one takes all points inside it. A grid finds the points near a box. In the
 * documents around a frame, the frame element represents the content in it.
 */

enum {
    GRID = 48,            /* cells on each side of the view */
    MAX_FRAMES = 32,      /* around an element; occlusion by further ones is not detected */
    MAX_LABEL_DEPTH = 32, /* of what is drawn inside a label */
    MAX_TESTS = 50000000, /* of a point against a box; real pages need some thousand */
};

/* A point that has to be reached by a click. */
struct query {
    int document;
    int node; /* of the document: the target, or the frame that contains it */
    int target;
    float x, y;
    int next; /* in the same cell; NONE */
};

struct candidate {
    int node;
    struct edges edges;
};

struct occlusion {
    const struct snapshot_tree *tree;
    const struct snapshot_semantics *semantics;
    const struct clip_map *map;
    const struct edges *view;
    struct snapshot_placement *placements; /* for each node */
    int *position, *end; /* for each node: its position in the order, and the end of its
                            descendants */
    bool *is_inline;     /* for each node: painted with the lines of its layer, above blocks */
    bool *has_queries;   /* for each document */
    struct query *queries;
    size_t query_count, query_capacity;
    struct candidate *candidates;
    size_t candidate_count, candidate_capacity;
    int cells[GRID * GRID];
    int rows[GRID]; /* number of open points in each row */
    int waiting;
    long tests;
};

static bool is_below(const struct occlusion *occlusion, int node, int ancestor)
{
    return occlusion->position[node] >= occlusion->position[ancestor] &&
           occlusion->position[node] < occlusion->end[ancestor];
}

/* Numbers the nodes in order, finds inline ones and the ends of subtrees. */
static void number_nodes(struct occlusion *occlusion)
{
    const struct snapshot_tree *tree = occlusion->tree;
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        const struct snapshot_node *self = &tree->nodes[node];
        const struct snapshot_layout *layout = snapshot_layout(tree, node);
        occlusion->position[node] = i;
        occlusion->end[node] = i + 1;
        if (layout && self->parent != SNAPSHOT_NONE) {
            const struct snapshot_layout *around = snapshot_layout(tree, self->parent);
            bool is_same_layer = around && around->paint_order == layout->paint_order;
            occlusion->is_inline[node] = self->kind == SNAPSHOT_TEXT ||
                                         layout->display == DISPLAY_INLINE ||
                                         layout->display == DISPLAY_INLINE_BLOCK ||
                                         (is_same_layer && occlusion->is_inline[self->parent]);
        }
    }
    for (int i = tree->order_count - 1; i >= 0; i--) {
        int node = tree->order[i];
        int parent = tree->nodes[node].parent;
        if (parent != SNAPSHOT_NONE && occlusion->end[node] > occlusion->end[parent]) {
            occlusion->end[parent] = occlusion->end[node];
        }
    }
}

/* Negative if a is painted above b; both are of one document. */
static int compare_paint(const struct occlusion *occlusion, int a, int b)
{
    const struct snapshot_layout *first = snapshot_layout(occlusion->tree, a);
    const struct snapshot_layout *second = snapshot_layout(occlusion->tree, b);
    if (first->paint_order != second->paint_order) {
        return first->paint_order > second->paint_order ? -1 : 1;
    }
    if (occlusion->is_inline[a] != occlusion->is_inline[b]) {
        return occlusion->is_inline[a] ? -1 : 1;
    }
    return occlusion->position[a] > occlusion->position[b] ? -1 : 1;
}

static int compare_candidates(const void *a, const void *b, void *data)
{
    const struct occlusion *occlusion = data;
    const struct candidate *first = a;
    const struct candidate *second = b;
    const struct snapshot_node *nodes = occlusion->tree->nodes;
    int difference = nodes[first->node].document - nodes[second->node].document;
    if (difference == 0 && first->node != second->node) {
        difference = compare_paint(occlusion, first->node, second->node);
    }
    return difference;
}

static int compare_queries(const void *a, const void *b)
{
    const struct query *first = a;
    const struct query *second = b;
    return first->document - second->document;
}

static bool is_target(const struct occlusion *occlusion, int node)
{
    const struct node_semantics *semantics = &occlusion->semantics->nodes[node];
    return occlusion->placements[node].place == PLACE_IN_VIEW &&
           occlusion->tree->nodes[node].kind == SNAPSHOT_ELEMENT &&
           (semantics->category == CATEGORY_INTERACTIVE ||
            snapshot_role_is(semantics->role, IS_OPERABLE)) &&
           !semantics->is_hidden && !semantics->is_inert && snapshot_layout(occlusion->tree, node);
}

/* Adds the click point of a target, in its document and for its enclosing frames. */
static void add_queries(struct occlusion *occlusion, int target)
{
    const struct snapshot_tree *tree = occlusion->tree;
    struct edges area = click_area(tree, occlusion->map, occlusion->placements, target);
    int node = target;
    if (edges_are_empty(&area)) {
        return;
    }
    for (int i = 0; i < MAX_FRAMES && node != SNAPSHOT_NONE && snapshot_layout(tree, node); i++) {
        int document = tree->nodes[node].document;
        occlusion->queries = array_reserve(occlusion->queries, occlusion->query_count,
                                           &occlusion->query_capacity, sizeof(struct query));
        occlusion->queries[occlusion->query_count++] = (struct query){
            .document = document,
            .node = node,
            .target = target,
            .x = (float)((area.left + area.right) / 2),
            .y = (float)((area.top + area.bottom) / 2),
        };
        occlusion->has_queries[document] = true;
        node = tree->nodes[tree->documents[document].root].parent;
    }
}

static void add_candidate(struct occlusion *occlusion, int node, const struct edges *edges)
{
    if (!edges_are_empty(edges)) {
        occlusion->candidates =
            array_reserve(occlusion->candidates, occlusion->candidate_count,
                          &occlusion->candidate_capacity, sizeof(struct candidate));
        occlusion->candidates[occlusion->candidate_count++] = (struct candidate){ node, *edges };
    }
}

/* Returns whether it would receive a click itself. Transparent elements do. */
static bool takes_clicks(const struct occlusion *occlusion, int node)
{
    const struct snapshot_node *self = &occlusion->tree->nodes[node];
    const struct snapshot_layout *layout = snapshot_layout(occlusion->tree, node);
    const struct snapshot_layout *styled =
        self->kind == SNAPSHOT_TEXT ? snapshot_layout(occlusion->tree, self->parent) : layout;
    styled = styled ? styled : layout;
    return layout && self->kind != SNAPSHOT_DOCUMENT && self->tag != TAG_BODY &&
           self->tag != TAG_HTML && !styled->takes_no_pointer && !styled->is_invisible &&
           !layout->has_clip_path && (!self->is_svg || self->tag == TAG_SVG) &&
           !occlusion->semantics->nodes[node].is_hidden &&
           !occlusion->semantics->nodes[node].is_inert && !is_line_content(occlusion->tree, node);
}

static void add_candidates(struct occlusion *occlusion, int node)
{
    const struct snapshot_tree *tree = occlusion->tree;
    const struct snapshot_placement *placement = &occlusion->placements[node];
    if (!occlusion->has_queries[tree->nodes[node].document] || placement->place != PLACE_IN_VIEW ||
        !takes_clicks(occlusion, node)) {
        return;
    }
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    bool has_lines = tree->nodes[node].kind == SNAPSHOT_TEXT && layout->line_count > 0;
    for (int i = 0; has_lines && i < layout->line_count; i++) {
        const struct snapshot_line *line = &tree->lines[layout->line + i];
        struct snapshot_box box =
            box_in_view(tree, node, line->x, line->y, line->width, line->height);
        struct edges edges = box_shown(occlusion->map, node, &box);
        add_candidate(occlusion, node, &edges);
    }
    if (!has_lines) {
        struct edges edges = box_shown(occlusion->map, node, &placement->box);
        add_candidate(occlusion, node, &edges);
    }
}

static int cell_at(double at, double first, double end)
{
    double cell = end > first ? (at - first) * GRID / (end - first) : 0;
    return cell <= 0 ? 0 : cell >= GRID - 1 ? GRID - 1 : (int)cell;
}

static int row_at(const struct occlusion *occlusion, double y)
{
    return cell_at(y, occlusion->view->top, occlusion->view->bottom);
}

static int column_at(const struct occlusion *occlusion, double x)
{
    return cell_at(x, occlusion->view->left, occlusion->view->right);
}

/* Returns whether a click on the label activates the control. */
static bool is_label_of(const struct occlusion *occlusion, int label, int control)
{
    const struct snapshot_tree *tree = occlusion->tree;
    const char *wanted = snapshot_attribute(tree, label, "for");
    const char *id = snapshot_attribute(tree, control, "id");
    return wanted ? id && *id && strcmp(wanted, id) == 0 : is_below(occlusion, control, label);
}

static bool is_of_label(const struct occlusion *occlusion, int occluder, int target)
{
    const struct snapshot_node *nodes = occlusion->tree->nodes;
    int node = occluder;
    for (int i = 0; i < MAX_LABEL_DEPTH && node != SNAPSHOT_NONE; i++) {
        if (nodes[node].tag == TAG_LABEL) {
            return is_label_of(occlusion, node, target);
        }
        node = nodes[node].parent;
    }
    return nodes[target].tag == TAG_LABEL && is_label_of(occlusion, target, occluder);
}

/* Returns the element to report: not a text, nor a part of a browser's control. */
static int element_of(const struct snapshot_tree *tree, int node)
{
    const struct snapshot_node *nodes = tree->nodes;
    while (nodes[node].parent != SNAPSHOT_NONE &&
           (nodes[node].kind != SNAPSHOT_ELEMENT || nodes[node].shadow == SNAPSHOT_USER_AGENT)) {
        node = nodes[node].parent;
    }
    return node;
}

static void settle(struct occlusion *occlusion, const struct query *query, int candidate)
{
    int occluder = element_of(occlusion->tree, candidate);
    struct snapshot_placement *placement = &occlusion->placements[query->target];
    bool is_above = candidate != query->node &&
                    compare_paint(occlusion, candidate, query->node) < 0 &&
                    !is_below(occlusion, occluder, query->node) &&
                    !is_below(occlusion, query->node, occluder) &&
                    !is_of_label(occlusion, occluder, query->target);
    if (is_above) {
        placement->is_occluded = true;
        placement->occluder = occluder;
    }
}

static void put_queries(struct occlusion *occlusion, size_t first, size_t end)
{
    for (int i = 0; i < GRID * GRID; i++) {
        occlusion->cells[i] = SNAPSHOT_NONE;
    }
    memset(occlusion->rows, 0, sizeof(occlusion->rows));
    occlusion->waiting = (int)(end - first);
    for (size_t i = first; i < end; i++) {
        struct query *query = &occlusion->queries[i];
        int row = row_at(occlusion, query->y);
        int *cell = &occlusion->cells[row * GRID + column_at(occlusion, query->x)];
        query->next = *cell;
        *cell = (int)i;
        occlusion->rows[row]++;
    }
}

/* Resolves the cell's points inside the candidate: it is the topmost element there. */
static void take_cell(struct occlusion *occlusion, const struct candidate *candidate, int row,
                      int column)
{
    int *link = &occlusion->cells[row * GRID + column];
    while (*link != SNAPSHOT_NONE) {
        struct query *query = &occlusion->queries[*link];
        occlusion->tests++;
        const struct edges *edges = &candidate->edges;
        if (query->x >= edges->left && query->x < edges->right && query->y >= edges->top &&
            query->y < edges->bottom) {
            *link = query->next;
            occlusion->rows[row]--;
            occlusion->waiting--;
            settle(occlusion, query, candidate->node);
        } else {
            link = &query->next;
        }
    }
}

static void take_points(struct occlusion *occlusion, const struct candidate *candidate)
{
    const struct edges *edges = &candidate->edges;
    int last_row = row_at(occlusion, edges->bottom);
    int first_column = column_at(occlusion, edges->left);
    int last_column = column_at(occlusion, edges->right);
    for (int row = row_at(occlusion, edges->top); row <= last_row; row++) {
        for (int column = first_column; occlusion->rows[row] > 0 && column <= last_column;
             column++) {
            take_cell(occlusion, candidate, row, column);
        }
    }
}

/* Queries and candidates are sorted by document. */
static void answer_queries(struct occlusion *occlusion)
{
    size_t first = 0;
    size_t candidate = 0;
    while (first < occlusion->query_count) {
        int document = occlusion->queries[first].document;
        size_t end = first;
        while (end < occlusion->query_count && occlusion->queries[end].document == document) {
            end++;
        }
        put_queries(occlusion, first, end);
        const struct snapshot_node *nodes = occlusion->tree->nodes;
        for (; candidate < occlusion->candidate_count &&
               nodes[occlusion->candidates[candidate].node].document <= document;
             candidate++) {
            if (nodes[occlusion->candidates[candidate].node].document == document &&
                occlusion->waiting > 0 && occlusion->tests < MAX_TESTS) {
                take_points(occlusion, &occlusion->candidates[candidate]);
            }
        }
        first = end;
    }
}

void occlusion_find(const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
                    const struct clip_map *map, const struct edges *view,
                    struct snapshot_placement *placements)
{
    size_t count = (size_t)tree->node_count + 1;
    CLEANUP_FREE struct occlusion *occlusion = xcalloc(1, sizeof(*occlusion));
    CLEANUP_FREE int *position = xcalloc(count, sizeof(int));
    CLEANUP_FREE int *end = xcalloc(count, sizeof(int));
    CLEANUP_FREE bool *is_inline = xcalloc(count, sizeof(bool));
    CLEANUP_FREE bool *has_queries = xcalloc((size_t)tree->document_count + 1, sizeof(bool));
    occlusion->tree = tree;
    occlusion->semantics = semantics;
    occlusion->map = map;
    occlusion->view = view;
    occlusion->placements = placements;
    occlusion->position = position;
    occlusion->end = end;
    occlusion->is_inline = is_inline;
    occlusion->has_queries = has_queries;
    number_nodes(occlusion);
    for (int i = 0; i < tree->order_count; i++) {
        if (is_target(occlusion, tree->order[i])) {
            add_queries(occlusion, tree->order[i]);
        }
    }
    for (int i = 0; occlusion->query_count > 0 && i < tree->order_count; i++) {
        add_candidates(occlusion, tree->order[i]);
    }
    if (occlusion->query_count > 0) {
        qsort(occlusion->queries, occlusion->query_count, sizeof(struct query), compare_queries);
    }
    if (occlusion->candidate_count > 0) {
        qsort_r(occlusion->candidates, occlusion->candidate_count, sizeof(struct candidate),
                compare_candidates, occlusion);
    }
    answer_queries(occlusion);
    free(occlusion->queries);
    free(occlusion->candidates);
}
