#include "imaging/label.h"

#include "runner/base/memory.h"

#include <math.h>

enum {
    MOST_CELLS = 1 << 21, /* in struct cover; limits its memory */
    BUCKET = 64,          /* side of a grid cell in pixels, at scale 1 */
    LARGE = 96,           /* least sides of a box that other labels' tags may hide a part of */
    NO_LINK = -1,
    STEPS = 6,    /* places along a side */
    MAX_AWAY = 4, /* distances from the box that are tried, half a tag's height apart */
};

/*
 * Costs of a place. 1 is the cost of a tag whose whole area hides content. A place with the least
 * cost wins.
 */
#define COST_OWN    1.0   /* more for hiding content of the element itself */
#define COST_OTHER  2.0   /* for hiding another label's element, whose tag it could seem to be */
#define COST_INSIDE 0.15  /* for any part inside the element's box */
#define COST_LATER  0.005 /* for each place that was tried before */
#define COST_AWAY   0.8   /* for a tag that does not touch its box */
#define COST_FAR    0.2   /* for each step away from the box */
#define COST_NEVER  1e9

/* A summed-area table of the cells that hold content: four sums give the count of a rectangle. */
struct cover {
    int cell; /* pixels */
    int columns, rows;
    uint32_t *sums; /* (columns + 1) × (rows + 1) */
};

/* Rectangles of labels, by the grid cells that they touch. */
struct grid {
    int bucket; /* side of a cell in pixels */
    int columns, rows;
    int *first; /* for each cell the index of its first link */
    struct link {
        struct image_rect rect;
        int label, next;
    } * links;
    size_t count, capacity;
};

struct placer {
    const struct image_label_ground *ground;
    struct image_label *labels;
    struct cover cover;
    struct grid tags;  /* placed tags */
    struct grid boxes; /* boxes of labels, except large ones */
};

/* The best place of a tag so far. */
struct choice {
    struct image_rect tag;
    double cost;
    int tried;
};

