#include "imaging/diff_run.h"

#include "imaging/both.h"
#include "imaging/diff.h"
#include "imaging/diff_clusters.h"
#include "imaging/diff_pixels.h"
#include "imaging/image.h"
#include "runner/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct diff_density {
    int width;
    int window;     /* pixels per side */
    int clean_rows; /* since the last row with a differing pixel */
    uint8_t *rows;  /* the last `window` rows: which pixels differ */
    uint32_t *sums; /* for each column of those rows */
    size_t highest; /* the result so far */
};

/*
 * A window larger than the picture is reduced. Returns false if there is no memory. The caller
 * finishes.
 */
static bool diff_density_init(struct diff_density *density, int width, int height, int window,
                              struct br_error *err)
{
    int larger = width > height ? width : height;
    *density = (struct diff_density){
        .width = width,
        .window = window < larger ? window : larger,
    };
    density->clean_rows = density->window;
    size_t rows = (size_t)(density->window < height ? density->window : height);
    density->rows = calloc(rows, (size_t)width);
    density->sums = calloc((size_t)width, sizeof(*density->sums));
    if (!density->rows || !density->sums) {
        return error_set(err, BR_LIMIT_EXCEEDED, "No memory for a window of %d rows of %d pixels",
                         density->window, width);
    }
    return true;
}

static void diff_density_finish(struct diff_density *density)
{
    free(density->rows);
    free(density->sums);
    *density = (struct diff_density){ 0 };
}

/* Returns the highest sum of `window` adjacent columns. */
static size_t highest_sum(const struct diff_density *density)
{
    size_t sum = 0;
    size_t highest = 0;
    for (int x = 0; x < density->width; x++) {
        sum += density->sums[x];
        if (x >= density->window) {
            sum -= density->sums[x - density->window];
        }
        highest = sum > highest ? sum : highest;
    }
    return highest;
}

/* Adds the next row y; is_clean: none of its pixels differs. */
static void diff_density_add_row(struct diff_density *density, int y, const uint8_t *states,
                                 bool is_clean)
{
    density->clean_rows = is_clean ? density->clean_rows + 1 : 0;
    if (density->clean_rows > density->window) {
        /* The window has no differing pixels, and its rows are already zero. */
        density->clean_rows = density->window;
        return;
    }
    uint8_t *row = density->rows + (size_t)(y % density->window) * (size_t)density->width;
    for (int x = 0; x < density->width; x++) {
        uint8_t differs = (states[x] == DIFF_DIFFERENT) | (states[x] == DIFF_ALONE);
        density->sums[x] += (uint32_t)differs - row[x];
        row[x] = differs;
    }
    if (!is_clean) {
        size_t highest = highest_sum(density);
        density->highest = highest > density->highest ? highest : density->highest;
    }
}

/* A smaller block is not worth a thread. */
#define MIN_THREAD_PIXELS ((size_t)64 * 1024)

/* A row of the joint picture, compared. */
struct row_states {
    uint8_t *states;
    bool is_clean; /* all states are DIFF_SAME */
};

/* Rows that are compared while those above are counted and drawn. */
struct row_block {
    int first, end;
    uint8_t *states; /* of all lines */
    struct row_states lines[DIFF_BLOCK];
};

/*
 * State of a comparison, which passes through the pictures once from the top. Comparing changes
 * only the lines and diff->is_exact; only the counting thread changes the other members.
 */
struct comparison {
    const struct image_diff_options *options;
    struct image_diff *diff;
    const struct diff_rows *rows; /* NULL: the pictures are complete */
    struct diff_pair pair;
    struct diff_rule rule;
    struct diff_rule *zone_rules;         /* of each zone */
    struct diff_oklab *oklab;             /* NULL: not needed */
    struct diff_clusters clusters;        /* of the pixels that count */
    struct diff_clusters strict_clusters; /* of the pixels of the strict pass */
    struct diff_density density;
    struct row_block blocks[2];
    bool was_clean; /* the line above was clean, and that was drawn */
    bool has_strict_pass;
    bool is_same_picture; /* both are the same pixels in memory */
    size_t counts[DIFF_LEFT_OUT + 1];
};

