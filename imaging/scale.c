/*
 * A new pixel is the mean of the area that it covers, rounded half up, computed exactly.
 *
 * Both axes are divided into steps so fine that old and new pixels begin and end on a step: `from`
 * old pixels become `to` new ones, an old pixel is `to` steps long and a new one `from` steps. The
 * weight of an old pixel in a new one is the number of steps that they share. The weights of a new
 * pixel add up to `from`, and all sums are integers.
 */
#include "imaging/scale.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Rows that fit into sums of 16 bits. */
#define WHOLE_MAX_ROWS (UINT16_MAX / 255)

/* The mapping between old and new pixels of one axis. */
struct axis {
    uint32_t from; /* length of a new pixel in steps */
    uint32_t to;   /* length of an old pixel in steps */
};

/* Division by a constant, exact for all numerators up to 255.5 times the divisor. */
struct divider {
    uint64_t reciprocal; /* 2^64 / divisor, rounded up */
    uint64_t half;
};

/*
 * The old pixels of each new pixel of a row. Their number is the same for all, some with a weight
 * of 0: a loop of constant length is faster.
 */
struct taps {
    int count;
    int *first;        /* for each new pixel: its first old one */
    uint32_t *weights; /* for each new pixel: `count` weights */
};

/*
 * State of scaling. Of the sums, one for each channel of an old row, only one kind is allocated;
 * they are zero at the start of a new row.
 */
struct scaler {
    struct br_image *scaled;
    size_t pixel_size;
    size_t length; /* bytes of an old row */
    int old_row, new_row;
    struct axis across, down;
    struct taps taps;
    uint32_t *opaque_sums; /* 32 bits: enough for SCALER_MAX_OPAQUE_HEIGHT rows of any weights */
    uint16_t *whole_sums;  /* in addition, of rows that count fully */
    int gathered;          /* rows in whole_sums */
    uint64_t *alpha_sums;
    struct divider divider;
};

static struct axis axis_make(int from, int to)
{
    uint32_t a = (uint32_t)from;
    uint32_t b = (uint32_t)to;
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return (struct axis){ .from = (uint32_t)from / a, .to = (uint32_t)to / a };
}

/* Return the first and the last old pixel of a new one. */
static int axis_first(const struct axis *axis, int new_pixel)
{
    return (int)((uint64_t)new_pixel * axis->from / axis->to);
}

static int axis_last(const struct axis *axis, int new_pixel)
{
    return (int)((((uint64_t)new_pixel + 1) * axis->from - 1) / axis->to);
}

static uint32_t axis_weight(const struct axis *axis, int old_pixel, int new_pixel)
{
    int64_t start = (int64_t)old_pixel * axis->to;
    int64_t end = start + axis->to;
    int64_t new_start = (int64_t)new_pixel * axis->from;
    int64_t new_end = new_start + axis->from;
    start = start > new_start ? start : new_start;
    end = end < new_end ? end : new_end;
    return end > start ? (uint32_t)(end - start) : 0;
}

static bool taps_init(struct taps *taps, const struct axis *axis, int old_width, int new_width)
{
    taps->count = (int)((axis->from + axis->to - 2) / axis->to) + 1;
    if (taps->count > old_width) {
        taps->count = old_width;
    }
    taps->first = malloc((size_t)new_width * sizeof(*taps->first));
    taps->weights = malloc((size_t)new_width * (size_t)taps->count * sizeof(*taps->weights));
    if (!taps->first || !taps->weights) {
        return false;
    }
    uint32_t *weight = taps->weights;
    for (int x = 0; x < new_width; x++) {
        int first = axis_first(axis, x);
        if (first > old_width - taps->count) {
            first = old_width - taps->count;
        }
        taps->first[x] = first;
        for (int i = 0; i < taps->count; i++) {
            *weight++ = axis_weight(axis, first + i, x);
        }
    }
    return true;
}

static void taps_finish(struct taps *taps)
{
    free(taps->first);
    free(taps->weights);
}

static struct divider divider_make(uint64_t divisor)
{
    assert(divisor > 1 && divisor <= BR_IMAGE_MAX_PIXELS);
    return (struct divider){ .reciprocal = UINT64_MAX / divisor + 1, .half = divisor / 2 };
}

/*
 * The reciprocal is at most 1 too large, so the product is at most numerator / 2^64 too large: with
 * a numerator below 2^35 and a divisor below 2^27 it never reaches the next integer.
 */
static uint8_t divider_round(const struct divider *divider, uint64_t numerator)
{
    return (uint8_t)(((unsigned __int128)(numerator + divider->half) * divider->reciprocal) >> 64);
}

