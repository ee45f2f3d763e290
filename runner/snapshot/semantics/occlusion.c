#include "runner/snapshot/semantics/occlusion.h"

#include "runner/base/memory.h"
#include "runner/snapshot/semantics/click_area.h"

#include <string.h>

/*
 * For each element that a person may operate there is a point where a click would go. What may
 * cover it is taken from the top down, and has all points at once that lie in it: a grid knows
 * which are near. In the documents around a frame, the frame stands for what is in it.
 */

enum {
    GRID = 48,            /* cells on each side of the viewport */
    MAX_FRAMES = 32,      /* around an element; covers of further ones are not looked for */
    MAX_LABEL_DEPTH = 32, /* of what is drawn inside of a label */
    MAX_TESTS = 50000000, /* of a point against a box; real pages need some thousand */
};

/* A point that has to be reached. */
struct query {
    int document;
    int node; /* of the document: the target, or the frame that it is in */
    int target;
    float x, y;
    int next; /* in the same cell; NONE */
};

struct candidate {
    int node;
    struct edges edges;
};

struct covering {
    const struct snapshot_tree *tree;
    const struct snapshot_semantics *semantics;
    const struct clip_map *map;
    struct snapshot_sight *sights; /* of each node */
    int *position, *end;           /* of each node: in the order, and where what is below it ends */
    bool *is_inline;               /* it is painted with the lines of its layer, above blocks */
    bool *has_queries;             /* of each document */
    struct query *queries;
    size_t query_count, query_capacity;
    struct candidate *candidates;
    size_t candidate_count, candidate_capacity;
    int cells[GRID * GRID];
    int rows[GRID]; /* how many points wait there */
    int waiting;
    long tests;
};

static bool is_below(const struct covering *covering, int node, int ancestor)
{
    return covering->position[node] >= covering->position[ancestor] &&
           covering->position[node] < covering->end[ancestor];
}

/* Where each node is in the order, which of them are inline, and where subtrees end. */
static void number_nodes(struct covering *covering)
{
    const struct snapshot_tree *tree = covering->tree;
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        const struct snapshot_node *self = &tree->nodes[node];
        const struct snapshot_layout *layout = snapshot_layout(tree, node);
        covering->position[node] = i;
        covering->end[node] = i + 1;
        if (layout && self->parent != SNAPSHOT_NONE) {
            const struct snapshot_layout *around = snapshot_layout(tree, self->parent);
            bool is_same_layer = around && around->paint_order == layout->paint_order;
            covering->is_inline[node] = self->kind == SNAPSHOT_TEXT ||
                                        layout->display == DISPLAY_INLINE ||
                                        layout->display == DISPLAY_INLINE_BLOCK ||
                                        (is_same_layer && covering->is_inline[self->parent]);
        }
    }
    for (int i = tree->order_count - 1; i >= 0; i--) {
        int node = tree->order[i];
        int parent = tree->nodes[node].parent;
        if (parent != SNAPSHOT_NONE && covering->end[node] > covering->end[parent]) {
            covering->end[parent] = covering->end[node];
        }
    }
}

/* Negative when a is painted above b; both are of one document. */
static int compare_paint(const struct covering *covering, int a, int b)
{
    const struct snapshot_layout *first = snapshot_layout(covering->tree, a);
    const struct snapshot_layout *second = snapshot_layout(covering->tree, b);
    if (first->paint_order != second->paint_order) {
        return first->paint_order > second->paint_order ? -1 : 1;
    }
    if (covering->is_inline[a] != covering->is_inline[b]) {
        return covering->is_inline[a] ? -1 : 1;
    }
    return covering->position[a] > covering->position[b] ? -1 : 1;
}

static int compare_candidates(const void *a, const void *b, void *data)
{
    const struct covering *covering = data;
    const struct candidate *first = a;
    const struct candidate *second = b;
    const struct snapshot_node *nodes = covering->tree->nodes;
    int difference = nodes[first->node].document - nodes[second->node].document;
    if (difference == 0 && first->node != second->node) {
        difference = compare_paint(covering, first->node, second->node);
    }
    return difference;
}

static int compare_queries(const void *a, const void *b)
{
    const struct query *first = a;
    const struct query *second = b;
    return first->document - second->document;
}

static bool is_target(const struct covering *covering, int node)
{
    const struct snapshot_meaning *meaning = &covering->semantics->meanings[node];
    return covering->sights[node].place == PLACE_IN_VIEW &&
           covering->tree->nodes[node].kind == SNAPSHOT_ELEMENT &&
           (meaning->tier == TIER_INTERACTIVE || snapshot_role_is(meaning->role, IS_OPERABLE)) &&
           !meaning->is_hidden && !meaning->is_inert && snapshot_layout(covering->tree, node);
}