static bool check_options(const struct image_diff_options *options, struct br_error *err)
{
    if (!(options->threshold >= 0 && options->threshold <= 1)) {
        return error_set(err, BR_INVALID_ACTION, "The threshold %g is not from 0 to 1",
                         options->threshold);
    }
    if (!(options->strict_threshold < options->threshold)) {
        return error_set(err, BR_INVALID_ACTION,
                         "The strict threshold %g is not below the threshold %g",
                         options->strict_threshold, options->threshold);
    }
    for (size_t i = 0; i < options->zone_count; i++) {
        if (!(options->zones[i].threshold >= 0 && options->zones[i].threshold <= 1)) {
            return error_set(err, BR_INVALID_ACTION,
                             "The threshold %g of a part is not from 0 to 1",
                             options->zones[i].threshold);
        }
    }
    if (options->ignored_count > IMAGE_DIFF_MAX_IGNORED ||
        options->zone_count > IMAGE_DIFF_MAX_IGNORED) {
        return error_set(err, BR_LIMIT_EXCEEDED,
                         "More than %d rectangles are to be ignored or have a threshold",
                         IMAGE_DIFF_MAX_IGNORED);
    }
    if (options->density_window < 0 || options->density_window > IMAGE_DIFF_MAX_WINDOW) {
        return error_set(err, BR_INVALID_ACTION,
                         "The density window of %d pixels is not from 0 to %d",
                         options->density_window, IMAGE_DIFF_MAX_WINDOW);
    }
    return true;
}

static int larger(int first, int second)
{
    return first > second ? first : second;
}

static int smaller(int first, int second)
{
    return first < second ? first : second;
}

/* Computes sizes only; allocates nothing. */
static bool measure(struct comparison *comparison, const struct diff_view *a,
                    const struct diff_view *b, struct br_error *err)
{
    struct image_diff *diff = comparison->diff;
    diff->width = larger(a->width, b->width);
    diff->height = larger(a->height, b->height);
    diff->layout_differs = a->width != b->width || a->height != b->height;
    diff->is_exact = !diff->layout_differs;
    comparison->pair = (struct diff_pair){
        .a = a,
        .b = b,
        .width = smaller(a->width, b->width),
        .height = smaller(a->height, b->height),
    };
    comparison->is_same_picture = a->pixels == b->pixels && !diff->layout_differs;
    diff->total_pixels = (size_t)a->width * (size_t)a->height +
                         (size_t)b->width * (size_t)b->height -
                         (size_t)comparison->pair.width * (size_t)comparison->pair.height;
    return image_check_size((unsigned)diff->width, (unsigned)diff->height, err) ||
           error_context(err, "The pictures together");
}

static bool prepare(struct comparison *comparison, struct br_error *err)
{
    const struct image_diff_options *options = comparison->options;
    struct image_diff *diff = comparison->diff;
    if (options->metric == IMAGE_DIFF_PIXELMATCH_8) {
        comparison->oklab = diff_oklab_create();
    }
    diff_rule_init(&comparison->rule, options, comparison->oklab);
    comparison->zone_rules = xcalloc(options->zone_count + 1, sizeof(*comparison->zone_rules));
    for (size_t i = 0; i < options->zone_count; i++) {
        struct image_diff_options own = *options;
        own.threshold = options->zones[i].threshold;
        diff_rule_init(&comparison->zone_rules[i], &own, comparison->oklab);
    }
    comparison->has_strict_pass = options->strict_threshold >= 0;
    for (size_t i = 0; i < 2; i++) {
        struct row_block *block = &comparison->blocks[i];
        block->states = calloc((size_t)diff->width, DIFF_BLOCK);
        if (!block->states) {
            return error_set(err, BR_LIMIT_EXCEEDED, "No memory to compare pictures %d pixels wide",
                             diff->width);
        }
        for (size_t line = 0; line < DIFF_BLOCK; line++) {
            block->lines[line] =
                (struct row_states){ block->states + line * (size_t)diff->width, true };
        }
    }
    return diff_clusters_init(&comparison->clusters, diff->width, DIFF_DIFFERENT, err) &&
           (!comparison->has_strict_pass ||
            diff_clusters_init(&comparison->strict_clusters, diff->width, DIFF_FAINT, err)) &&
           (!options->density_window ||
            diff_density_init(&comparison->density, diff->width, diff->height,
                              options->density_window, err)) &&
           (!options->has_picture || diff_picture_init(&diff->picture, diff->width, diff->height,
                                                       options->is_picture_mask, err));
}

static void release(struct comparison *comparison)
{
    free(comparison->blocks[0].states);
    free(comparison->blocks[1].states);
    free(comparison->zone_rules);
    free(comparison->oklab);
    diff_clusters_finish(&comparison->clusters);
    diff_clusters_finish(&comparison->strict_clusters);
    diff_density_finish(&comparison->density);
}

