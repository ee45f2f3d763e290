/*
 * Groups of nearby pixels, found row by row: memory grows with the width of the picture and the
 * number of groups, not with its area. Grouping does not depend on absolute positions, so a moved
 * change is grouped in the same way.
 */
#ifndef IMAGING_DIFF_CLUSTERS_H
#define IMAGING_DIFF_CLUSTERS_H

#include "imaging/diff_pixels.h"

/* Maximum number of groups; further ones that are far from all others are put into the last one. */
enum { DIFF_MAX_CLUSTERS = 65536 };

struct diff_cluster {
    uint32_t parent;              /* its own index, or that of the cluster it was merged into */
    int left, top, right, bottom; /* inclusive */
    size_t pixels;
    size_t faint_pixels; /* how many of them are faint */
    uint64_t print;      /* hash of positions and colours; a shift changes it by a known factor */
};

struct diff_clusters {
    int width;
    struct diff_column *columns; /* the last pixel in each column */
    struct diff_cluster *clusters;
    size_t count, capacity;
    enum diff_state faintest; /* the lowest state that counts */
};

/* Returns false if there is no memory for a row. The caller finishes in both cases. */
bool diff_clusters_init(struct diff_clusters *clusters, int width, enum diff_state faintest,
                        struct br_error *err);
void diff_clusters_finish(struct diff_clusters *clusters);

/*
 * Adds the pixels of row y, which is below all earlier rows. Rows a and b are the pictures' pixels;
 * pixels of one picture only (DIFF_ALONE) are not read.
 */
void diff_clusters_add_row(struct diff_clusters *clusters, int y, const uint8_t *states,
                           const uint8_t *a, const uint8_t *b);

/* Returns whether the cluster was not merged into another one. */
bool diff_cluster_is_root(const struct diff_clusters *clusters, size_t index);

/* Returns the hash of the change, independent of its position. */
uint64_t diff_cluster_print(const struct diff_cluster *cluster);

/* Mixes a number into a hash. */
uint64_t diff_print_add(uint64_t print, uint64_t number);

#endif
