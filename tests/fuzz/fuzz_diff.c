/*
 * Compares any two small pictures with any options. The numbers of a comparison must agree with
 * each other, with those of the swapped pictures, and with those of the pictures as files.
 */
#include "imaging/diff.h"
#include "imaging/diff_files.h"
#include "imaging/diff_picture.h"
#include "imaging/image.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { MAX_SIDE = 40, MAX_RECTS = 4 };

struct input {
    const uint8_t *bytes;
    size_t size;
};

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static uint8_t take(struct input *input)
{
    if (input->size == 0) {
        return 0;
    }
    input->size--;
    return *input->bytes++;
}

/*
 * Takes pixels from the input. When it ends, the remaining pixels equal those of the other picture.
 */
static struct br_image take_image(struct input *input, const struct br_image *other)
{
    struct br_error err;
    struct br_image image;
    int width = other && take(input) % 4 ? other->width : 1 + take(input) % MAX_SIDE;
    int height = other && take(input) % 4 ? other->height : 1 + take(input) % MAX_SIDE;
    check(image_create(width, height, &image, &err));
    if (other) {
        image_paste(&image, 0, 0, other);
    }
    bool is_opaque = take(input) % 2;
    for (size_t i = 0; i < image_stride(&image) * (size_t)height && input->size; i++) {
        image.pixels[i] ^= take(input);
    }
    for (size_t i = 3; is_opaque && i < image_stride(&image) * (size_t)height; i += 4) {
        image.pixels[i] = 255;
    }
    return image;
}

static struct image_diff_options take_options(struct input *input, struct image_rect *rects)
{
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    uint8_t flags = take(input);
    options.threshold = take(input) / 250.0;
    options.strict_threshold = flags & 1 ? take(input) / 250.0 : -1;
    options.strict_area = take(input);
    options.counts_antialias = flags & 2;
    options.has_checkerboard = flags & 4;
    options.has_picture = flags & 8;
    options.is_picture_mask = flags & 16;
    options.density_window = take(input) % 64;
    options.max_regions = flags & 32 ? 3 : 10000;
    options.ignored = rects;
    options.ignored_count = take(input) % (MAX_RECTS + 1);
    for (size_t i = 0; i < options.ignored_count; i++) {
        rects[i] = (struct image_rect){ (int8_t)take(input), (int8_t)take(input),
                                        (int8_t)take(input), (int8_t)take(input) };
    }
    return options;
}

static void check_numbers(const struct image_diff *diff, const struct image_diff_options *options)
{
    size_t in_regions = 0;
    check(diff->diff_pixels + diff->antialiased_pixels + diff->ignored_pixels <=
          diff->total_pixels);
    check(diff->diff_ratio >= 0 && diff->diff_ratio <= 1);
    check(diff->is_different == (diff->diff_pixels || diff->faint_pixels));
    check(strlen(diff->fingerprint) == (diff->is_different ? 16 : 0));
    check(diff->density <= diff->diff_pixels);
    check(!options->density_window || !diff->diff_pixels == !diff->density);
    check(diff->region_count <= options->max_regions && diff->region_count <= diff->region_total);
    for (size_t i = 0; i < diff->region_count; i++) {
        const struct image_rect *box = &diff->regions[i].box;
        check(box->x >= 0 && box->y >= 0 && box->width > 0 && box->height > 0);
        check(box->x + box->width <= diff->width && box->y + box->height <= diff->height);
        check(diff->regions[i].pixels <= (size_t)box->width * (size_t)box->height);
        in_regions += diff->regions[i].pixels;
    }
    check(diff->region_count < diff->region_total ||
          in_regions == diff->diff_pixels + diff->faint_pixels);
}

static void check_same(const struct image_diff *a, const struct image_diff *b)
{
    check(a->width == b->width && a->height == b->height);
    check(a->diff_pixels == b->diff_pixels && a->antialiased_pixels == b->antialiased_pixels);
    check(a->faint_pixels == b->faint_pixels && a->ignored_pixels == b->ignored_pixels);
    check(a->density == b->density && a->region_total == b->region_total);
}

static void compare_files(const struct br_image *a, const struct br_image *b,
                          const struct image_diff_options *options, const struct image_diff *diff)
{
    struct br_error err;
    struct image_diff again;
    unsigned char *bytes[2];
    struct image_diff_file files[2] = { { .name = "a" }, { .name = "b" } };
    check(br_png_encode(a, &bytes[0], &files[0].size, &err));
    check(br_png_encode(b, &bytes[1], &files[1].size, &err));
    files[0].bytes = bytes[0];
    files[1].bytes = bytes[1];
    check(image_diff_files(&files[0], &files[1], options, &again, &err));
    check_same(diff, &again);
    check(strcmp(diff->fingerprint, again.fingerprint) == 0);
    if (again.picture.indexes) {
        size_t size = ((size_t)diff->width + 1) * (size_t)diff->height;
        check(memcmp(diff->picture.indexes, again.picture.indexes, size) == 0);
    }
    image_diff_finish(&again);
    free(bytes[0]);
    free(bytes[1]);
}

static void check_picture(const struct image_diff_picture *picture)
{
    struct br_error err;
    struct br_image painted;
    struct br_image decoded;
    unsigned char *file = NULL;
    size_t size = 0;
    check(image_diff_picture_paint(picture, &painted, &err));
    check(image_diff_picture_encode(picture, &file, &size, &err));
    check(br_png_decode(file, size, &decoded, &err));
    check(memcmp(painted.pixels, decoded.pixels, image_stride(&painted) * (size_t)painted.height) ==
          0);
    br_image_finish(&painted);
    br_image_finish(&decoded);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = { bytes, size };
    struct image_rect rects[MAX_RECTS];
    struct br_error err = { 0 };
    struct image_diff diff;
    struct image_diff swapped;
    struct image_diff_options options = take_options(&input, rects);
    struct br_image a = take_image(&input, NULL);
    struct br_image b = take_image(&input, &a);
    if (image_diff(&a, &b, &options, &diff, &err)) {
        check_numbers(&diff, &options);
        check(image_diff(&b, &a, &options, &swapped, &err));
        check_same(&diff, &swapped);
        compare_files(&a, &b, &options, &diff);
        if (options.has_picture) {
            check_picture(&diff.picture);
        }
        image_diff_finish(&swapped);
        image_diff_finish(&diff);
    } else {
        check(err.code == BR_INVALID_ACTION && err.message[0] != '\0');
    }
    br_image_finish(&a);
    br_image_finish(&b);
    return 0;
}
