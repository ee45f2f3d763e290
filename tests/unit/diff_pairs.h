/*
 * Pairs of pictures for tests of diff, generated from a number. tests/bench/lib/diff_pairs.mjs
 * makes the same ones, byte for byte, for pixelmatch: change both together, and generate
 * diff_counts.h again.
 */
#ifndef TESTS_UNIT_DIFF_PAIRS_H
#define TESTS_UNIT_DIFF_PAIRS_H

#include "imaging/diff.h"
#include "imaging/image.h"
#include "tests/unit/random.h"

#include <stdlib.h>
#include <string.h>

struct diff_case {
    struct br_image a, b;
    struct image_diff_options options;
};

static inline uint8_t pair_clamp(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* A pixel of noise, a checkerboard, a gradient, a disc with a soft edge, or a translucent one. */
static inline void pair_pixel(int kind, int x, int y, int width, int height, uint8_t *pixel)
{
    int from_centre = (x - width / 2) * (x - width / 2) + (y - height / 2) * (y - height / 2);
    uint8_t disc = pair_clamp(128 + ((from_centre - width * width / 9) >> 1));
    uint8_t check = ((x >> 3) ^ (y >> 3)) & 1 ? 255 : 20;
    pixel[3] = 255;
    switch (kind) {
    case 0:
        for (int i = 0; i < 4; i++) {
            pixel[i] = (uint8_t)random_number(256);
        }
        break;
    case 1:
        memset(pixel, check, 3);
        break;
    case 2:
        pixel[0] = (uint8_t)(x * 3);
        pixel[1] = (uint8_t)(y * 5);
        pixel[2] = (uint8_t)(x + y);
        break;
    default:
        memset(pixel, disc, 3);
        pixel[3] = kind == 4 ? (uint8_t)(255 - (disc >> 1)) : 255;
        break;
    }
}

static inline void pair_scatter(struct br_image *image)
{
    size_t size = image_stride(image) * (size_t)image->height;
    for (unsigned count = random_number(400); count > 0; count--) {
        unsigned place = random_number((unsigned)size);
        image->pixels[place] = (uint8_t)random_number(256);
    }
}

static inline void pair_jitter(struct br_image *image)
{
    size_t size = image_stride(image) * (size_t)image->height;
    for (size_t i = 0; i < size; i++) {
        if (i % 4 != 3) {
            image->pixels[i] = pair_clamp(image->pixels[i] + (int)random_number(60) - 30);
        }
    }
}

static inline void pair_shift(struct br_image *image)
{
    for (int y = 0; y < image->height; y++) {
        uint8_t *row = image_row(image, y);
        memmove(row + 4, row, image_stride(image) - 4);
    }
}

static inline void pair_box(struct br_image *image)
{
    int left = (int)random_number((unsigned)image->width);
    int top = (int)random_number((unsigned)image->height);
    for (int y = top; y < image->height && y < top + 20; y++) {
        for (int x = left; x < image->width && x < left + 30; x++) {
            uint8_t *pixel = image_row(image, y) + (size_t)x * 4;
            pixel[0] ^= 90;
            if (random_number(3) == 0) {
                pixel[3] = (uint8_t)random_number(256);
            }
        }
    }
}

static inline void pair_change(struct br_image *image)
{
    switch (random_number(4)) {
    case 0:
        pair_scatter(image);
        break;
    case 1:
        pair_jitter(image);
        break;
    case 2:
        pair_shift(image);
        break;
    default:
        pair_box(image);
        break;
    }
}

/* Makes the case with this number. The caller finishes both pictures. */
static inline struct diff_case diff_case_make(unsigned number)
{
    static const double thresholds[] = { 0, 0.02, 0.1, 0.3, 1 };
    struct diff_case made = { .options = IMAGE_DIFF_OPTIONS_INIT };
    struct br_error err;
    random_state = number;
    int width = 1 + (int)random_number(90);
    int height = 1 + (int)random_number(90);
    int kind = (int)random_number(5);
    if (!image_create(width, height, &made.a, &err) ||
        !image_create(width, height, &made.b, &err)) {
        abort();
    }
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            pair_pixel(kind, x, y, width, height, image_row(&made.a, y) + (size_t)x * 4);
        }
    }
    memcpy(made.b.pixels, made.a.pixels, image_stride(&made.a) * (size_t)height);
    pair_change(&made.b);
    if (random_number(3) == 0) {
        pair_change(&made.b);
    }
    made.options.threshold = thresholds[random_number(5)];
    made.options.counts_antialias = random_number(3) == 0;
    made.options.has_checkerboard = random_number(2) == 0;
    return made;
}

static inline void diff_case_finish(struct diff_case *made)
{
    br_image_finish(&made->a);
    br_image_finish(&made->b);
}

#endif
