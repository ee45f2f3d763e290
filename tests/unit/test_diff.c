#include "imaging/diff.h"
#include "imaging/diff_files.h"
#include "imaging/diff_picture.h"
#include "imaging/diff_rule.h"
#include "imaging/draw.h"
#include "imaging/image.h"
#include "tests/unit/diff_pairs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/diff_counts.h"

static const struct image_colour black = { 0, 0, 0 };
static const struct image_colour grey = { 250, 250, 250 };
static const struct image_colour red = { 200, 0, 0 };

static struct br_image make_page(int width, int height)
{
    struct br_error err;
    struct br_image image;
    assert_true(image_create(width, height, &image, &err));
    memset(image.pixels, 255, image_stride(&image) * (size_t)height);
    return image;
}

static struct image_diff compare(const struct br_image *a, const struct br_image *b,
                                 const struct image_diff_options *options)
{
    struct br_error err = { 0 };
    struct image_diff diff;
    if (!image_diff(a, b, options, &diff, &err)) {
        fail_msg("%s", err.message);
    }
    return diff;
}

/* Compares a white page of this size with one that has coloured rectangles. */
static struct image_diff compare_filled(int width, int height, const struct image_rect *rects,
                                        size_t count, struct image_colour colour,
                                        const struct image_diff_options *options)
{
    struct br_image a = make_page(width, height);
    struct br_image b = make_page(width, height);
    for (size_t i = 0; i < count; i++) {
        image_fill(&b, &rects[i], colour);
    }
    struct image_diff diff = compare(&a, &b, options);
    br_image_finish(&a);
    br_image_finish(&b);
    return diff;
}

static void expect_box(const struct image_diff_region *region, struct image_rect box)
{
    assert_int_equal(region->box.x, box.x);
    assert_int_equal(region->box.y, box.y);
    assert_int_equal(region->box.width, box.width);
    assert_int_equal(region->box.height, box.height);
}

static void check_counts(enum image_diff_metric metric)
{
    for (unsigned i = 0; i < sizeof(diff_counts[0]) / sizeof(diff_counts[0][0]); i++) {
        struct diff_case made = diff_case_make(i + 1);
        made.options.metric = metric;
        struct image_diff diff = compare(&made.a, &made.b, &made.options);
        if (diff.diff_pixels != diff_counts[metric][i].different ||
            diff.antialiased_pixels != diff_counts[metric][i].antialiased) {
            fail_msg("case %u by %s: %zu and %zu instead of %u and %u", i + 1,
                     diff_rule_metric_name(metric), diff.diff_pixels, diff.antialiased_pixels,
                     diff_counts[metric][i].different, diff_counts[metric][i].antialiased);
        }
        size_t in_regions = 0;
        for (size_t j = 0; j < diff.region_count; j++) {
            in_regions += diff.regions[j].pixels;
        }
        assert_true(in_regions == diff.diff_pixels || diff.region_count < diff.region_total);
        assert_int_equal(diff.is_different, diff.diff_pixels > 0);
        assert_int_equal(strlen(diff.fingerprint), diff.diff_pixels ? 16 : 0);
        image_diff_finish(&diff);
        diff_case_finish(&made);
    }
}

static void test_diff_of_many_pairs_counts_as_pixelmatch(void **state)
{
    (void)state;
    check_counts(IMAGE_DIFF_PIXELMATCH_7);
    check_counts(IMAGE_DIFF_PIXELMATCH_8);
}

static struct image_diff_file make_file(const struct br_image *image, const char *name)
{
    struct br_error err;
    unsigned char *bytes = NULL;
    struct image_diff_file file = { .name = name };
    assert_true(br_png_encode(image, &bytes, &file.size, &err));
    file.bytes = bytes;
    return file;
}