/* 16-bit weights multiply several times faster than 32-bit ones. */
static void add_row_lightly(uint32_t *restrict sums, const uint8_t *restrict row, size_t length,
                            uint16_t weight)
{
    for (size_t i = 0; i < length; i++) {
        sums[i] += (uint32_t)(uint16_t)row[i] * weight;
    }
}

static void add_row(uint32_t *restrict sums, const uint8_t *restrict row, size_t length,
                    uint32_t weight)
{
    if (weight <= UINT16_MAX) {
        add_row_lightly(sums, row, length, (uint16_t)weight);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        sums[i] += row[i] * weight;
    }
}

/* Rows entirely inside a new one are summed up first, and multiplied once. */
static void add_whole_row(uint16_t *restrict sums, const uint8_t *restrict row, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        sums[i] = (uint16_t)(sums[i] + row[i]);
    }
}

static void add_whole_sums(uint32_t *restrict sums, uint16_t *restrict whole, size_t length,
                           uint32_t weight)
{
    for (size_t i = 0; i < length; i++) {
        sums[i] += whole[i] * weight;
        whole[i] = 0;
    }
}

/* Inline, so that each pixel size gets its own code. */
static inline void write_row(const struct scaler *scaler, size_t pixel_size, uint8_t *out)
{
    const struct taps *taps = &scaler->taps;
    const uint32_t *weights = taps->weights;
    for (int x = 0; x < scaler->scaled->width; x++, out += IMAGE_BYTES_PER_PIXEL) {
        const uint32_t *sum = scaler->opaque_sums + (size_t)taps->first[x] * pixel_size;
        uint64_t red = 0;
        uint64_t green = 0;
        uint64_t blue = 0;
        for (int i = 0; i < taps->count; i++, sum += pixel_size) {
            uint64_t weight = *weights++;
            red += weight * sum[0];
            green += weight * sum[1];
            blue += weight * sum[2];
        }
        out[0] = divider_round(&scaler->divider, red);
        out[1] = divider_round(&scaler->divider, green);
        out[2] = divider_round(&scaler->divider, blue);
        out[3] = 0xFF;
    }
}

/* As add_row, with each colour weighted by its alpha. */
static void add_row_with_alpha(uint64_t *restrict sums, const uint8_t *restrict row, size_t length,
                               uint64_t weight)
{
    for (size_t i = 0; i < length; i += IMAGE_BYTES_PER_PIXEL) {
        uint64_t alpha = row[i + 3] * weight;
        sums[i] += row[i] * alpha;
        sums[i + 1] += row[i + 1] * alpha;
        sums[i + 2] += row[i + 2] * alpha;
        sums[i + 3] += alpha;
    }
}

/* As write_row, with a division for each colour by the sum of the alphas. */
static void write_row_with_alpha(const struct scaler *scaler, uint8_t *out)
{
    const struct taps *taps = &scaler->taps;
    const uint32_t *weights = taps->weights;
    for (int x = 0; x < scaler->scaled->width; x++, out += IMAGE_BYTES_PER_PIXEL) {
        const uint64_t *sum = scaler->alpha_sums + (size_t)taps->first[x] * IMAGE_BYTES_PER_PIXEL;
        uint64_t total[IMAGE_BYTES_PER_PIXEL] = { 0 };
        for (int i = 0; i < taps->count; i++, sum += IMAGE_BYTES_PER_PIXEL) {
            uint64_t weight = *weights++;
            for (size_t c = 0; c < IMAGE_BYTES_PER_PIXEL; c++) {
                total[c] += weight * sum[c];
            }
        }
        uint64_t alpha = total[3];
        for (size_t c = 0; c < 3; c++) {
            out[c] = alpha ? (uint8_t)((total[c] + alpha / 2) / alpha) : 0;
        }
        out[3] = divider_round(&scaler->divider, alpha);
    }
}

static void take_opaque(struct scaler *scaler, const uint8_t *row, uint32_t weight)
{
    if (weight != scaler->down.to) {
        add_row(scaler->opaque_sums, row, scaler->length, weight);
        return;
    }
    add_whole_row(scaler->whole_sums, row, scaler->length);
    if (++scaler->gathered == WHOLE_MAX_ROWS) {
        add_whole_sums(scaler->opaque_sums, scaler->whole_sums, scaler->length, weight);
        scaler->gathered = 0;
    }
}

static void finish_opaque(struct scaler *scaler, uint8_t *out)
{
    if (scaler->gathered) {
        add_whole_sums(scaler->opaque_sums, scaler->whole_sums, scaler->length, scaler->down.to);
        scaler->gathered = 0;
    }
    if (scaler->pixel_size == IMAGE_BYTES_PER_PIXEL) {
        write_row(scaler, IMAGE_BYTES_PER_PIXEL, out);
    } else {
        write_row(scaler, 3, out);
    }
    memset(scaler->opaque_sums, 0, scaler->length * sizeof(*scaler->opaque_sums));
}