/* Sets the states of the part of row y that is not common to both pictures. */
static void mark_beyond(const struct comparison *comparison, int y, struct row_states *line)
{
    const struct diff_view *a = comparison->pair.a;
    const struct diff_view *b = comparison->pair.b;
    int a_end = y < a->height ? a->width : 0;
    int b_end = y < b->height ? b->width : 0;
    int both_end = smaller(a_end, b_end);
    int end = larger(a_end, b_end);
    uint8_t *states = line->states;
    if (both_end < comparison->diff->width) {
        memset(states + both_end, DIFF_ALONE, (size_t)(end - both_end));
        memset(states + end, DIFF_NOWHERE, (size_t)(comparison->diff->width - end));
        line->is_clean = false;
    }
}

/* Leaves pixels that neither picture has. */
static void mark_ignored(const struct comparison *comparison, int y, struct row_states *line)
{
    const struct image_diff *diff = comparison->diff;
    for (size_t i = 0; i < comparison->options->ignored_count; i++) {
        const struct image_rect *rect = &comparison->options->ignored[i];
        if (y < rect->y || (int64_t)y >= (int64_t)rect->y + rect->height) {
            continue;
        }
        struct image_rect part = image_rect_clip(rect, diff->width, diff->height);
        for (int x = part.x; x < part.x + part.width; x++) {
            if (line->states[x] != DIFF_NOWHERE) {
                line->states[x] = DIFF_LEFT_OUT;
                line->is_clean = false;
            }
        }
    }
}

/* Counts the states of the row; returns whether any of them counts as different or faint. */
static bool count_row(struct comparison *comparison, const uint8_t *states)
{
    size_t counts[DIFF_LEFT_OUT + 1] = { 0 };
    for (int x = 0; x < comparison->diff->width; x++) {
        counts[states[x]]++;
    }
    for (size_t i = 0; i <= DIFF_LEFT_OUT; i++) {
        comparison->counts[i] += counts[i];
    }
    return counts[DIFF_DIFFERENT] || counts[DIFF_ALONE] || counts[DIFF_FAINT];
}

/* Returns whether the row has to be compared; all rows that the rule reads are then available. */
static bool may_differ(const struct comparison *comparison, int y)
{
    const struct diff_rows *rows = comparison->rows;
    return !comparison->is_same_picture && (!rows || rows->make(rows->data, y));
}

static bool is_same_row(const struct diff_pair *pair, int y)
{
    return memcmp(diff_view_row(pair->a, y), diff_view_row(pair->b, y),
                  (size_t)pair->width * IMAGE_BYTES_PER_PIXEL) == 0;
}

/* Returns the rule of a pixel. Reduces *end to where the row may have another one. */
static const struct diff_rule *rule_at(const struct comparison *comparison, int x, int y, int *end)
{
    const struct diff_rule *rule = &comparison->rule;
    for (size_t i = 0; i < comparison->options->zone_count; i++) {
        const struct image_rect part = image_rect_clip(
            &comparison->options->zones[i].rect, comparison->diff->width, comparison->diff->height);
        if (y < part.y || y >= part.y + part.height) {
            continue;
        }
        if (x < part.x) {
            *end = smaller(*end, part.x);
        } else if (x < part.x + part.width) {
            rule = &comparison->zone_rules[i];
            *end = smaller(*end, part.x + part.width);
        }
    }
    return rule;
}

/* Compares each part of the row by its rule. Returns whether it found anything. */
static bool compare_parts(const struct comparison *comparison, int y, uint8_t *states)
{
    const struct diff_pair *pair = &comparison->pair;
    bool any = false;
    for (int x = 0; x < pair->width;) {
        int end = pair->width;
        const struct diff_rule *rule = rule_at(comparison, x, y, &end);
        any |= diff_row(rule, pair, y, x, end, states);
        x = end;
    }
    return any;
}

static void compare_row(struct comparison *comparison, int y, struct row_states *line)
{
    const struct diff_pair *pair = &comparison->pair;
    if (!line->is_clean) {
        memset(line->states, DIFF_SAME, (size_t)comparison->diff->width);
        line->is_clean = true;
    }
    mark_beyond(comparison, y, line);
    mark_ignored(comparison, y, line);
    if (y < pair->height && may_differ(comparison, y) && !is_same_row(pair, y)) {
        comparison->diff->is_exact = false;
        line->is_clean &= !compare_parts(comparison, y, line->states);
    }
}