static void test_diff_of_files_is_that_of_their_pixels(void **state)
{
    (void)state;
    for (unsigned i = 1; i <= 200; i++) {
        struct br_error err = { 0 };
        struct image_diff by_files;
        struct diff_case made = diff_case_make(i);
        struct image_diff_file a = make_file(&made.a, "a.png");
        struct image_diff_file b = make_file(&made.b, "b.png");
        made.options.has_picture = true;
        struct image_diff diff = compare(&made.a, &made.b, &made.options);
        assert_true(image_diff_files(&a, &b, &made.options, &by_files, &err));
        assert_int_equal(by_files.diff_pixels, diff.diff_pixels);
        assert_int_equal(by_files.antialiased_pixels, diff.antialiased_pixels);
        assert_int_equal(by_files.region_total, diff.region_total);
        assert_string_equal(by_files.fingerprint, diff.fingerprint);
        if (by_files.picture.indexes) { /* equal files have none */
            assert_memory_equal(by_files.picture.indexes, diff.picture.indexes,
                                (size_t)(diff.width + 1) * (size_t)diff.height);
        }
        image_diff_finish(&by_files);
        image_diff_finish(&diff);
        free((void *)a.bytes);
        free((void *)b.bytes);
        diff_case_finish(&made);
    }
}

/* Fills the rows with noise of few colours, but for PADDING rows above and below. */
enum { PADDING = 4 };
static void add_noise(struct br_image *image, unsigned changes)
{
    for (int y = PADDING; y < image->height - PADDING; y++) {
        for (int x = 0; x < image->width; x++) {
            if (random_number(100) < changes) {
                memset(image_row(image, y) + (size_t)x * IMAGE_BYTES_PER_PIXEL,
                       (int)random_number(4) * 80, 3);
            }
        }
    }
}

/* Returns the picture, `count` times below itself. */
static struct br_image stack(const struct br_image *image, int count)
{
    struct br_image all = make_page(image->width, image->height * count);
    size_t size = image_stride(image) * (size_t)image->height;
    for (int i = 0; i < count; i++) {
        memcpy(all.pixels + (size_t)i * size, image->pixels, size);
    }
    return all;
}

/* Rows are compared in blocks while those above are counted, and files through a ring of rows. */
static void test_diff_of_many_rows_is_that_of_each_part(void **state)
{
    enum { WIDTH = 1100, HEIGHT = 61, COUNT = 12 };
    (void)state;
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    struct br_error err = { 0 };
    options.has_picture = true;
    struct br_image a = make_page(WIDTH, HEIGHT);
    add_noise(&a, 50);
    struct br_image b = stack(&a, 1);
    add_noise(&b, 20);
    struct br_image all_a = stack(&a, COUNT);
    struct br_image all_b = stack(&b, COUNT);
    struct image_diff_file file_a = make_file(&all_a, "a.png");
    struct image_diff_file file_b = make_file(&all_b, "b.png");
    struct image_diff part = compare(&a, &b, &options);
    struct image_diff all[2] = { compare(&all_a, &all_b, &options) };
    assert_true(part.diff_pixels > 0 && part.antialiased_pixels > 0);
    assert_true(image_diff_files(&file_a, &file_b, &options, &all[1], &err));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(all[i].diff_pixels, COUNT * part.diff_pixels);
        assert_int_equal(all[i].antialiased_pixels, COUNT * part.antialiased_pixels);
        assert_int_equal(all[i].region_total, COUNT * part.region_total);
        assert_string_equal(all[i].fingerprint, part.fingerprint);
        for (size_t j = 0; j < COUNT; j++) {
            size_t size = (WIDTH + 1) * HEIGHT;
            assert_memory_equal(all[i].picture.indexes + j * size, part.picture.indexes, size);
        }
        image_diff_finish(&all[i]);
    }
    image_diff_finish(&part);
    free((void *)file_a.bytes);
    free((void *)file_b.bytes);
    struct br_image *const images[] = { &a, &b, &all_a, &all_b };
    for (size_t i = 0; i < 4; i++) {
        br_image_finish(images[i]);
    }
}