static void take_part(struct scaler *scaler, const uint8_t *row)
{
    uint32_t weight = axis_weight(&scaler->down, scaler->old_row, scaler->new_row);
    if (scaler->alpha_sums) {
        add_row_with_alpha(scaler->alpha_sums, row, scaler->length, weight);
    } else {
        take_opaque(scaler, row, weight);
    }
}

static void finish_new_row(struct scaler *scaler)
{
    uint8_t *out = image_row(scaler->scaled, scaler->new_row++);
    if (scaler->alpha_sums) {
        write_row_with_alpha(scaler, out);
        memset(scaler->alpha_sums, 0, scaler->length * sizeof(*scaler->alpha_sums));
    } else {
        finish_opaque(scaler, out);
    }
}

void scaler_take(struct scaler *scaler, const uint8_t *row)
{
    assert(scaler->new_row < scaler->scaled->height);
    take_part(scaler, row);
    if (scaler->old_row == axis_last(&scaler->down, scaler->new_row)) {
        finish_new_row(scaler);
        if (scaler->new_row < scaler->scaled->height &&
            scaler->old_row == axis_first(&scaler->down, scaler->new_row)) {
            take_part(scaler, row);
        }
    }
    scaler->old_row++;
}

static bool scaler_init(struct scaler *scaler, int width, int height, bool is_opaque)
{
    int new_width = scaler->scaled->width;
    scaler->across = axis_make(width, new_width);
    scaler->down = axis_make(height, scaler->scaled->height);
    scaler->divider = divider_make((uint64_t)scaler->across.from * scaler->down.from);
    if (is_opaque) {
        scaler->opaque_sums = calloc(scaler->length, sizeof(*scaler->opaque_sums));
        scaler->whole_sums = calloc(scaler->length, sizeof(*scaler->whole_sums));
    } else {
        scaler->alpha_sums = calloc(scaler->length, sizeof(*scaler->alpha_sums));
    }
    return ((scaler->opaque_sums && scaler->whole_sums) || scaler->alpha_sums) &&
           taps_init(&scaler->taps, &scaler->across, width, new_width);
}

struct scaler *scaler_create(int width, int height, size_t pixel_size, bool is_opaque,
                             struct br_image *scaled, struct br_error *err)
{
    struct scaler *scaler = calloc(1, sizeof(*scaler));
    if (scaler) {
        scaler->scaled = scaled;
        scaler->pixel_size = pixel_size;
        scaler->length = pixel_size * (size_t)width;
    }
    if (!scaler || !scaler_init(scaler, width, height, is_opaque)) {
        scaler_destroy(scaler);
        error_set(err, BR_LIMIT_EXCEEDED, "No memory to scale a picture of %dx%d", width, height);
        return NULL;
    }
    return scaler;
}

void scaler_destroy(struct scaler *scaler)
{
    if (scaler) {
        free(scaler->opaque_sums);
        free(scaler->whole_sums);
        free(scaler->alpha_sums);
        taps_finish(&scaler->taps);
        free(scaler);
    }
}

static bool scaled_create(int old_width, int old_height, int width, int height,
                          struct br_image *ret_image, struct br_error *err)
{
    if (width > old_width || height > old_height) {
        return error_set(err, BR_UNKNOWN_ERROR, "A picture of %dx%d cannot grow to %dx%d",
                         old_width, old_height, width, height);
    }
    return image_create(width, height, ret_image, err);
}

bool br_image_scale(const struct br_image *image, int width, int height, struct br_image *ret_image,
                    struct br_error *err)
{
    struct br_image scaled;
    if (!scaled_create(image->width, image->height, width, height, &scaled, err)) {
        return false;
    }
    if (width == image->width && height == image->height) {
        memcpy(scaled.pixels, image->pixels, image_stride(image) * (size_t)height);
        *ret_image = scaled;
        return true;
    }
    bool is_opaque = (uint32_t)image->height <= SCALER_MAX_OPAQUE_HEIGHT && image_is_opaque(image);
    struct scaler *scaler =
        scaler_create(image->width, image->height, IMAGE_BYTES_PER_PIXEL, is_opaque, &scaled, err);
    if (!scaler) {
        br_image_finish(&scaled);
        return false;
    }
    for (int y = 0; y < image->height; y++) {
        scaler_take(scaler, image_row(image, y));
    }
    scaler_destroy(scaler);
    *ret_image = scaled;
    return true;
}
