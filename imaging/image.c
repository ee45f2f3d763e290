#include "imaging/image.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

bool image_check_size(uint64_t width, uint64_t height, struct br_error *err)
{
    if (width == 0 || height == 0) {
        return error_set(err, BR_UNKNOWN_ERROR, "A picture of %" PRIu64 "x%" PRIu64 " is empty",
                         width, height);
    }
    if (width > BR_IMAGE_MAX_PIXELS || height > BR_IMAGE_MAX_PIXELS / width) {
        return error_set(err, BR_LIMIT_EXCEEDED,
                         "A picture of %" PRIu64 "x%" PRIu64 " has more than %u pixels", width,
                         height, BR_IMAGE_MAX_PIXELS);
    }
    return true;
}

bool image_create(int width, int height, struct br_image *ret_image, struct br_error *err)
{
    /* A negative number becomes huge and is rejected as too large. */
    if (!image_check_size((unsigned)width, (unsigned)height, err)) {
        return false;
    }
    uint8_t *pixels = calloc((size_t)width * (size_t)height, IMAGE_BYTES_PER_PIXEL);
    if (!pixels) {
        return error_set(err, BR_LIMIT_EXCEEDED, "No memory for a picture of %dx%d", width, height);
    }
    *ret_image = (struct br_image){ .width = width, .height = height, .pixels = pixels };
    return true;
}

size_t image_stride(const struct br_image *image)
{
    return (size_t)image->width * IMAGE_BYTES_PER_PIXEL;
}

uint8_t *image_row(const struct br_image *image, int y)
{
    return image->pixels + (size_t)y * image_stride(image);
}

bool image_row_is_opaque(const uint8_t *row, int width)
{
    /* No early exit: the loop stays vectorised, and rows are short. */
    uint8_t all = 0xFF;
    for (size_t i = 0; i < (size_t)width; i++) {
        all &= row[i * IMAGE_BYTES_PER_PIXEL + 3];
    }
    return all == 0xFF;
}

bool image_is_opaque(const struct br_image *image)
{
    for (int y = 0; y < image->height; y++) {
        if (!image_row_is_opaque(image_row(image, y), image->width)) {
            return false;
        }
    }
    return true;
}

void br_image_finish(struct br_image *image)
{
    free(image->pixels);
    *image = (struct br_image){ 0 };
}

/* Returns the shorter side for `edge` pixels of the longer one, rounded, at least 1. */
static int64_t shorter_side(int64_t longer, int64_t shorter, int64_t edge)
{
    int64_t side = (2 * shorter * edge + longer) / (2 * longer);
    return side > 0 ? side : 1;
}

void br_image_fit(int width, int height, const struct br_image_limits *limits, int *ret_width,
                  int *ret_height)
{
    assert(width > 0 && height > 0);
    int64_t longer = width > height ? width : height;
    int64_t shorter = width > height ? height : width;
    int64_t high = longer;
    if (limits->max_edge > 0 && high > limits->max_edge) {
        high = limits->max_edge;
    }
    /* The number of pixels grows with the edge, so the largest edge can be found by bisection. */
    int64_t low = limits->max_pixels > 0 ? 1 : high;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if ((double)(middle * shorter_side(longer, shorter, middle)) <= limits->max_pixels) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    int64_t side = shorter_side(longer, shorter, low);
    *ret_width = (int)(width > height ? low : side);
    *ret_height = (int)(width > height ? side : low);
}

/* Size of a huge page; smaller allocations do not use one. */
#define LARGE_PAGE ((size_t)2 * 1024 * 1024)

void *image_memory(size_t size)
{
    if (size < LARGE_PAGE) {
        return malloc(size);
    }
    size_t rounded = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *pages = aligned_alloc(LARGE_PAGE, rounded);
    if (pages) {
        /* Only a hint: normal pages work as well. */
        (void)madvise(pages, rounded, MADV_HUGEPAGE);
    }
    return pages;
}