static void test_diff_of_files_when_one_is_broken_names_it(void **state)
{
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    (void)state;
    struct br_image image = make_page(9, 9);
    struct image_diff_file good = make_file(&image, "good.png");
    struct image_diff_file broken = { "broken.png", good.bytes, good.size - 20 };
    const struct image_diff_file *pairs[][2] = { { &good, &broken },
                                                 { &broken, &good },
                                                 { &broken, &broken } };
    for (size_t i = 0; i < 3; i++) {
        struct br_error err = { 0 };
        struct image_diff diff;
        assert_false(image_diff_files(pairs[i][0], pairs[i][1], &options, &diff, &err));
        assert_int_equal(err.code, BR_INVALID_ACTION);
        assert_non_null(strstr(err.message, "broken.png: PNG"));
    }
    free((void *)good.bytes);
    br_image_finish(&image);
}

static void test_diff_of_one_picture_finds_nothing(void **state)
{
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    (void)state;
    struct br_image a = make_page(30, 20);
    for (int i = 0; i < 2; i++) {
        options.has_picture = i == 1;
        struct image_diff diff = compare(&a, &a, &options);
        assert_false(diff.is_different);
        assert_int_equal(diff.total_pixels, 600);
        assert_int_equal(diff.region_count, 0);
        assert_string_equal(diff.fingerprint, "");
        assert_int_equal(diff.picture.indexes != NULL, i);
        image_diff_finish(&diff);
    }
    br_image_finish(&a);
}

static void test_diff_of_sizes_counts_what_one_has_alone(void **state)
{
    static const struct {
        int a[2], b[2];
        size_t diff, total;
    } cases[] = {
        { { 30, 20 }, { 30, 25 }, 150, 750 },
        { { 30, 20 }, { 28, 20 }, 40, 600 },
        /* Neither picture has the corner. */
        { { 30, 20 }, { 20, 30 }, 400, 800 },
    };
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_image a = make_page(cases[i].a[0], cases[i].a[1]);
        struct br_image b = make_page(cases[i].b[0], cases[i].b[1]);
        struct image_diff diff = compare(&a, &b, &options);
        assert_true(diff.layout_differs && diff.is_different);
        assert_int_equal(diff.diff_pixels, cases[i].diff);
        assert_int_equal(diff.total_pixels, cases[i].total);
        assert_true(diff.diff_ratio == (double)cases[i].diff / (double)cases[i].total);
        image_diff_finish(&diff);
        br_image_finish(&a);
        br_image_finish(&b);
    }
}

/* The common part is compared as usual. */
static void test_diff_of_sizes_compares_the_part_of_both(void **state)
{
    (void)state;
    for (unsigned i = 1; i <= 100; i++) {
        struct br_error err;
        struct diff_case made = diff_case_make(i);
        struct image_diff whole = compare(&made.a, &made.b, &made.options);
        struct br_image larger;
        assert_true(image_create(made.b.width + 7, made.b.height + 3, &larger, &err));
        image_paste(&larger, 0, 0, &made.b);
        struct image_diff diff = compare(&made.a, &larger, &made.options);
        size_t alone = diff.total_pixels - whole.total_pixels;
        assert_int_equal(diff.diff_pixels, whole.diff_pixels + alone);
        assert_int_equal(diff.antialiased_pixels, whole.antialiased_pixels);
        image_diff_finish(&diff);
        image_diff_finish(&whole);
        br_image_finish(&larger);
        diff_case_finish(&made);
    }
}

static void test_diff_when_far_apart_lists_regions(void **state)
{
    static const struct image_rect rects[] = {
        { 10, 10, 5, 5 },  { 22, 12, 4, 4 },  /* 8 columns from the first one: joined */
        { 60, 10, 3, 3 },                     /* far */
        { 0, 90, 40, 10 }, { 70, 80, 2, 20 }, /* 31 columns apart */
    };
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    (void)state;
    struct image_diff diff = compare_filled(100, 100, rects, 5, black, &options);
    assert_int_equal(diff.region_total, 4);
    assert_int_equal(diff.region_count, 4);
    expect_box(&diff.regions[0], rects[3]);
    expect_box(&diff.regions[1], (struct image_rect){ 10, 10, 16, 6 });
    expect_box(&diff.regions[2], rects[4]);
    expect_box(&diff.regions[3], rects[2]);
    assert_int_equal(diff.regions[1].pixels, 25 + 16);
    image_diff_finish(&diff);
    options.max_regions = 2;
    diff = compare_filled(100, 100, rects, 5, black, &options);
    assert_int_equal(diff.region_total, 4);
    assert_int_equal(diff.region_count, 2);
    expect_box(&diff.regions[0], rects[3]);
    image_diff_finish(&diff);
}

