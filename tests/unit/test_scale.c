#include "imaging/crop.h"
#include "imaging/image.h"
#include "tests/unit/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum alpha {
    ALPHA_OPAQUE,
    ALPHA_MIXED,  /* anything from 0 to 255 */
    ALPHA_SPARSE, /* only 0 and 255 */
    ALPHA_KINDS,
};

static struct br_image make_image(int width, int height, enum alpha alpha)
{
    struct br_error err;
    struct br_image image;
    assert_true(image_create(width, height, &image, &err));
    for (size_t i = 0; i < image_stride(&image) * (size_t)height; i++) {
        image.pixels[i] = (uint8_t)random_number(256);
        if (i % 4 == 3 && alpha == ALPHA_OPAQUE) {
            image.pixels[i] = 255;
        } else if (i % 4 == 3 && alpha == ALPHA_SPARSE) {
            image.pixels[i] = image.pixels[i] > 200 ? 255 : 0;
        }
    }
    return image;
}

/* Returns the overlap of old pixel i of `from` and new pixel j of `to`, in 1 / (from * to). */
static int64_t overlap(int64_t i, int64_t j, int64_t from, int64_t to)
{
    int64_t start = i * to > j * from ? i * to : j * from;
    int64_t end = (i + 1) * to < (j + 1) * from ? (i + 1) * to : (j + 1) * from;
    return end > start ? end - start : 0;
}

static int64_t round_quotient(int64_t numerator, int64_t divisor)
{
    return divisor ? (2 * numerator + divisor) / (2 * divisor) : 0;
}

/* By the definition: for every new pixel, examines every old one. */
static void average(const struct br_image *image, int width, int height, int x, int y, uint8_t *out)
{
    int64_t colour[3] = { 0 };
    int64_t alpha = 0;
    for (int j = 0; j < image->height; j++) {
        int64_t high = overlap(j, y, image->height, height);
        for (int i = 0; high > 0 && i < image->width; i++) {
            const uint8_t *pixel = image_row(image, j) + (size_t)i * 4;
            int64_t area = high * overlap(i, x, image->width, width);
            alpha += area * pixel[3];
            for (int c = 0; c < 3; c++) {
                colour[c] += area * pixel[3] * pixel[c];
            }
        }
    }
    for (int c = 0; c < 3; c++) {
        out[c] = (uint8_t)round_quotient(colour[c], alpha);
    }
    out[3] = (uint8_t)round_quotient(alpha, (int64_t)image->width * image->height);
}

static void check_scale(const struct br_image *image, int width, int height)
{
    struct br_error err;
    struct br_image scaled;
    assert_true(br_image_scale(image, width, height, &scaled, &err));
    assert_int_equal(scaled.width, width);
    assert_int_equal(scaled.height, height);
    bool is_copy = width == image->width && height == image->height;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            uint8_t expected[4];
            average(image, width, height, x, y, expected);
            const uint8_t *pixel = image_row(&scaled, y) + (size_t)x * 4;
            if (is_copy) {
                memcpy(expected, image_row(image, y) + (size_t)x * 4, 4);
            }
            if (memcmp(pixel, expected, 4) != 0) {
                fail_msg("%dx%d to %dx%d at %d,%d: %d %d %d %d, not %d %d %d %d", image->width,
                         image->height, width, height, x, y, pixel[0], pixel[1], pixel[2], pixel[3],
                         expected[0], expected[1], expected[2], expected[3]);
            }
        }
    }
    br_image_finish(&scaled);
}

static void test_scale_is_exact_for_all_small_sizes(void **state)
{
    (void)state;
    for (int alpha = 0; alpha < ALPHA_KINDS; alpha++) {
        for (int size = 1; size <= 11; size++) {
            struct br_image image = make_image(size, 12 - size, (enum alpha)alpha);
            for (int width = 1; width <= image.width; width++) {
                for (int height = 1; height <= image.height; height++) {
                    check_scale(&image, width, height);
                }
            }
            br_image_finish(&image);
        }
    }
}

