#include "imaging/quantize.h"

#include <stdlib.h>
#include <string.h>

/* Median cut distinguishes colours by the first BITS bits of each channel. */
enum { MAX_COLOURS = 256, BITS = 5, BINS = 1 << (3 * BITS), SLOTS = 1024 };

/* The pixels whose channels begin with the same bits. */
struct bin {
    uint64_t count, sums[3];
};

/* A range of the list of used bins. */
struct box {
    size_t begin, end;
    uint64_t count;
    int axis;   /* the channel with the widest range of values */
    int length; /* that range */
};

struct cut {
    struct bin *bins; /* BINS */
    uint16_t *used;   /* numbers of the bins that are not empty, box by box */
    size_t used_count;
    struct box boxes[MAX_COLOURS];
    size_t box_count;
};

/* Returns a pixel over white, as 0xRRGGBB. */
static uint32_t colour_of(const uint8_t *pixel)
{
    uint32_t colour = 0;
    for (int channel = 0; channel < 3; channel++) {
        uint32_t over =
            ((uint32_t)pixel[channel] * pixel[3] + 255u * (255u - pixel[3]) + 127u) / 255u;
        colour = colour << 8 | over;
    }
    return colour;
}

static uint8_t channel_of(uint32_t colour, int channel)
{
    return (uint8_t)(colour >> (16 - 8 * channel));
}

/* Returns the slot of a colour, or a free slot for it; the table is never full. */
static size_t find_slot(const uint32_t *keys, uint32_t colour)
{
    size_t slot = (colour * 2654435761u) >> 22;
    while (keys[slot] && keys[slot] != colour + 1) {
        slot = (slot + 1) % SLOTS;
    }
    return slot;
}

/* Keeps all colours. False: there are more than MAX_COLOURS; the results are then undefined. */
static bool take_all(const struct br_image *image, struct colours *colours, uint8_t *indexes)
{
    uint32_t keys[SLOTS] = { 0 }; /* the colour plus 1; 0: free */
    uint8_t numbers[SLOTS] = { 0 };
    size_t count = (size_t)image->width * (size_t)image->height;
    colours->count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t colour = colour_of(image->pixels + i * IMAGE_BYTES_PER_PIXEL);
        size_t slot = find_slot(keys, colour);
        if (!keys[slot]) {
            if (colours->count == MAX_COLOURS) {
                return false;
            }
            keys[slot] = colour + 1;
            numbers[slot] = (uint8_t)colours->count;
            for (int channel = 0; channel < 3; channel++) {
                colours->rgb[colours->count][channel] = channel_of(colour, channel);
            }
            colours->count++;
        }
        indexes[i] = numbers[slot];
    }
    return true;
}

/* Returns the first bits of red, green and blue. */
static uint16_t bin_of(uint32_t colour)
{
    uint32_t bin = 0;
    for (int channel = 0; channel < 3; channel++) {
        bin = bin << BITS | channel_of(colour, channel) >> (8 - BITS);
    }
    return (uint16_t)bin;
}

static int side_of(uint16_t bin, int axis)
{
    return bin >> (BITS * (2 - axis)) & ((1 << BITS) - 1);
}

static int compare_sides(const void *a, const void *b, int axis)
{
    return side_of(*(const uint16_t *)a, axis) - side_of(*(const uint16_t *)b, axis);
}

static int compare_red(const void *a, const void *b)
{
    return compare_sides(a, b, 0);
}

static int compare_green(const void *a, const void *b)
{
    return compare_sides(a, b, 1);
}

static int compare_blue(const void *a, const void *b)
{
    return compare_sides(a, b, 2);
}

static int (*const comparisons[])(const void *, const void *) = { compare_red, compare_green,
                                                                  compare_blue };

static void measure(const struct cut *cut, struct box *box)
{
    box->count = 0;
    box->length = -1;
    for (size_t i = box->begin; i < box->end; i++) {
        box->count += cut->bins[cut->used[i]].count;
    }
    for (int axis = 0; axis < 3; axis++) {
        int least = 1 << BITS;
        int most = 0;
        for (size_t i = box->begin; i < box->end; i++) {
            int side = side_of(cut->used[i], axis);
            least = side < least ? side : least;
            most = side > most ? side : most;
        }
        if (most - least > box->length) {
            box->length = most - least;
            box->axis = axis;
        }
    }
}

/* Returns the box with the largest range, weighted by its pixels; NULL: all have a single bin. */
static struct box *find_largest(struct cut *cut)
{
    struct box *largest = NULL;
    uint64_t most = 0;
    for (size_t i = 0; i < cut->box_count; i++) {
        uint64_t length = (uint64_t)cut->boxes[i].length;
        uint64_t weight = cut->boxes[i].count * length * length;
        if (weight > most) {
            most = weight;
            largest = &cut->boxes[i];
        }
    }
    return largest;
}