/* By the definition: joins near pixels until no more are near. */
static size_t count_regions(const struct br_image *a, const struct br_image *b, int *labels)
{
    int width = a->width;
    int height = a->height;
    size_t count = 0;
    for (int i = 0; i < width * height; i++) {
        labels[i] = memcmp(a->pixels + i * 4, b->pixels + i * 4, 4) ? 0 : -1;
    }
    for (int i = 0; i < width * height; i++) {
        if (labels[i] != 0) {
            continue;
        }
        labels[i] = (int)++count;
        bool has_grown = true;
        while (has_grown) {
            has_grown = false;
            for (int j = 0; j < width * height; j++) {
                for (int k = 0; k < width * height && labels[j] == (int)count; k++) {
                    bool is_near = abs(j % width - k % width) <= IMAGE_DIFF_REACH &&
                                   abs(j / width - k / width) <= IMAGE_DIFF_REACH;
                    if (labels[k] == 0 && is_near) {
                        labels[k] = (int)count;
                        has_grown = true;
                    }
                }
            }
        }
    }
    return count;
}

static void test_diff_regions_agree_with_the_definition(void **state)
{
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    int labels[60 * 60];
    (void)state;
    options.threshold = 0;
    options.counts_antialias = true;
    random_state = 7;
    for (int round = 0; round < 60; round++) {
        struct br_image a = make_page(20 + (int)random_number(40), 20 + (int)random_number(40));
        struct br_image b = make_page(a.width, a.height);
        for (unsigned count = random_number(30); count > 0; count--) {
            int x = (int)random_number((unsigned)a.width);
            int y = (int)random_number((unsigned)a.height);
            image_fill(&b, &(struct image_rect){ x, y, 1 + (int)random_number(4), 1 }, black);
        }
        struct image_diff diff = compare(&a, &b, &options);
        assert_int_equal(diff.region_total, count_regions(&a, &b, labels));
        image_diff_finish(&diff);
        br_image_finish(&a);
        br_image_finish(&b);
    }
}

static void test_diff_when_left_out_does_not_count(void **state)
{
    static const struct image_rect change = { 10, 10, 20, 20 };
    struct image_rect ignored[] = { { 0, 0, 20, 100 }, { 25, 25, 500, 500 } };
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    (void)state;
    options.ignored = ignored;
    options.ignored_count = 2;
    struct image_diff diff = compare_filled(50, 40, &change, 1, black, &options);
    assert_int_equal(diff.diff_pixels, 10 * 20 - 5 * 5);
    assert_int_equal(diff.ignored_pixels, 20 * 40 + 25 * 15);
    image_diff_finish(&diff);
    ignored[0] = change;
    diff = compare_filled(50, 40, &change, 1, black, &options);
    assert_false(diff.is_different);
    image_diff_finish(&diff);
}

/* Moves a window over every position. */
static size_t densest(const struct br_image *a, const struct br_image *b, int window)
{
    size_t highest = 0;
    for (int top = 1 - window; top < a->height; top++) {
        for (int left = 1 - window; left < a->width; left++) {
            struct image_rect whole = { left, top, window, window };
            struct image_rect part = image_rect_clip(&whole, a->width, a->height);
            size_t count = 0;
            for (int i = 0; i < part.width * part.height; i++) {
                int x = part.x + i % part.width;
                int y = part.y + i / part.width;
                count += memcmp(image_row(a, y) + x * 4, image_row(b, y) + x * 4, 4) != 0;
            }
            highest = count > highest ? count : highest;
        }
    }
    return highest;
}