static void test_scale_is_exact_for_larger_sizes(void **state)
{
    (void)state;
    static const int cases[][4] = {
        { 97, 61, 41, 13 },  { 128, 72, 64, 36 }, { 128, 72, 127, 71 }, { 100, 40, 100, 39 },
        { 100, 40, 99, 40 }, { 251, 3, 250, 1 },  { 3, 251, 2, 120 },   { 1000, 1, 7, 1 },
        { 1, 1000, 1, 7 },   { 120, 80, 1, 1 },   { 64, 64, 63, 1 },    { 3, 700, 2, 2 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (int alpha = 0; alpha < ALPHA_KINDS; alpha++) {
            struct br_image image = make_image(cases[i][0], cases[i][1], (enum alpha)alpha);
            check_scale(&image, cases[i][2], cases[i][3]);
            br_image_finish(&image);
        }
    }
}

/* The sums of such a column exceed 32 bits. */
static void test_scale_of_the_tallest_white_column_stays_white(void **state)
{
    (void)state;
    struct br_error err;
    struct br_image image;
    struct br_image scaled;
    assert_true(image_create(1, 17000001, &image, &err));
    memset(image.pixels, 255, (size_t)image.height * 4);
    assert_true(br_image_scale(&image, 1, 2, &scaled, &err));
    for (int i = 0; i < 8; i++) {
        assert_int_equal(scaled.pixels[i], 255);
    }
    br_image_finish(&scaled);
    br_image_finish(&image);
}

static void test_scale_refuses_to_grow_and_to_vanish(void **state)
{
    (void)state;
    static const int cases[][2] = { { 9, 8 }, { 8, 9 }, { 0, 8 }, { 8, 0 }, { -1, 8 }, { 8, -5 } };
    struct br_image image = make_image(8, 8, ALPHA_OPAQUE);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        struct br_image scaled = { 0 };
        assert_false(br_image_scale(&image, cases[i][0], cases[i][1], &scaled, &err));
        assert_int_not_equal(err.code, BR_OK);
        assert_null(scaled.pixels);
    }
    br_image_finish(&image);
}

