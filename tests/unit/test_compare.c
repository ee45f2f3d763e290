#include "imaging/compare.h"
#include "imaging/image.h"
#include "tests/unit/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct br_image make_image(int width, int height)
{
    struct br_error err;
    struct br_image image;
    assert_true(image_create(width, height, &image, &err));
    for (size_t i = 0; i < image_stride(&image) * (size_t)height; i++) {
        image.pixels[i] = (uint8_t)random_number(256);
    }
    return image;
}

static struct br_image copy_image(const struct br_image *image)
{
    struct br_error err;
    struct br_image copy;
    assert_true(image_create(image->width, image->height, &copy, &err));
    memcpy(copy.pixels, image->pixels, image_stride(image) * (size_t)image->height);
    return copy;
}

static void change_pixel(struct br_image *image, int x, int y)
{
    image_row(image, y)[(size_t)x * IMAGE_BYTES_PER_PIXEL + random_number(3)] ^= 1;
}

static void expect_box(const struct image_change *change, struct image_rect box)
{
    assert_int_equal(change->box.x, box.x);
    assert_int_equal(change->box.y, box.y);
    assert_int_equal(change->box.width, box.width);
    assert_int_equal(change->box.height, box.height);
}

static void test_compare_when_equal_finds_nothing(void **state)
{
    (void)state;
    struct br_image a = make_image(70, 33);
    struct br_image b = copy_image(&a);
    struct image_change change = image_compare(&a, &b, NULL);
    assert_int_equal(change.pixels, 0);
    assert_int_equal(change.tiles, 0);
    assert_true(change.fraction == 0);
    expect_box(&change, (struct image_rect){ 0 });
    br_image_finish(&a);
    br_image_finish(&b);
}

static void test_compare_when_one_pixel_differs_finds_it(void **state)
{
    static const int sizes[][2] = { { 1, 1 }, { 16, 16 }, { 17, 1 }, { 70, 33 }, { 31, 48 } };
    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        int width = sizes[i][0];
        int height = sizes[i][1];
        int corners[][2] = {
            { 0, 0 }, { width - 1, 0 }, { 0, height - 1 }, { width - 1, height - 1 }
        };
        for (size_t j = 0; j < 4; j++) {
            struct br_image a = make_image(width, height);
            struct br_image b = copy_image(&a);
            change_pixel(&b, corners[j][0], corners[j][1]);
            struct image_change change = image_compare(&a, &b, NULL);
            assert_int_equal(change.pixels, 1);
            assert_int_equal(change.tiles, 1);
            assert_true(change.fraction == 1.0 / (width * height));
            expect_box(&change, (struct image_rect){ corners[j][0], corners[j][1], 1, 1 });
            br_image_finish(&a);
            br_image_finish(&b);
        }
    }
}

/* Computes the result by the definition: for each pixel and its tile. */
static void expect_same_by_definition(const struct br_image *a, const struct br_image *b,
                                      const struct image_mask *mask)
{
    struct image_change change = image_compare(a, b, mask);
    bool tiles[16][16] = { 0 };
    size_t pixels = 0;
    size_t tile_count = 0;
    for (int y = 0; y < a->height; y++) {
        for (int x = 0; x < a->width; x++) {
            bool is_out = mask && mask->tiles[y / IMAGE_TILE * mask->columns + x / IMAGE_TILE];
            size_t at = (size_t)x * IMAGE_BYTES_PER_PIXEL;
            if (is_out || memcmp(image_row(a, y) + at, image_row(b, y) + at, 4) == 0) {
                continue;
            }
            pixels++;
            tile_count += !tiles[y / IMAGE_TILE][x / IMAGE_TILE];
            tiles[y / IMAGE_TILE][x / IMAGE_TILE] = true;
            assert_true(x >= change.box.x && x < change.box.x + change.box.width);
            assert_true(y >= change.box.y && y < change.box.y + change.box.height);
        }
    }
    assert_int_equal(change.pixels, pixels);
    assert_int_equal(change.tiles, tile_count);
}