static void test_parts_have_their_own_threshold(void **state)
{
    (void)state;
    struct image_rect change = { 10, 10, 40, 20 };
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    const struct image_diff_zone zones[] = {
        { { 0, 0, 100, 100 }, 0.5 },       /* hides a faint grey */
        { { 20, 15, 5, 5 }, 0 },           /* sees it again */
        { { 40, 25, 1000, 1000 }, 0.001 }, /* partly outside */
        { { -5, -5, 16, 16 }, 0 },
    };
    struct image_rect ignored = { 20, 15, 1, 1 };
    options.threshold = 0;
    struct image_diff diff = compare_filled(60, 40, &change, 1, grey, &options);
    assert_int_equal(diff.diff_pixels, 40 * 20);
    image_diff_finish(&diff);
    options.threshold = 0.1;
    diff = compare_filled(60, 40, &change, 1, grey, &options);
    assert_int_equal(diff.diff_pixels, 0);
    image_diff_finish(&diff);
    options.zones = zones;
    options.zone_count = 4;
    diff = compare_filled(60, 40, &change, 1, grey, &options);
    assert_int_equal(diff.diff_pixels, 5 * 5 + 10 * 5 + 1);
    image_diff_finish(&diff);
    options.ignored = &ignored;
    options.ignored_count = 1;
    diff = compare_filled(60, 40, &change, 1, grey, &options);
    assert_int_equal(diff.diff_pixels, 5 * 5 + 10 * 5);
    image_diff_finish(&diff);
    const struct image_diff_zone wrong = { { 0, 0, 1, 1 }, 1.5 };
    struct br_image page = make_page(4, 4);
    struct br_error err = { 0 };
    options.zones = &wrong;
    options.zone_count = 1;
    assert_false(image_diff(&page, &page, &options, &diff, &err));
    br_image_finish(&page);
}

static void test_diff_density_agrees_with_the_definition(void **state)
{
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    (void)state;
    options.threshold = 0;
    options.counts_antialias = true;
    random_state = 3;
    for (int round = 0; round < 60; round++) {
        struct br_image a = make_page(1 + (int)random_number(30), 1 + (int)random_number(30));
        struct br_image b = make_page(a.width, a.height);
        for (unsigned count = random_number(20); count > 0; count--) {
            int x = (int)random_number((unsigned)a.width);
            int y = (int)random_number((unsigned)a.height);
            image_fill(&b, &(struct image_rect){ x, y, 3, 1 }, black);
        }
        options.density_window = 1 + (int)random_number(40);
        struct image_diff diff = compare(&a, &b, &options);
        assert_int_equal(diff.density, densest(&a, &b, options.density_window));
        image_diff_finish(&diff);
        br_image_finish(&a);
        br_image_finish(&b);
    }
}

static void test_diff_strict_pass_finds_faint_areas_alone(void **state)
{
    static const struct image_rect rects[] = { { 5, 5, 50, 50 }, { 80, 80, 10, 10 } };
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    (void)state;
    struct image_diff diff = compare_filled(100, 100, rects, 2, grey, &options);
    assert_false(diff.is_different);
    image_diff_finish(&diff);
    options.strict_threshold = 0;
    diff = compare_filled(100, 100, rects, 2, grey, &options);
    assert_true(diff.is_different);
    assert_int_equal(diff.diff_pixels, 0);
    assert_int_equal(diff.faint_pixels, 2500);
    assert_int_equal(diff.region_count, 1);
    assert_true(diff.regions[0].is_faint);
    expect_box(&diff.regions[0], rects[0]);
    image_diff_finish(&diff);
    options.strict_area = 100;
    diff = compare_filled(100, 100, rects, 2, grey, &options);
    assert_int_equal(diff.faint_pixels, 2600);
    image_diff_finish(&diff);
    options.strict_area = 2501;
    diff = compare_filled(100, 100, rects, 2, grey, &options);
    assert_false(diff.is_different);
    image_diff_finish(&diff);
}