static void test_fit_gives_the_known_sizes(void **state)
{
    (void)state;
    static const struct {
        int width, height;
        struct br_image_limits limits;
        int fit_width, fit_height;
    } cases[] = {
        { 1280, 720, BR_IMAGE_LIMITS_INIT, 1280, 720 },
        { 1280, 720, { 0, 0 }, 1280, 720 },
        { 1280, 720, { -5, -5 }, 1280, 720 },
        { 1280, 720, { 640, 0 }, 640, 360 },
        { 720, 1280, { 640, 0 }, 360, 640 },
        { 3136, 100, { 1568, 0 }, 1568, 50 },
        { 1000, 1, { 10, 0 }, 10, 1 },
        { 1, 1000, { 10, 0 }, 1, 10 },
        { 2000, 2000, { 0, 1000000 }, 1000, 1000 },
        { 2000, 2000, { 0, 999999 }, 999, 999 },
        { 2560, 1440, BR_IMAGE_LIMITS_INIT, 1430, 804 },
        { 500, 500, { 0, 0.5 }, 1, 1 },
        { 1, 80000000, BR_IMAGE_LIMITS_INIT, 1, 1568 },
        { 2147483647, 2147483647, { 100, 0 }, 100, 100 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int width = 0;
        int height = 0;
        br_image_fit(cases[i].width, cases[i].height, &cases[i].limits, &width, &height);
        assert_int_equal(width, cases[i].fit_width);
        assert_int_equal(height, cases[i].fit_height);
    }
}

static void test_fit_is_the_largest_that_fits(void **state)
{
    (void)state;
    for (int i = 0; i < 3000; i++) {
        int width = 1 + (uint8_t)random_number(256) * 9;
        int height = 1 + (uint8_t)random_number(256) * 9;
        struct br_image_limits limits = { 1 + (uint8_t)random_number(256) * 8,
                                          1 + (uint8_t)random_number(256) * 4000.0 };
        int got_width = 0;
        int got_height = 0;
        br_image_fit(width, height, &limits, &got_width, &got_height);
        int longer = width > height ? width : height;
        int shorter = width > height ? height : width;
        int edge = got_width > got_height ? got_width : got_height;
        assert_true(got_width <= width && got_height <= height && edge <= limits.max_edge);
        assert_true((double)got_width * got_height <= limits.max_pixels);
        if (edge < longer && edge < limits.max_edge) {
            double next = round_quotient((int64_t)shorter * (edge + 1), longer);
            assert_true((edge + 1) * (next > 1 ? next : 1) > limits.max_pixels);
        }
    }
}

static void test_create_checks_the_size(void **state)
{
    (void)state;
    static const struct {
        int width, height;
        enum br_code code;
    } cases[] = {
        { 0, 5, BR_UNKNOWN_ERROR },          { 5, 0, BR_UNKNOWN_ERROR },
        { -1, 1, BR_LIMIT_EXCEEDED },        { 1, -1, BR_LIMIT_EXCEEDED },
        { 8000, 10001, BR_LIMIT_EXCEEDED },  { 80000001, 1, BR_LIMIT_EXCEEDED },
        { 65536, 65536, BR_LIMIT_EXCEEDED }, { 2147483647, 2147483647, BR_LIMIT_EXCEEDED },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        struct br_image image = { 0 };
        assert_false(image_create(cases[i].width, cases[i].height, &image, &err));
        assert_int_equal(err.code, cases[i].code);
        br_image_finish(&image);
    }
}

static void test_crop_copies_the_rectangle(void **state)
{
    (void)state;
    struct br_image image = make_image(13, 9, ALPHA_MIXED);
    static const struct image_rect rects[] = {
        { 0, 0, 13, 9 }, { 0, 0, 1, 1 }, { 12, 8, 1, 1 }, { 3, 2, 7, 4 }, { 5, 0, 8, 9 },
    };
    for (size_t i = 0; i < sizeof(rects) / sizeof(rects[0]); i++) {
        struct br_error err;
        struct br_image part;
        assert_true(image_crop(&image, &rects[i], &part, &err));
        assert_int_equal(part.width, rects[i].width);
        assert_int_equal(part.height, rects[i].height);
        for (int y = 0; y < part.height; y++) {
            assert_memory_equal(image_row(&part, y),
                                image_row(&image, y + rects[i].y) + (size_t)rects[i].x * 4,
                                image_stride(&part));
        }
        br_image_finish(&part);
    }
    br_image_finish(&image);
}

static void test_crop_refuses_what_is_not_inside(void **state)
{
    (void)state;
    struct br_image image = make_image(13, 9, ALPHA_MIXED);
    static const struct image_rect rects[] = {
        { 0, 0, 14, 9 },         { 0, 0, 13, 10 },
        { 1, 0, 13, 9 },         { -1, 0, 2, 2 },
        { 0, -1, 2, 2 },         { 0, 0, 0, 1 },
        { 0, 0, 1, -1 },         { 13, 0, 1, 1 },
        { 0, 9, 1, 1 },          { 1, 1, 2147483647, 2147483647 },
        { 2147483647, 0, 1, 1 },
    };
    for (size_t i = 0; i < sizeof(rects) / sizeof(rects[0]); i++) {
        struct br_error err = { 0 };
        struct br_image part = { 0 };
        assert_false(image_crop(&image, &rects[i], &part, &err));
        assert_int_equal(err.code, BR_UNKNOWN_ERROR);
    }
    br_image_finish(&image);
}

static void test_strips_become_the_whole_again(void **state)
{
    (void)state;
    struct br_error err;
    struct br_image image = make_image(10, 23, ALPHA_MIXED);
    struct br_image whole;
    assert_true(image_create(10, 23, &whole, &err));
    for (int y = 0; y < 23; y += 5) {
        struct image_rect wish = { 0, y, 10, 5 };
        struct image_rect rect = image_rect_clip(&wish, 10, 23);
        struct br_image strip;
        assert_true(image_crop(&image, &rect, &strip, &err));
        image_paste(&whole, 0, y, &strip);
        br_image_finish(&strip);
    }
    assert_memory_equal(whole.pixels, image.pixels, (size_t)10 * 23 * 4);
    br_image_finish(&whole);
    br_image_finish(&image);
}

static void test_paste_leaves_out_what_hangs_over(void **state)
{
    (void)state;
    struct br_image source = make_image(4, 3, ALPHA_MIXED);
    static const int far = 2147483647;
    int places[][2] = { { 0, 0 }, { -2, -1 }, { 4, 5 },  { 5, 4 },   { -4, 0 },  { 0, -3 },
                        { 6, 0 }, { 0, 6 },   { 1, -2 }, { far, 0 }, { 0, far }, { -far, -far } };
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        struct br_error err;
        struct br_image target;
        assert_true(image_create(6, 6, &target, &err));
        image_paste(&target, places[i][0], places[i][1], &source);
        for (int y = 0; y < 6; y++) {
            for (int x = 0; x < 6; x++) {
                int64_t from_x = (int64_t)x - places[i][0];
                int64_t from_y = (int64_t)y - places[i][1];
                uint8_t expected[4] = { 0 };
                if (from_x >= 0 && from_x < 4 && from_y >= 0 && from_y < 3) {
                    memcpy(expected, source.pixels + (from_y * 4 + from_x) * 4, 4);
                }
                assert_memory_equal(image_row(&target, y) + (size_t)x * 4, expected, 4);
            }
        }
        br_image_finish(&target);
    }
    br_image_finish(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scale_is_exact_for_all_small_sizes),
        cmocka_unit_test(test_scale_is_exact_for_larger_sizes),
        cmocka_unit_test(test_scale_of_the_tallest_white_column_stays_white),
        cmocka_unit_test(test_scale_refuses_to_grow_and_to_vanish),
        cmocka_unit_test(test_fit_gives_the_known_sizes),
        cmocka_unit_test(test_fit_is_the_largest_that_fits),
        cmocka_unit_test(test_create_checks_the_size),
        cmocka_unit_test(test_crop_copies_the_rectangle),
        cmocka_unit_test(test_crop_refuses_what_is_not_inside),
        cmocka_unit_test(test_strips_become_the_whole_again),
        cmocka_unit_test(test_paste_leaves_out_what_hangs_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
