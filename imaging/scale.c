/*
 * A new pixel is the mean of the area that it covers, rounded half up, computed exactly.
 *
 * Both axes are cut into steps so fine that old and new pixels begin and end on a step: `from`
 * old pixels become `to` new ones, an old pixel is `to` steps long and a new one `from` steps. The
 * weight of an old pixel in a new one is the number of steps that they share, the weights of a new
 * pixel sum up to `from`, and all sums are whole numbers.
 */
#include "imaging/image.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Sums of a column have 32 bits: this many rows of 255 fit, whatever their weights. */
#define OPAQUE_MAX_HEIGHT (UINT32_MAX / 255)

/* Of these the sums have 16 bits. */
#define WHOLE_MAX_ROWS (UINT16_MAX / 255)

/* How the old pixels of one axis are shared out among the new ones. */
struct axis {
    uint32_t from; /* length of a new pixel in steps */
    uint32_t to;   /* length of an old pixel in steps */
};

/* Division by a constant: exact for all numerators up to 255.5 times the divisor. */
struct divider {
    uint64_t reciprocal; /* 2^64 / divisor, rounded up */
    uint64_t half;
};

/*
 * The old pixels of each new pixel of a row. There are equally many for all of them, some with a
 * weight of 0: a loop of constant length is faster than one that varies.
 */
struct taps {
    int count;
    int *first;        /* for each new pixel: the first of its old ones */
    uint32_t *weights; /* for each new pixel: `count` weights */
};

/* One scaling. Of the sums, one for each channel of an old row, only one kind is there. */
struct scaler {
    const struct br_image *image;
    struct axis across, down;
    struct taps taps;
    uint32_t *opaque_sums;
    uint16_t *whole_sums; /* beside them, of rows that count in full; zeros between new rows */
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

/* The first and the last old pixel of a new one. */
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
 * a numerator below 2^35 and a divisor below 2^27 that never reaches the next integer.
 */
static uint8_t divider_round(const struct divider *divider, uint64_t numerator)
{
    return (uint8_t)(((unsigned __int128)(numerator + divider->half) * divider->reciprocal) >> 64);
}

/* Weights of 16 bits multiply several times faster than those of 32. */
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

/* Rows that lie wholly in a new one are summed up first, and multiplied once. */
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

static void write_row(const struct scaler *scaler, int width, uint8_t *out)
{
    const struct taps *taps = &scaler->taps;
    const uint32_t *weights = taps->weights;
    for (int x = 0; x < width; x++, out += IMAGE_BYTES_PER_PIXEL) {
        const uint32_t *sum = scaler->opaque_sums + (size_t)taps->first[x] * IMAGE_BYTES_PER_PIXEL;
        uint64_t red = 0;
        uint64_t green = 0;
        uint64_t blue = 0;
        for (int i = 0; i < taps->count; i++, sum += IMAGE_BYTES_PER_PIXEL) {
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

/* As add_row, with each colour weighted by its alpha too. */
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

/* As write_row, with a division for each colour: what it is divided by is the sum of the alphas. */
static void write_row_with_alpha(const struct scaler *scaler, int width, uint8_t *out)
{
    const struct taps *taps = &scaler->taps;
    const uint32_t *weights = taps->weights;
    for (int x = 0; x < width; x++, out += IMAGE_BYTES_PER_PIXEL) {
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

/* The sums of the old rows of a new one. */
static void sum_rows(const struct scaler *scaler, int new_row)
{
    const struct axis *down = &scaler->down;
    size_t length = image_stride(scaler->image);
    int gathered = 0;
    memset(scaler->opaque_sums, 0, length * sizeof(*scaler->opaque_sums));
    for (int i = axis_first(down, new_row); i <= axis_last(down, new_row); i++) {
        const uint8_t *row = image_row(scaler->image, i);
        uint32_t weight = axis_weight(down, i, new_row);
        if (weight != down->to) {
            add_row(scaler->opaque_sums, row, length, weight);
            continue;
        }
        add_whole_row(scaler->whole_sums, row, length);
        if (++gathered == WHOLE_MAX_ROWS) {
            add_whole_sums(scaler->opaque_sums, scaler->whole_sums, length, down->to);
            gathered = 0;
        }
    }
    if (gathered) {
        add_whole_sums(scaler->opaque_sums, scaler->whole_sums, length, down->to);
    }
}

static void scaler_run_opaque(const struct scaler *scaler, struct br_image *scaled)
{
    for (int y = 0; y < scaled->height; y++) {
        sum_rows(scaler, y);
        write_row(scaler, scaled->width, image_row(scaled, y));
    }
}

static void scaler_run_with_alpha(const struct scaler *scaler, struct br_image *scaled)
{
    size_t length = image_stride(scaler->image);
    for (int y = 0; y < scaled->height; y++) {
        memset(scaler->alpha_sums, 0, length * sizeof(*scaler->alpha_sums));
        for (int i = axis_first(&scaler->down, y); i <= axis_last(&scaler->down, y); i++) {
            add_row_with_alpha(scaler->alpha_sums, image_row(scaler->image, i), length,
                               axis_weight(&scaler->down, i, y));
        }
        write_row_with_alpha(scaler, scaled->width, image_row(scaled, y));
    }
}

static bool scaler_init(struct scaler *scaler, const struct br_image *image, int width, int height)
{
    *scaler = (struct scaler){ .image = image,
                               .across = axis_make(image->width, width),
                               .down = axis_make(image->height, height) };
    scaler->divider = divider_make((uint64_t)scaler->across.from * scaler->down.from);
    size_t length = image_stride(image);
    if ((uint32_t)image->height <= OPAQUE_MAX_HEIGHT && image_is_opaque(image)) {
        scaler->opaque_sums = malloc(length * sizeof(*scaler->opaque_sums));
        scaler->whole_sums = calloc(length, sizeof(*scaler->whole_sums));
    } else {
        scaler->alpha_sums = malloc(length * sizeof(*scaler->alpha_sums));
    }
    return ((scaler->opaque_sums && scaler->whole_sums) || scaler->alpha_sums) &&
           taps_init(&scaler->taps, &scaler->across, image->width, width);
}

static void scaler_finish(struct scaler *scaler)
{
    free(scaler->opaque_sums);
    free(scaler->whole_sums);
    free(scaler->alpha_sums);
    taps_finish(&scaler->taps);
}

bool br_image_scale(const struct br_image *image, int width, int height, struct br_image *ret_image,
                    struct br_error *err)
{
    if (width > image->width || height > image->height) {
        return error_set(err, BR_UNKNOWN_ERROR, "A picture of %dx%d cannot grow to %dx%d",
                         image->width, image->height, width, height);
    }
    struct br_image scaled;
    if (!image_create(width, height, &scaled, err)) {
        return false;
    }
    if (width == image->width && height == image->height) {
        memcpy(scaled.pixels, image->pixels, image_stride(image) * (size_t)height);
        *ret_image = scaled;
        return true;
    }
    struct scaler scaler;
    bool ok = scaler_init(&scaler, image, width, height);
    if (ok) {
        if (scaler.opaque_sums) {
            scaler_run_opaque(&scaler, &scaled);
        } else {
            scaler_run_with_alpha(&scaler, &scaled);
        }
        *ret_image = scaled;
    } else {
        br_image_finish(&scaled);
        error_set(err, BR_LIMIT_EXCEEDED, "No memory to scale a picture of %dx%d", image->width,
                  image->height);
    }
    scaler_finish(&scaler);
    return ok;
}
