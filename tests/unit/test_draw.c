#include "imaging/draw.h"
#include "imaging/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct image_colour red = { 200, 10, 20 };

static struct br_image make_image(void)
{
    struct br_error err;
    struct br_image image;
    assert_true(image_create(40, 30, &image, &err));
    return image;
}

/* Classifies a pixel: '.' untouched, 'r' red, 'w' white, '?' anything else. */
static char look_at(const struct br_image *image, int x, int y)
{
    static const uint8_t untouched[4];
    static const uint8_t white[4] = { 255, 255, 255, 255 };
    const uint8_t ours[4] = { red.red, red.green, red.blue, 255 };
    const uint8_t *pixel = image_row(image, y) + (size_t)x * IMAGE_BYTES_PER_PIXEL;
    return memcmp(pixel, untouched, 4) == 0 ? '.'
           : memcmp(pixel, white, 4) == 0   ? 'w'
           : memcmp(pixel, ours, 4) == 0    ? 'r'
                                            : '?';
}

static size_t count(const struct br_image *image, char what)
{
    size_t found = 0;
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            found += look_at(image, x, y) == what;
        }
    }
    return found;
}

static void test_fill_is_clipped(void **state)
{
    (void)state;
    struct br_image image = make_image();
    image_fill(&image, &(struct image_rect){ -5, -5, 10, 10 }, red);
    assert_int_equal(count(&image, 'r'), 25);
    image_fill(&image, &(struct image_rect){ 38, 28, 100, 100 }, red);
    assert_int_equal(count(&image, 'r'), 29);
    image_fill(&image, &(struct image_rect){ 100, 0, 5, 5 }, red);
    image_fill(&image, &(struct image_rect){ 3, 3, 0, 5 }, red);
    assert_int_equal(count(&image, 'r'), 29);
    assert_int_equal(count(&image, '.'), 40 * 30 - 29);
    br_image_finish(&image);
}

static void test_frame_leaves_what_it_frames(void **state)
{
    (void)state;
    struct br_image image = make_image();
    const struct image_rect rect = { 10, 10, 8, 6 };
    image_draw_frame(&image, &rect, 2, red);
    for (int y = 10; y < 16; y++) {
        for (int x = 10; x < 18; x++) {
            assert_int_equal(look_at(&image, x, y), '.');
        }
    }
    const char across[] = "wrrw........wrrw";
    for (int i = 0; across[i]; i++) {
        assert_int_equal(look_at(&image, 6 + i, 12), across[i]);
    }
    assert_int_equal(count(&image, 'r'), 14 * 12 - 10 * 8);
    assert_int_equal(count(&image, 'w'), 10 * 8 - 8 * 6 + 16 * 14 - 14 * 12);
    br_image_finish(&image);
}

static void test_cross_has_its_middle_where_it_belongs(void **state)
{
    (void)state;
    struct br_image image = make_image();
    image_draw_cross(&image, 20, 15, 8, 1, red);
    const char arm[] = ".wrrrrrrw.";
    assert_int_equal(count(&image, 'r'), 4 * 6);
    for (int i = 0; arm[i]; i++) {
        assert_int_equal(look_at(&image, 20 + 1 + i, 15), arm[i]);
        assert_int_equal(look_at(&image, 20 - 1 - i, 15), arm[i]);
        assert_int_equal(look_at(&image, 20, 15 + 1 + i), arm[i]);
        assert_int_equal(look_at(&image, 20, 15 - 1 - i), arm[i]);
    }
    assert_int_equal(look_at(&image, 20, 15), '.');
    assert_int_equal(look_at(&image, 25, 16), 'w');
    br_image_finish(&image);
}

/* Nothing outside the picture is written; the sanitizers check it. */
static void test_marks_when_outside_are_clipped(void **state)
{
    static const int places[][2] = { { 0, 0 }, { 39, 29 }, { -3, 15 }, { 500, 500 }, { -500, 10 } };
    (void)state;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        struct br_image image = make_image();
        const struct image_rect rect = { places[i][0], places[i][1], 20, 20 };
        image_draw_cross(&image, places[i][0], places[i][1], 8, 3, red);
        image_draw_frame(&image, &rect, 2, red);
        assert_int_equal(count(&image, '?'), 0);
        br_image_finish(&image);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill_is_clipped),
        cmocka_unit_test(test_frame_leaves_what_it_frames),
        cmocka_unit_test(test_cross_has_its_middle_where_it_belongs),
        cmocka_unit_test(test_marks_when_outside_are_clipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