static void test_compare_when_random_agrees_with_the_definition(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        struct br_image a = make_image(1 + (int)random_number(120), 1 + (int)random_number(120));
        struct br_image b = copy_image(&a);
        struct br_image c = copy_image(&a);
        struct image_mask mask;
        image_mask_init(&mask, a.width, a.height);
        for (uint32_t i = random_number(20); i > 0; i--) {
            change_pixel(&b, (int)random_number((uint32_t)a.width),
                         (int)random_number((uint32_t)a.height));
            change_pixel(&c, (int)random_number((uint32_t)a.width),
                         (int)random_number((uint32_t)a.height));
        }
        image_mask_add_changed(&mask, &a, &c);
        expect_same_by_definition(&a, &b, NULL);
        expect_same_by_definition(&a, &b, &mask);
        assert_int_equal(image_compare(&a, &c, &mask).pixels, 0);
        image_mask_finish(&mask);
        br_image_finish(&a);
        br_image_finish(&b);
        br_image_finish(&c);
    }
}

static void test_compare_when_sizes_differ_takes_all_as_changed(void **state)
{
    (void)state;
    struct br_image a = make_image(20, 20);
    struct br_image b = make_image(30, 20);
    struct image_change change = image_compare(&a, &b, NULL);
    assert_int_equal(change.pixels, 600);
    assert_int_equal(change.tiles, 4);
    assert_true(change.fraction == 1);
    expect_box(&change, (struct image_rect){ 0, 0, 30, 20 });
    br_image_finish(&a);
    br_image_finish(&b);
}

static size_t count_tiles(const struct image_mask *mask)
{
    size_t count = 0;
    for (int i = 0; i < mask->columns * mask->rows; i++) {
        count += mask->tiles[i];
    }
    return count;
}

static void test_mask_add_takes_each_tile_that_is_touched(void **state)
{
    static const struct {
        struct image_rect rect;
        size_t tiles;
    } cases[] = {
        { { 0, 0, 1, 1 }, 1 },       { { 0, 0, 16, 16 }, 1 },    { { 15, 15, 2, 2 }, 4 },
        { { -5, -5, 6, 6 }, 1 },     { { -5, -5, 5, 5 }, 0 },    { { 16, 16, 0, 4 }, 0 },
        { { 69, 39, 100, 100 }, 1 }, { { 0, 0, 500, 500 }, 15 }, { { 500, 500, 10, 10 }, 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct image_mask mask;
        image_mask_init(&mask, 70, 40);
        image_mask_add(&mask, &cases[i].rect);
        assert_int_equal(count_tiles(&mask), cases[i].tiles);
        assert_true(image_mask_share(&mask) == (double)cases[i].tiles / 15);
        image_mask_finish(&mask);
    }
}

static void test_mask_grow_takes_the_neighbours_once(void **state)
{
    (void)state;
    struct image_mask mask;
    image_mask_init(&mask, 160, 160);
    image_mask_add(&mask, &(struct image_rect){ 0, 0, 1, 1 });
    image_mask_add(&mask, &(struct image_rect){ 80, 80, 1, 1 });
    image_mask_grow(&mask);
    assert_int_equal(count_tiles(&mask), 4 + 9);
    image_mask_finish(&mask);
}

static void test_mask_join_takes_both(void **state)
{
    (void)state;
    struct image_mask mask;
    struct image_mask other;
    image_mask_init(&mask, 64, 16);
    image_mask_init(&other, 64, 16);
    image_mask_add(&mask, &(struct image_rect){ 0, 0, 20, 1 });
    image_mask_add(&other, &(struct image_rect){ 20, 0, 20, 1 });
    image_mask_join(&mask, &other);
    assert_int_equal(count_tiles(&mask), 3);
    assert_int_equal(count_tiles(&other), 2);
    image_mask_finish(&mask);
    image_mask_finish(&other);
}

static void test_mask_add_changed_counts_new_tiles(void **state)
{
    (void)state;
    struct br_image a = make_image(40, 40);
    struct br_image b = copy_image(&a);
    struct image_mask mask;
    image_mask_init(&mask, 40, 40);
    change_pixel(&b, 3, 3);
    change_pixel(&b, 39, 39);
    assert_int_equal(image_mask_add_changed(&mask, &a, &b), 2);
    assert_int_equal(image_mask_add_changed(&mask, &a, &b), 0);
    image_mask_finish(&mask);
    br_image_finish(&a);
    br_image_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare_when_equal_finds_nothing),
        cmocka_unit_test(test_compare_when_one_pixel_differs_finds_it),
        cmocka_unit_test(test_compare_when_random_agrees_with_the_definition),
        cmocka_unit_test(test_compare_when_sizes_differ_takes_all_as_changed),
        cmocka_unit_test(test_mask_add_takes_each_tile_that_is_touched),
        cmocka_unit_test(test_mask_grow_takes_the_neighbours_once),
        cmocka_unit_test(test_mask_join_takes_both),
        cmocka_unit_test(test_mask_add_changed_counts_new_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
