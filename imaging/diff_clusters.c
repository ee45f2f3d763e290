#include "imaging/diff_clusters.h"

#include "imaging/image.h"
#include "runner/base/memory.h"

#include <stdlib.h>
#include <string.h>

/*
 * The hash of a group is the sum of COLUMN_BASE^x * ROW_BASE^y * (hash of the two colours), modulo
 * 2^64. A shift multiplies it by a factor, which diff_cluster_print() removes.
 */
#define COLUMN_BASE UINT64_C(0x9E3779B97F4A7C15)
#define ROW_BASE    UINT64_C(0xD6E8FEB86659FD93)

/* Larger than all coordinates, so that exponents stay positive. */
#define LARGEST_PLACE ((unsigned)INT32_MAX)

#define NO_CLUSTER UINT32_MAX
#define LONG_AGO   (-2 * IMAGE_DIFF_REACH)

struct diff_column {
    int y; /* of its lowest pixel so far */
    uint32_t cluster;
};

bool diff_clusters_init(struct diff_clusters *clusters, int width, enum diff_state faintest,
                        struct br_error *err)
{
    *clusters = (struct diff_clusters){ .width = width, .faintest = faintest };
    clusters->columns = malloc((size_t)width * sizeof(*clusters->columns));
    if (!clusters->columns) {
        return error_set(err, BR_LIMIT_EXCEEDED, "No memory to compare pictures %d pixels wide",
                         width);
    }
    for (int x = 0; x < width; x++) {
        clusters->columns[x].y = LONG_AGO;
    }
    return true;
}

void diff_clusters_finish(struct diff_clusters *clusters)
{
    free(clusters->columns);
    free(clusters->clusters);
    *clusters = (struct diff_clusters){ 0 };
}

static uint64_t power(uint64_t base, unsigned exponent)
{
    uint64_t result = 1;
    for (; exponent; exponent >>= 1) {
        result *= exponent & 1 ? base : 1;
        base *= base;
    }
    return result;
}