/* Splits the box into two with about as many pixels each, and at least one bin. */
static void split(struct cut *cut, struct box *box)
{
    uint64_t count = 0;
    size_t middle = box->begin;
    qsort(cut->used + box->begin, box->end - box->begin, sizeof(*cut->used),
          comparisons[box->axis]);
    while (middle + 1 < box->end && (middle == box->begin || count < box->count / 2)) {
        count += cut->bins[cut->used[middle++]].count;
    }
    struct box *other = &cut->boxes[cut->box_count++];
    *other = (struct box){ .begin = middle, .end = box->end };
    box->end = middle;
    measure(cut, box);
    measure(cut, other);
}

static void count_pixels(const struct br_image *image, struct cut *cut)
{
    size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++) {
        uint32_t colour = colour_of(image->pixels + i * IMAGE_BYTES_PER_PIXEL);
        struct bin *bin = &cut->bins[bin_of(colour)];
        bin->count++;
        for (int channel = 0; channel < 3; channel++) {
            bin->sums[channel] += channel_of(colour, channel);
        }
    }
    for (size_t i = 0; i < BINS; i++) {
        if (cut->bins[i].count) {
            cut->used[cut->used_count++] = (uint16_t)i;
        }
    }
}

/* Sets each box's colour to the mean of its pixels. */
static void name_colours(const struct cut *cut, struct colours *colours)
{
    colours->count = cut->box_count;
    for (size_t i = 0; i < cut->box_count; i++) {
        const struct box *box = &cut->boxes[i];
        uint64_t sums[3] = { 0 };
        for (size_t at = box->begin; at < box->end; at++) {
            for (int channel = 0; channel < 3; channel++) {
                sums[channel] += cut->bins[cut->used[at]].sums[channel];
            }
        }
        for (int channel = 0; channel < 3; channel++) {
            colours->rgb[i][channel] = (uint8_t)((sums[channel] + box->count / 2) / box->count);
        }
    }
}

/* Returns the colour nearest to the mean of a bin, which may be another box's. */
static uint8_t find_nearest(const struct colours *colours, const struct bin *bin)
{
    int mean[3];
    int least = INT32_MAX;
    size_t nearest = 0;
    for (int channel = 0; channel < 3; channel++) {
        mean[channel] = (int)((bin->sums[channel] + bin->count / 2) / bin->count);
    }
    for (size_t i = 0; i < colours->count; i++) {
        int distance = 0;
        for (int channel = 0; channel < 3; channel++) {
            int difference = mean[channel] - colours->rgb[i][channel];
            distance += difference * difference;
        }
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return (uint8_t)nearest;
}

static void cut_median(const struct br_image *image, struct cut *cut, struct colours *colours,
                       uint8_t *numbers, uint8_t *indexes)
{
    size_t count = (size_t)image->width * (size_t)image->height;
    struct box *largest = NULL;
    count_pixels(image, cut);
    cut->boxes[0] = (struct box){ .end = cut->used_count };
    cut->box_count = 1;
    measure(cut, &cut->boxes[0]);
    while (cut->box_count < MAX_COLOURS && (largest = find_largest(cut))) {
        split(cut, largest);
    }
    name_colours(cut, colours);
    for (size_t i = 0; i < cut->used_count; i++) {
        numbers[cut->used[i]] = find_nearest(colours, &cut->bins[cut->used[i]]);
    }
    for (size_t i = 0; i < count; i++) {
        indexes[i] = numbers[bin_of(colour_of(image->pixels + i * IMAGE_BYTES_PER_PIXEL))];
    }
}

bool image_quantize(const struct br_image *image, struct colours *ret_colours,
                    uint8_t **ret_indexes, struct br_error *err)
{
    size_t count = (size_t)image->width * (size_t)image->height;
    uint8_t *indexes = malloc(count);
    struct cut cut = { .bins = calloc(BINS, sizeof(*cut.bins)),
                       .used = calloc(BINS, sizeof(*cut.used)) };
    uint8_t *numbers = calloc(BINS, 1);
    bool is_done = indexes && cut.bins && cut.used && numbers;
    if (!is_done) {
        error_set(err, BR_LIMIT_EXCEEDED, "there is no memory for a picture of %dx%d", image->width,
                  image->height);
    } else if (!take_all(image, ret_colours, indexes)) {
        cut_median(image, &cut, ret_colours, numbers, indexes);
    }
    free(cut.bins);
    free(cut.used);
    free(numbers);
    if (!is_done) {
        free(indexes);
        return false;
    }
    *ret_indexes = indexes;
    return true;
}
