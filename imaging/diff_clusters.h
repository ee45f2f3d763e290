/*
 * Groups of pixels that lie near to each other, found row by row: memory grows with the width of
 * the picture and the number of groups, not with its area. Where a pixel lies on the grid of a
 * picture does not matter, so that a change that moved is grouped in the same way.
 */
#ifndef IMAGING_DIFF_CLUSTERS_H
#define IMAGING_DIFF_CLUSTERS_H

#include "imaging/diff_pixels.h"

/* At most that many are told apart; what else is far from all others is put into the last one. */
enum { DIFF_MAX_CLUSTERS = 65536 };

struct diff_cluster {
    uint32_t parent; /* its own index, or that of a cluster that it has been joined to */
    int left, top, right, bottom; /* the last ones included */
    size_t pixels;
    size_t faint_pixels; /* of them */
    uint64_t print;      /* of places and colours; shifts with them by a known factor */
};

struct diff_clusters {
    int width;
    struct diff_column *columns; /* the last pixel of each column */
    struct diff_cluster *clusters;
    size_t count, capacity;
    enum diff_state faintest; /* the lowest state that belongs to a group */
};

/* False when there is no memory for a row. The caller finishes in both cases. */
bool diff_clusters_init(struct diff_clusters *clusters, int width, enum diff_state faintest,
                        struct br_error *err);
void diff_clusters_finish(struct diff_clusters *clusters);

/*
 * Adds the pixels of row y, which is below all rows before. Rows a and b are the pictures' pixels;
 * what only one picture has (DIFF_ALONE) is not read.
 */
void diff_clusters_add_row(struct diff_clusters *clusters, int y, const uint8_t *states,
                           const uint8_t *a, const uint8_t *b);

/* Whether the cluster stands for itself, and was not joined to another one. */
bool diff_cluster_is_root(const struct diff_clusters *clusters, size_t index);

/* The print of what changed, wherever it is. */
uint64_t diff_cluster_print(const struct diff_cluster *cluster);

/* Mixes a number into a print. */
uint64_t diff_print_add(uint64_t print, uint64_t number);

#endif