uint64_t diff_print_add(uint64_t print, uint64_t number)
{
    print ^= number;
    print = (print ^ print >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    print = (print ^ print >> 27) * UINT64_C(0x94D049BB133111EB);
    return print ^ print >> 31;
}

static uint32_t find_root(struct diff_clusters *clusters, uint32_t index)
{
    while (clusters->clusters[index].parent != index) {
        uint32_t parent = clusters->clusters[index].parent;
        clusters->clusters[index].parent = clusters->clusters[parent].parent;
        index = parent;
    }
    return index;
}

static uint32_t create_cluster(struct diff_clusters *clusters, int x, int y)
{
    if (clusters->count == DIFF_MAX_CLUSTERS) {
        return find_root(clusters, DIFF_MAX_CLUSTERS - 1);
    }
    clusters->clusters = array_reserve(clusters->clusters, clusters->count, &clusters->capacity,
                                       sizeof(*clusters->clusters));
    uint32_t index = (uint32_t)clusters->count++;
    clusters->clusters[index] =
        (struct diff_cluster){ .parent = index, .left = x, .top = y, .right = x, .bottom = y };
    return index;
}

/* Merges the second cluster into the first. */
static void absorb(struct diff_cluster *cluster, const struct diff_cluster *other)
{
    cluster->left = other->left < cluster->left ? other->left : cluster->left;
    cluster->top = other->top < cluster->top ? other->top : cluster->top;
    cluster->right = other->right > cluster->right ? other->right : cluster->right;
    cluster->bottom = other->bottom > cluster->bottom ? other->bottom : cluster->bottom;
    cluster->pixels += other->pixels;
    cluster->faint_pixels += other->faint_pixels;
    cluster->print += other->print;
}

static uint32_t join(struct diff_clusters *clusters, uint32_t first, uint32_t second)
{
    first = find_root(clusters, first);
    second = find_root(clusters, second);
    if (first == second) {
        return first;
    }
    uint32_t root = first < second ? first : second;
    uint32_t other = first < second ? second : first;
    absorb(&clusters->clusters[root], &clusters->clusters[other]);
    clusters->clusters[other].parent = root;
    return root;
}

/* Merges the cluster, if there is one yet, with those of the columns that reach down to row y. */
static uint32_t join_above(struct diff_clusters *clusters, uint32_t cluster, int start, int end,
                           int y)
{
    start = start < 0 ? 0 : start;
    end = end < clusters->width ? end : clusters->width - 1;
    for (int x = start; x <= end; x++) {
        const struct diff_column *column = &clusters->columns[x];
        if (y - column->y <= IMAGE_DIFF_REACH) {
            cluster = cluster == NO_CLUSTER ? find_root(clusters, column->cluster)
                                            : join(clusters, cluster, column->cluster);
        }
    }
    return cluster;
}

static uint64_t hash_pixels(const uint8_t *a, const uint8_t *b, int x, enum diff_state state)
{
    uint32_t first = 0;
    uint32_t second = 0;
    if (state != DIFF_ALONE) {
        memcpy(&first, a + (size_t)x * IMAGE_BYTES_PER_PIXEL, sizeof(first));
        memcpy(&second, b + (size_t)x * IMAGE_BYTES_PER_PIXEL, sizeof(second));
    }
    return diff_print_add(COLUMN_BASE, (uint64_t)first << 32 | second);
}

/* Adds a pixel of row y to the cluster, whose box already includes that row. */
static void add_pixel(struct diff_clusters *clusters, uint32_t index, int x, int y,
                      enum diff_state state, uint64_t print)
{
    struct diff_cluster *cluster = &clusters->clusters[index];
    cluster->left = x < cluster->left ? x : cluster->left;
    cluster->right = x > cluster->right ? x : cluster->right;
    cluster->top = y < cluster->top ? y : cluster->top;
    cluster->bottom = y;
    cluster->pixels++;
    cluster->faint_pixels += state == DIFF_FAINT;
    cluster->print += print;
    clusters->columns[x] = (struct diff_column){ .y = y, .cluster = index };
}

void diff_clusters_add_row(struct diff_clusters *clusters, int y, const uint8_t *states,
                           const uint8_t *a, const uint8_t *b)
{
    uint32_t cluster = NO_CLUSTER;
    uint64_t row_factor = power(ROW_BASE, (unsigned)y);
    uint64_t factor = 0;
    int last = 0; /* the previous pixel */
    for (int x = 0; x < clusters->width; x++) {
        enum diff_state state = states[x];
        if (state < clusters->faintest || state > DIFF_ALONE) {
            continue;
        }
        if (cluster != NO_CLUSTER && x - last <= IMAGE_DIFF_REACH) {
            cluster =
                join_above(clusters, cluster, last + IMAGE_DIFF_REACH + 1, x + IMAGE_DIFF_REACH, y);
            for (; last < x; last++) {
                factor *= COLUMN_BASE;
            }
        } else {
            cluster =
                join_above(clusters, NO_CLUSTER, x - IMAGE_DIFF_REACH, x + IMAGE_DIFF_REACH, y);
            factor = row_factor * power(COLUMN_BASE, (unsigned)x);
            last = x;
        }
        if (cluster == NO_CLUSTER) {
            cluster = create_cluster(clusters, x, y);
        }
        add_pixel(clusters, cluster, x, y, state, factor * hash_pixels(a, b, x, state));
    }
}

bool diff_cluster_is_root(const struct diff_clusters *clusters, size_t index)
{
    return clusters->clusters[index].parent == index;
}

uint64_t diff_cluster_print(const struct diff_cluster *cluster)
{
    uint64_t print = cluster->print * power(COLUMN_BASE, LARGEST_PLACE - (unsigned)cluster->left) *
                     power(ROW_BASE, LARGEST_PLACE - (unsigned)cluster->top);
    print = diff_print_add(print, (uint64_t)(cluster->right - cluster->left));
    print = diff_print_add(print, (uint64_t)(cluster->bottom - cluster->top));
    return diff_print_add(print, cluster->pixels);
}