static void fingerprint(const struct image_rect *rects, size_t count, struct image_colour colour,
                        char ret_fingerprint[17])
{
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    struct image_diff diff = compare_filled(200, 150, rects, count, colour, &options);
    memcpy(ret_fingerprint, diff.fingerprint, sizeof(diff.fingerprint));
    image_diff_finish(&diff);
}

static void test_diff_fingerprint_is_of_the_change_and_not_of_its_place(void **state)
{
    static const struct image_rect first[] = { { 10, 10, 20, 12 } };
    static const struct image_rect moved[] = { { 117, 93, 20, 12 } };
    static const struct image_rect repeated[] = { { 10, 10, 20, 12 }, { 50, 77, 20, 12 } };
    static const struct image_rect turned[] = { { 10, 10, 12, 20 } };
    static const struct image_rect with_more[] = { { 10, 10, 20, 12 }, { 90, 77, 3, 3 } };
    char prints[7][17];
    (void)state;
    fingerprint(first, 1, black, prints[0]);
    fingerprint(moved, 1, black, prints[1]);
    fingerprint(repeated, 2, black, prints[2]);
    assert_string_equal(prints[0], prints[1]);
    assert_string_equal(prints[0], prints[2]);
    fingerprint(first, 1, red, prints[3]);
    fingerprint(turned, 1, black, prints[4]);
    fingerprint(with_more, 2, black, prints[5]);
    for (int i = 3; i < 6; i++) {
        assert_string_not_equal(prints[0], prints[i]);
        assert_int_equal(strspn(prints[i], "0123456789abcdef"), 16);
    }
}

static void test_diff_picture_shows_each_kind_of_pixel(void **state)
{
    static const struct {
        int x, y;
        uint8_t page[4], mask[4];
    } cases[] = {
        { 0, 0, { 229, 229, 229, 255 }, { 0, 0, 0, 0 } },      /* the page, black there */
        { 2, 0, { 255, 255, 255, 255 }, { 0, 0, 0, 0 } },      /* and white there */
        { 5, 5, { 255, 0, 0, 255 }, { 255, 0, 0, 255 } },      /* different */
        { 15, 5, { 176, 190, 206, 255 }, { 0, 0, 0, 0 } },     /* ignored */
        { 5, 15, { 255, 140, 0, 255 }, { 255, 140, 0, 255 } }, /* faint */
        { 22, 5, { 0, 110, 255, 255 }, { 0, 110, 255, 255 } }, /* in one picture only */
        { 22, 25, { 255, 255, 255, 255 }, { 0, 0, 0, 0 } },    /* in neither picture */
    };
    struct image_rect ignored = { 12, 0, 6, 20 };
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    (void)state;
    struct br_image a = make_page(20, 30);
    struct br_image b = make_page(25, 20);
    image_fill(&a, &(struct image_rect){ 0, 0, 1, 1 }, black);
    image_fill(&b, &(struct image_rect){ 0, 0, 1, 1 }, black);
    image_fill(&b, &(struct image_rect){ 4, 4, 16, 4 }, black);
    image_fill(&b, &(struct image_rect){ 4, 14, 4, 4 }, grey);
    options.has_picture = true;
    options.ignored = &ignored;
    options.ignored_count = 1;
    options.strict_threshold = 0;
    for (int mask = 0; mask < 2; mask++) {
        struct br_error err = { 0 };
        struct br_image painted;
        struct br_image decoded;
        unsigned char *file = NULL;
        size_t size = 0;
        options.is_picture_mask = mask;
        struct image_diff diff = compare(&a, &b, &options);
        assert_true(image_diff_picture_paint(&diff.picture, &painted, &err));
        assert_true(image_diff_picture_encode(&diff.picture, &file, &size, &err));
        assert_true(br_png_decode(file, size, &decoded, &err));
        assert_int_equal(painted.width, 25);
        assert_int_equal(painted.height, 30);
        assert_memory_equal(painted.pixels, decoded.pixels, 25 * 30 * 4);
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
            const uint8_t *pixel = image_row(&painted, cases[i].y) + cases[i].x * 4;
            assert_memory_equal(pixel, mask ? cases[i].mask : cases[i].page, 4);
        }
        free(file);
        image_diff_finish(&diff);
        br_image_finish(&painted);
        br_image_finish(&decoded);
    }
    br_image_finish(&a);
    br_image_finish(&b);
}