/* Returns NULL below the picture's end, and if equal pictures are compared without pixels. */
static const uint8_t *row_or_null(const struct diff_view *view, int y)
{
    return view->pixels && y < view->height ? diff_view_row(view, y) : NULL;
}

static void draw_row(struct comparison *comparison, int y, const struct row_states *line)
{
    const struct diff_rows *rows = comparison->rows;
    const struct diff_view *a = comparison->pair.a;
    struct image_diff_picture *picture = &comparison->diff->picture;
    if (y >= a->height) {
        diff_picture_draw_page(picture, y, NULL, 0);
    } else {
        struct diff_page page = rows ? rows->page(rows->data, y)
                                     : (struct diff_page){ .pixels = diff_view_row(a, y),
                                                           .pixel_size = IMAGE_BYTES_PER_PIXEL };
        if (!comparison->was_clean) {
            page.above = NULL;
        }
        diff_picture_draw_page(picture, y, &page, a->width);
    }
    if (!line->is_clean) {
        diff_picture_draw_marks(picture, y, line->states);
    }
    comparison->was_clean = line->is_clean;
}

static void use_row(struct comparison *comparison, int y, struct row_states *line)
{
    const uint8_t *a = row_or_null(comparison->pair.a, y);
    const uint8_t *b = row_or_null(comparison->pair.b, y);
    const uint8_t *states = line->states;
    bool differs = !line->is_clean && count_row(comparison, states);
    if (differs) {
        diff_clusters_add_row(&comparison->clusters, y, states, a, b);
    }
    if (differs && comparison->has_strict_pass) {
        diff_clusters_add_row(&comparison->strict_clusters, y, states, a, b);
    }
    if (comparison->options->density_window) {
        diff_density_add_row(&comparison->density, y, states, !differs);
    }
    if (comparison->options->has_picture) {
        draw_row(comparison, y, line);
    }
}

/* The regions found and their hashes, while they are collected. */
struct findings {
    struct image_diff_region *regions;
    uint64_t *prints;
    size_t count;
};

static void take_clusters(struct findings *findings, const struct diff_clusters *clusters,
                          bool is_faint, size_t least_pixels)
{
    for (size_t i = 0; i < clusters->count; i++) {
        const struct diff_cluster *cluster = &clusters->clusters[i];
        size_t pixels = is_faint ? cluster->faint_pixels : cluster->pixels;
        if (!diff_cluster_is_root(clusters, i) || cluster->pixels < least_pixels || pixels == 0) {
            continue;
        }
        findings->regions[findings->count] = (struct image_diff_region){
            .box = { .x = cluster->left,
                     .y = cluster->top,
                     .width = cluster->right - cluster->left + 1,
                     .height = cluster->bottom - cluster->top + 1 },
            .pixels = pixels,
            .is_faint = is_faint,
        };
        findings->prints[findings->count++] = diff_cluster_print(cluster);
    }
}

static int compare_prints(const void *first, const void *second)
{
    uint64_t a = *(const uint64_t *)first;
    uint64_t b = *(const uint64_t *)second;
    return (a > b) - (a < b);
}

static int compare_regions(const void *first, const void *second)
{
    const struct image_diff_region *a = first;
    const struct image_diff_region *b = second;
    if (a->pixels != b->pixels) {
        return a->pixels < b->pixels ? 1 : -1;
    }
    if (a->box.y != b->box.y) {
        return a->box.y < b->box.y ? -1 : 1;
    }
    return (a->box.x > b->box.x) - (a->box.x < b->box.x);
}

/* Counts equal changes once: the same change in three or in five list items is one change. */
static void make_fingerprint(struct image_diff *diff, const struct findings *findings)
{
    uint64_t print = 0;
    qsort(findings->prints, findings->count, sizeof(*findings->prints), compare_prints);
    for (size_t i = 0; i < findings->count; i++) {
        if (i == 0 || findings->prints[i] != findings->prints[i - 1]) {
            print = diff_print_add(print, findings->prints[i]);
        }
    }
    if (findings->count) {
        snprintf(diff->fingerprint, sizeof(diff->fingerprint), "%016" PRIx64, print);
    }
}