/* The point of a target, in its document and for the frames that it is in. */
static void add_queries(struct covering *covering, int target)
{
    const struct snapshot_tree *tree = covering->tree;
    struct edges area = click_area(tree, covering->map, covering->sights, target);
    int node = target;
    if (edges_are_empty(&area)) {
        return;
    }
    for (int i = 0; i < MAX_FRAMES && node != SNAPSHOT_NONE && snapshot_layout(tree, node); i++) {
        int document = tree->nodes[node].document;
        covering->queries = array_reserve(covering->queries, covering->query_count,
                                          &covering->query_capacity, sizeof(struct query));
        covering->queries[covering->query_count++] = (struct query){
            .document = document,
            .node = node,
            .target = target,
            .x = (float)((area.left + area.right) / 2),
            .y = (float)((area.top + area.bottom) / 2),
        };
        covering->has_queries[document] = true;
        node = tree->nodes[tree->documents[document].root].parent;
    }
}

static void add_candidate(struct covering *covering, int node, const struct edges *edges)
{
    if (!edges_are_empty(edges)) {
        covering->candidates =
            array_reserve(covering->candidates, covering->candidate_count,
                          &covering->candidate_capacity, sizeof(struct candidate));
        covering->candidates[covering->candidate_count++] = (struct candidate){ node, *edges };
    }
}

/* Whether a click on it would be its own. What is transparent takes clicks as anything else. */
static bool takes_clicks(const struct covering *covering, int node)
{
    const struct snapshot_node *self = &covering->tree->nodes[node];
    const struct snapshot_layout *layout = snapshot_layout(covering->tree, node);
    const struct snapshot_layout *styled =
        self->kind == SNAPSHOT_TEXT ? snapshot_layout(covering->tree, self->parent) : layout;
    styled = styled ? styled : layout;
    return layout && self->kind != SNAPSHOT_DOCUMENT && self->tag != TAG_BODY &&
           self->tag != TAG_HTML && !styled->takes_no_pointer && !styled->is_invisible &&
           !layout->has_clip_path && (!self->is_svg || self->tag == TAG_SVG) &&
           !covering->semantics->meanings[node].is_hidden &&
           !covering->semantics->meanings[node].is_inert && !is_line_content(covering->tree, node);
}

static void add_candidates(struct covering *covering, int node)
{
    const struct snapshot_tree *tree = covering->tree;
    const struct snapshot_sight *sight = &covering->sights[node];
    if (!covering->has_queries[tree->nodes[node].document] || sight->place != PLACE_IN_VIEW ||
        !takes_clicks(covering, node)) {
        return;
    }
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    bool has_lines = tree->nodes[node].kind == SNAPSHOT_TEXT && layout->line_count > 0;
    for (int i = 0; has_lines && i < layout->line_count; i++) {
        const struct snapshot_line *line = &tree->lines[layout->line + i];
        struct snapshot_box box =
            box_in_view(tree, node, line->x, line->y, line->width, line->height);
        struct edges edges = box_shown(covering->map, node, &box);
        add_candidate(covering, node, &edges);
    }
    if (!has_lines) {
        struct edges edges = box_shown(covering->map, node, &sight->box);
        add_candidate(covering, node, &edges);
    }
}

static int cell_at(double at, double size)
{
    double cell = size > 0 ? at * GRID / size : 0;
    return cell <= 0 ? 0 : cell >= GRID - 1 ? GRID - 1 : (int)cell;
}

/* Whether a click on the label is one on the control. */
static bool is_label_of(const struct covering *covering, int label, int control)
{
    const struct snapshot_tree *tree = covering->tree;
    const char *wanted = snapshot_attribute(tree, label, "for");
    const char *id = snapshot_attribute(tree, control, "id");
    return wanted ? id && *id && strcmp(wanted, id) == 0 : is_below(covering, control, label);
}

static bool is_of_label(const struct covering *covering, int cover, int target)
{
    const struct snapshot_node *nodes = covering->tree->nodes;
    int node = cover;
    for (int i = 0; i < MAX_LABEL_DEPTH && node != SNAPSHOT_NONE; i++) {
        if (nodes[node].tag == TAG_LABEL) {
            return is_label_of(covering, node, target);
        }
        node = nodes[node].parent;
    }
    return nodes[target].tag == TAG_LABEL && is_label_of(covering, target, cover);
}

/* The element that a person would name: not the text, nor a part of a control of the browser's. */
static int element_of(const struct snapshot_tree *tree, int node)
{
    const struct snapshot_node *nodes = tree->nodes;
    while (nodes[node].parent != SNAPSHOT_NONE &&
           (nodes[node].kind != SNAPSHOT_ELEMENT || nodes[node].shadow == SNAPSHOT_USER_AGENT)) {
        node = nodes[node].parent;
    }
    return node;
}