static void test_diff_when_options_are_wrong_says_so(void **state)
{
    static const struct {
        double threshold, strict;
        int window;
        const char *message;
    } cases[] = {
        { -0.1, -1, 0, "The threshold -0.1 is not" },
        { 1.1, -1, 0, "The threshold 1.1 is not" },
        { 0.1, 0.1, 0, "The strict threshold 0.1 is not below" },
        { 0.1, -1, -1, "The density window of -1 pixels" },
        { 0.1, -1, 5000, "The density window of 5000 pixels" },
    };
    (void)state;
    struct br_image a = make_page(2, 2);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
        struct image_diff diff;
        struct br_error err = { 0 };
        options.threshold = cases[i].threshold;
        options.strict_threshold = cases[i].strict;
        options.density_window = cases[i].window;
        assert_false(image_diff(&a, &a, &options, &diff, &err));
        assert_int_equal(err.code, BR_INVALID_ACTION);
        assert_non_null(strstr(err.message, cases[i].message));
    }
    br_image_finish(&a);
}

static void test_diff_when_too_large_together_is_refused(void **state)
{
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    struct image_diff diff;
    struct br_error err = { 0 };
    (void)state;
    struct br_image wide = make_page(20000, 1);
    struct br_image high = make_page(1, 20000);
    assert_false(image_diff(&wide, &high, &options, &diff, &err));
    assert_int_equal(err.code, BR_LIMIT_EXCEEDED);
    assert_non_null(strstr(err.message, "20000x20000"));
    br_image_finish(&wide);
    br_image_finish(&high);
}

/* More regions than the limit: none is lost, and memory stays bounded. */
static void test_diff_when_regions_are_many_puts_the_rest_together(void **state)
{
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    (void)state;
    struct br_image a = make_page(2600, 2600);
    struct br_image b = make_page(2600, 2600);
    for (int y = 0; y < 2600; y += 10) {
        for (int x = 0; x < 2600; x += 10) {
            image_fill(&b, &(struct image_rect){ x, y, 1, 1 }, black);
        }
    }
    options.max_regions = 100000;
    struct image_diff diff = compare(&a, &b, &options);
    assert_int_equal(diff.diff_pixels, 260 * 260);
    assert_int_equal(diff.region_total, 65536);
    assert_int_equal(diff.regions[0].pixels, 260 * 260 - 65535);
    image_diff_finish(&diff);
    br_image_finish(&a);
    br_image_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_have_their_own_threshold),
        cmocka_unit_test(test_diff_of_many_pairs_counts_as_pixelmatch),
        cmocka_unit_test(test_diff_of_files_is_that_of_their_pixels),
        cmocka_unit_test(test_diff_of_many_rows_is_that_of_each_part),
        cmocka_unit_test(test_diff_of_files_when_one_is_broken_names_it),
        cmocka_unit_test(test_diff_of_one_picture_finds_nothing),
        cmocka_unit_test(test_diff_of_sizes_counts_what_one_has_alone),
        cmocka_unit_test(test_diff_of_sizes_compares_the_part_of_both),
        cmocka_unit_test(test_diff_when_far_apart_lists_regions),
        cmocka_unit_test(test_diff_regions_agree_with_the_definition),
        cmocka_unit_test(test_diff_when_left_out_does_not_count),
        cmocka_unit_test(test_diff_density_agrees_with_the_definition),
        cmocka_unit_test(test_diff_strict_pass_finds_faint_areas_alone),
        cmocka_unit_test(test_diff_fingerprint_is_of_the_change_and_not_of_its_place),
        cmocka_unit_test(test_diff_picture_shows_each_kind_of_pixel),
        cmocka_unit_test(test_diff_when_options_are_wrong_says_so),
        cmocka_unit_test(test_diff_when_too_large_together_is_refused),
        cmocka_unit_test(test_diff_when_regions_are_many_puts_the_rest_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