static void conclude(struct comparison *comparison)
{
    struct image_diff *diff = comparison->diff;
    const size_t *counts = comparison->counts;
    diff->diff_pixels = counts[DIFF_DIFFERENT] + counts[DIFF_ALONE];
    diff->antialiased_pixels = counts[DIFF_ANTIALIASED];
    diff->ignored_pixels = counts[DIFF_LEFT_OUT];
    diff->diff_ratio = (double)diff->diff_pixels / (double)diff->total_pixels;
    diff->density = comparison->density.highest;
    size_t most = comparison->clusters.count + comparison->strict_clusters.count;
    struct findings findings = {
        .regions = xcalloc(most + 1, sizeof(*findings.regions)),
        .prints = xcalloc(most + 1, sizeof(*findings.prints)),
    };
    take_clusters(&findings, &comparison->clusters, false, 1);
    take_clusters(&findings, &comparison->strict_clusters, true, comparison->options->strict_area);
    for (size_t i = 0; i < findings.count; i++) {
        diff->faint_pixels += findings.regions[i].is_faint ? findings.regions[i].pixels : 0;
    }
    make_fingerprint(diff, &findings);
    qsort(findings.regions, findings.count, sizeof(*findings.regions), compare_regions);
    diff->is_different = diff->diff_pixels || diff->faint_pixels;
    diff->regions = findings.regions;
    diff->region_total = findings.count;
    diff->region_count = findings.count < comparison->options->max_regions
                             ? findings.count
                             : comparison->options->max_regions;
    free(findings.prints);
}

/* If both are the same picture, rows matter only for drawing and ignored pixels. */
static int rows_to_compare(const struct comparison *comparison)
{
    const struct image_diff_options *options = comparison->options;
    bool is_done =
        comparison->is_same_picture && !options->has_picture && options->ignored_count == 0;
    return is_done ? 0 : comparison->diff->height;
}

/* One of the two things that are done to a block. */
struct block_step {
    struct comparison *comparison;
    struct row_block *block;
    void (*run_row)(struct comparison *comparison, int y, struct row_states *line);
};

static void run_step(void *data)
{
    const struct block_step *step = data;
    for (int y = step->block->first; y < step->block->end; y++) {
        step->run_row(step->comparison, y, &step->block->lines[y - step->block->first]);
    }
}

/* Whether using the block takes longer than beginning a thread for the next one. */
static bool is_much(const struct comparison *comparison, const struct row_block *block)
{
    size_t pixels = (size_t)comparison->diff->width * (size_t)(block->end - block->first);
    bool is_used = comparison->options->has_picture;
    for (int i = 0; i < block->end - block->first && !is_used; i++) {
        is_used = !block->lines[i].is_clean;
    }
    return is_used && pixels >= MIN_THREAD_PIXELS;
}

/*
 * Compares the rows before `end`, one block in a thread of its own while the one above is counted
 * and drawn.
 */
static void run_blocks(struct comparison *comparison, int end)
{
    struct row_block *above = NULL;
    struct row_block *block = &comparison->blocks[0];
    for (int first = 0; first < end || above; first += DIFF_BLOCK) {
        block->first = smaller(first, end);
        block->end = smaller(first + DIFF_BLOCK, end);
        struct block_step comparing = { comparison, block, compare_row };
        struct block_step using = { comparison, above, use_row };
        if (above && first < end && is_much(comparison, above)) {
            both_run(run_step, &using, &comparing);
        } else {
            if (above) {
                run_step(&using);
            }
            run_step(&comparing);
        }
        above = first < end ? block : NULL;
        block = &comparison->blocks[block == &comparison->blocks[0]];
    }
}

bool diff_run(const struct diff_view *a, const struct diff_view *b, const struct diff_rows *rows,
              const struct image_diff_options *options, struct image_diff *ret_diff,
              struct br_error *err)
{
    *ret_diff = (struct image_diff){ 0 };
    struct comparison comparison = { .options = options, .diff = ret_diff, .rows = rows };
    bool ok =
        check_options(options, err) && measure(&comparison, a, b, err) && prepare(&comparison, err);
    if (ok) {
        run_blocks(&comparison, rows_to_compare(&comparison));
        conclude(&comparison);
    }
    release(&comparison);
    if (!ok) {
        diff_picture_finish(&ret_diff->picture);
        *ret_diff = (struct image_diff){ 0 };
    }
    return ok;
}

bool image_diff(const struct br_image *a, const struct br_image *b,
                const struct image_diff_options *options, struct image_diff *ret_diff,
                struct br_error *err)
{
    struct diff_view first = diff_view_of(a);
    struct diff_view second = diff_view_of(b);
    return diff_run(&first, &second, NULL, options, ret_diff, err);
}

void image_diff_finish(struct image_diff *diff)
{
    free(diff->regions);
    diff_picture_finish(&diff->picture);
    *diff = (struct image_diff){ 0 };
}