static void settle(struct covering *covering, const struct query *query, int candidate)
{
    int cover = element_of(covering->tree, candidate);
    struct snapshot_sight *sight = &covering->sights[query->target];
    bool is_above =
        candidate != query->node && compare_paint(covering, candidate, query->node) < 0 &&
        !is_below(covering, cover, query->node) && !is_below(covering, query->node, cover) &&
        !is_of_label(covering, cover, query->target);
    if (is_above) {
        sight->is_covered = true;
        sight->cover = cover;
    }
}

static void put_queries(struct covering *covering, size_t first, size_t end)
{
    const struct snapshot_tree *tree = covering->tree;
    for (int i = 0; i < GRID * GRID; i++) {
        covering->cells[i] = SNAPSHOT_NONE;
    }
    memset(covering->rows, 0, sizeof(covering->rows));
    covering->waiting = (int)(end - first);
    for (size_t i = first; i < end; i++) {
        struct query *query = &covering->queries[i];
        int row = cell_at(query->y, tree->height);
        int *cell = &covering->cells[row * GRID + cell_at(query->x, tree->width)];
        query->next = *cell;
        *cell = (int)i;
        covering->rows[row]++;
    }
}

/* The points of the cell that lie in the candidate have met what is on top of them. */
static void take_cell(struct covering *covering, const struct candidate *candidate, int row,
                      int column)
{
    int *link = &covering->cells[row * GRID + column];
    while (*link != SNAPSHOT_NONE) {
        struct query *query = &covering->queries[*link];
        covering->tests++;
        const struct edges *edges = &candidate->edges;
        if (query->x >= edges->left && query->x < edges->right && query->y >= edges->top &&
            query->y < edges->bottom) {
            *link = query->next;
            covering->rows[row]--;
            covering->waiting--;
            settle(covering, query, candidate->node);
        } else {
            link = &query->next;
        }
    }
}

static void take_points(struct covering *covering, const struct candidate *candidate)
{
    const struct snapshot_tree *tree = covering->tree;
    const struct edges *edges = &candidate->edges;
    int last_row = cell_at(edges->bottom, tree->height);
    int first_column = cell_at(edges->left, tree->width);
    int last_column = cell_at(edges->right, tree->width);
    for (int row = cell_at(edges->top, tree->height); row <= last_row; row++) {
        for (int column = first_column; covering->rows[row] > 0 && column <= last_column;
             column++) {
            take_cell(covering, candidate, row, column);
        }
    }
}

/* Queries and candidates are sorted by document. */
static void answer_queries(struct covering *covering)
{
    size_t first = 0;
    size_t candidate = 0;
    while (first < covering->query_count) {
        int document = covering->queries[first].document;
        size_t end = first;
        while (end < covering->query_count && covering->queries[end].document == document) {
            end++;
        }
        put_queries(covering, first, end);
        const struct snapshot_node *nodes = covering->tree->nodes;
        for (; candidate < covering->candidate_count &&
               nodes[covering->candidates[candidate].node].document <= document;
             candidate++) {
            if (nodes[covering->candidates[candidate].node].document == document &&
                covering->waiting > 0 && covering->tests < MAX_TESTS) {
                take_points(covering, &covering->candidates[candidate]);
            }
        }
        first = end;
    }
}

void cover_find(const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
                const struct clip_map *map, struct snapshot_sight *sights)
{
    size_t count = (size_t)tree->node_count + 1;
    CLEANUP_FREE struct covering *covering = xcalloc(1, sizeof(*covering));
    CLEANUP_FREE int *position = xcalloc(count, sizeof(int));
    CLEANUP_FREE int *end = xcalloc(count, sizeof(int));
    CLEANUP_FREE bool *is_inline = xcalloc(count, sizeof(bool));
    CLEANUP_FREE bool *has_queries = xcalloc((size_t)tree->document_count + 1, sizeof(bool));
    covering->tree = tree;
    covering->semantics = semantics;
    covering->map = map;
    covering->sights = sights;
    covering->position = position;
    covering->end = end;
    covering->is_inline = is_inline;
    covering->has_queries = has_queries;
    number_nodes(covering);
    for (int i = 0; i < tree->order_count; i++) {
        if (is_target(covering, tree->order[i])) {
            add_queries(covering, tree->order[i]);
        }
    }
    for (int i = 0; covering->query_count > 0 && i < tree->order_count; i++) {
        add_candidates(covering, tree->order[i]);
    }
    if (covering->query_count > 0) {
        qsort(covering->queries, covering->query_count, sizeof(struct query), compare_queries);
    }
    if (covering->candidate_count > 0) {
        qsort_r(covering->candidates, covering->candidate_count, sizeof(struct candidate),
                compare_candidates, covering);
    }
    answer_queries(covering);
    free(covering->queries);
    free(covering->candidates);
}