static int limit(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static void cover_init(struct cover *cover, const struct image_label_ground *ground)
{
    cover->cell = ground->scale;
    while ((double)ground->width / cover->cell * ground->height / cover->cell > MOST_CELLS) {
        cover->cell *= 2;
    }
    cover->columns = (ground->width + cover->cell - 1) / cover->cell;
    cover->rows = (ground->height + cover->cell - 1) / cover->cell;
    cover->sums =
        xcalloc((size_t)(cover->columns + 1) * (size_t)(cover->rows + 1), sizeof(*cover->sums));
}

static uint32_t *sum_at(const struct cover *cover, int column, int row)
{
    return &cover->sums[(size_t)row * (size_t)(cover->columns + 1) + (size_t)column];
}

/* The cells of a rectangle, rounded to whole ones, so that adjacent rectangles share none. */
static struct image_rect cells_of(const struct cover *cover, const struct image_rect *rect)
{
    double cell = cover->cell;
    int left = limit((int)lround(rect->x / cell), 0, cover->columns);
    int top = limit((int)lround(rect->y / cell), 0, cover->rows);
    int right = limit((int)lround((rect->x + rect->width) / cell), left, cover->columns);
    int bottom = limit((int)lround((rect->y + rect->height) / cell), top, cover->rows);
    return (struct image_rect){ left, top, right - left, bottom - top };
}

/* Marks the cells with content, each at its lower right point, and sums them up. */
static void cover_fill(struct cover *cover, const struct image_label_ground *ground)
{
    for (size_t i = 0; i < ground->content_count; i++) {
        struct image_rect cells = cells_of(cover, &ground->content[i]);
        for (int row = cells.y; row < cells.y + cells.height; row++) {
            for (int column = cells.x; column < cells.x + cells.width; column++) {
                *sum_at(cover, column + 1, row + 1) = 1;
            }
        }
    }
    for (int row = 1; row <= cover->rows; row++) {
        uint32_t before = 0;
        for (int column = 1; column <= cover->columns; column++) {
            before += *sum_at(cover, column, row);
            *sum_at(cover, column, row) = before + *sum_at(cover, column, row - 1);
        }
    }
}

/* Returns the number of the rectangle's cells that contain content. */
static double covered(const struct cover *cover, const struct image_rect *rect)
{
    struct image_rect cells = cells_of(cover, rect);
    int right = cells.x + cells.width;
    int bottom = cells.y + cells.height;
    return (double)*sum_at(cover, right, bottom) - *sum_at(cover, cells.x, bottom) -
           *sum_at(cover, right, cells.y) + *sum_at(cover, cells.x, cells.y);
}

static void grid_init(struct grid *grid, const struct image_label_ground *ground)
{
    grid->bucket = BUCKET * ground->scale;
    grid->columns = ground->width / grid->bucket + 1;
    grid->rows = ground->height / grid->bucket + 1;
    size_t count = (size_t)grid->columns * (size_t)grid->rows;
    grid->first = xmalloc(count * sizeof(*grid->first));
    for (size_t i = 0; i < count; i++) {
        grid->first[i] = NO_LINK;
    }
}

static void grid_finish(struct grid *grid)
{
    free(grid->first);
    free(grid->links);
}

static int *grid_at(const struct grid *grid, int column, int row)
{
    return &grid->first[(size_t)row * (size_t)grid->columns + (size_t)column];
}

/* The cells of a rectangle inside the picture. */
static struct image_rect grid_cells(const struct grid *grid, const struct image_rect *rect)
{
    int left = rect->x / grid->bucket;
    int top = rect->y / grid->bucket;
    return (struct image_rect){
        .x = left,
        .y = top,
        .width = (rect->x + rect->width - 1) / grid->bucket - left + 1,
        .height = (rect->y + rect->height - 1) / grid->bucket - top + 1,
    };
}

static void grid_add(struct grid *grid, const struct image_rect *rect, int label)
{
    struct image_rect cells = grid_cells(grid, rect);
    for (int row = cells.y; row < cells.y + cells.height; row++) {
        for (int column = cells.x; column < cells.x + cells.width; column++) {
            int *first = grid_at(grid, column, row);
            grid->links =
                array_reserve(grid->links, grid->count, &grid->capacity, sizeof(*grid->links));
            grid->links[grid->count] = (struct link){ *rect, label, *first };
            *first = (int)grid->count++;
        }
    }
}

static struct image_rect common(const struct image_rect *a, const struct image_rect *b)
{
    struct image_rect rect = { .x = a->x > b->x ? a->x : b->x, .y = a->y > b->y ? a->y : b->y };
    int right = a->x + a->width < b->x + b->width ? a->x + a->width : b->x + b->width;
    int bottom = a->y + a->height < b->y + b->height ? a->y + a->height : b->y + b->height;
    rect.width = right > rect.x ? right - rect.x : 0;
    rect.height = bottom > rect.y ? bottom - rect.y : 0;
    return rect;
}

static bool is_empty(const struct image_rect *rect)
{
    return rect->width <= 0 || rect->height <= 0;
}

static bool holds(const struct image_rect *outer, const struct image_rect *inner)
{
    return outer->x <= inner->x && outer->y <= inner->y &&
           outer->x + outer->width >= inner->x + inner->width &&
           outer->y + outer->height >= inner->y + inner->height;
}

static bool is_free(const struct placer *placer, const struct image_rect *tag)
{
    const struct grid *tags = &placer->tags;
    struct image_rect cells = grid_cells(tags, tag);
    for (int row = cells.y; row < cells.y + cells.height; row++) {
        for (int column = cells.x; column < cells.x + cells.width; column++) {
            for (int i = *grid_at(tags, column, row); i != NO_LINK; i = tags->links[i].next) {
                struct image_rect shared = common(tag, &tags->links[i].rect);
                if (!is_empty(&shared)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* The pixels of other boxes that a tag would hide, except boxes that contain the label's own. */
static double hidden_of_others(const struct placer *placer, const struct image_label *label,
                               const struct image_rect *tag)
{
    const struct grid *boxes = &placer->boxes;
    struct image_rect cells = grid_cells(boxes, tag);
    double pixels = 0;
    for (int row = cells.y; row < cells.y + cells.height; row++) {
        for (int column = cells.x; column < cells.x + cells.width; column++) {
            for (int i = *grid_at(boxes, column, row); i != NO_LINK; i = boxes->links[i].next) {
                const struct link *link = &boxes->links[i];
                struct image_rect shared = common(tag, &link->rect);
                /* A part that spans several cells is counted in the cell where it begins. */
                bool counts = !is_empty(&shared) && shared.x / boxes->bucket == column &&
                              shared.y / boxes->bucket == row;
                if (counts && &placer->labels[link->label] != label &&
                    !holds(&link->rect, &label->box)) {
                    pixels += (double)shared.width * shared.height;
                }
            }
        }
    }
    return pixels;
}

static double cost_of(const struct placer *placer, const struct image_label *label,
                      const struct image_rect *tag)
{
    const struct cover *cover = &placer->cover;
    double pixels = (double)tag->width * tag->height;
    double cells = pixels / cover->cell / cover->cell;
    struct image_rect inside = common(tag, &label->box);
    double cost =
        covered(cover, tag) / cells + COST_OTHER * hidden_of_others(placer, label, tag) / pixels;
    if (!is_empty(&inside)) {
        cost += COST_INSIDE + COST_OWN * covered(cover, &inside) / cells;
    }
    return cost;
}

/* Keeps the place if it costs less than the best one so far. */
static void consider(const struct placer *placer, const struct image_label *label, int x, int y,
                     double extra, struct choice *choice)
{
    struct image_rect tag = { x, y, choice->tag.width, choice->tag.height };
    double cost = extra + COST_LATER * choice->tried++;
    if (cost >= choice->cost || x < 0 || y < 0 || x + tag.width > placer->ground->width ||
        y + tag.height > placer->ground->height) {
        return;
    }
    cost += cost_of(placer, label, &tag);
    if (cost < choice->cost && is_free(placer, &tag)) {
        choice->tag = tag;
        choice->cost = cost;
    }
}

/* The tag's position at a step along a side. */
static int step_along(int start, int length, int tag_length, int step)
{
    int room = length - tag_length;
    return start + (room > 0 ? room * step / (STEPS - 1) : step ? room : 0);
}

/* Tries the corners around the box, `away` pixels from it, then places along its sides. */
static void consider_around(const struct placer *placer, const struct image_label *label, int away,
                            double extra, struct choice *choice)
{
    static const int steps[] = { 0, STEPS - 1, 1, 2, 3, 4 };
    const struct image_rect *box = &label->box;
    int width = choice->tag.width;
    int height = choice->tag.height;
    int above = box->y - height - away;
    int below = box->y + box->height + away;
    int before = box->x - width - away;
    int behind = box->x + box->width + away;
    for (int i = 0; i < STEPS; i++) {
        int across = step_along(box->x, box->width, width, steps[i]);
        int down = step_along(box->y, box->height, height, steps[i]);
        consider(placer, label, across, above, extra, choice);
        consider(placer, label, before, down, extra, choice);
        consider(placer, label, behind, down, extra, choice);
        consider(placer, label, across, below, extra, choice);
    }
}

/* Tries places inside the box, along its edges, if it is large enough. */
static void consider_inside(const struct placer *placer, const struct image_label *label,
                            struct choice *choice)
{
    const struct image_rect *box = &label->box;
    if (box->width < choice->tag.width || box->height < choice->tag.height) {
        return;
    }
    int right = box->x + box->width - choice->tag.width;
    int bottom = box->y + box->height - choice->tag.height;
    for (int step = STEPS - 1; step >= 0; step--) {
        int across = step_along(box->x, box->width, choice->tag.width, step);
        int down = step_along(box->y, box->height, choice->tag.height, step);
        consider(placer, label, across, box->y, 0, choice);
        consider(placer, label, across, bottom, 0, choice);
        consider(placer, label, right, down, 0, choice);
        consider(placer, label, box->x, down, 0, choice);
    }
}

static void place(struct placer *placer, int index)
{
    struct image_label *label = &placer->labels[index];
    int scale = placer->ground->scale;
    struct choice choice = { .tag = image_label_size(label->text, scale), .cost = COST_NEVER };
    consider_around(placer, label, 0, 0, &choice);
    consider_inside(placer, label, &choice);
    for (int i = 1; i <= MAX_AWAY && choice.cost > COST_AWAY; i++) {
        consider_around(placer, label, i * choice.tag.height / 2, COST_AWAY + i * COST_FAR,
                        &choice);
    }
    label->has_tag = choice.cost < COST_NEVER;
    if (label->has_tag) {
        label->tag = choice.tag;
        grid_add(&placer->tags, &label->tag, index);
    }
}

static void add_boxes(struct placer *placer, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct image_rect *box = &placer->labels[i].box;
        bool is_small = box->width < LARGE * placer->ground->scale ||
                        box->height < LARGE * placer->ground->scale;
        if (is_small && !is_empty(box)) {
            grid_add(&placer->boxes, box, (int)i);
        }
    }
}

void image_label_place(struct image_label *labels, size_t count,
                       const struct image_label_ground *ground)
{
    struct placer placer = { .ground = ground, .labels = labels };
    cover_init(&placer.cover, ground);
    cover_fill(&placer.cover, ground);
    grid_init(&placer.tags, ground);
    grid_init(&placer.boxes, ground);
    add_boxes(&placer, count);
    for (size_t i = 0; i < count; i++) {
        place(&placer, (int)i);
    }
    free(placer.cover.sums);
    grid_finish(&placer.tags);
    grid_finish(&placer.boxes);
}
