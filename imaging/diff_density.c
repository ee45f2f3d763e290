#include "imaging/diff_density.h"

#include <stdlib.h>

bool diff_density_init(struct diff_density *density, int width, int height, int window,
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

void diff_density_finish(struct diff_density *density)
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

void diff_density_add_row(struct diff_density *density, int y, const uint8_t *states, bool is_clean)
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
