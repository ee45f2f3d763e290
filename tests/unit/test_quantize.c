/* Reduction to few colours. */
#include "imaging/quantize.h"

#include "imaging/image.h"
#include "tests/unit/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Makes a picture whose pixels are computed by a function. */
static struct br_image make(int width, int height, void (*paint)(int x, int y, uint8_t *pixel))
{
    struct br_image image;
    struct br_error err;
    assert_true(image_create(width, height, &image, &err));
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            paint(x, y, image_row(&image, y) + x * IMAGE_BYTES_PER_PIXEL);
        }
    }
    return image;
}

static void paint_few(int x, int y, uint8_t *pixel)
{
    memcpy(pixel, (uint8_t[]){ (uint8_t)(x % 16), (uint8_t)(y % 16 * 17), 250, 255 }, 4);
}

static void paint_many(int x, int y, uint8_t *pixel)
{
    memcpy(pixel, (uint8_t[]){ (uint8_t)x, (uint8_t)y, (uint8_t)(x ^ y), 255 }, 4);
}

static void paint_noise(int x, int y, uint8_t *pixel)
{
    (void)x;
    (void)y;
    for (int channel = 0; channel < 4; channel++) {
        pixel[channel] = (uint8_t)random_number(256);
    }
}

/* All pixels are in one bin; they differ only in the lower bits. */
static void paint_alike(int x, int y, uint8_t *pixel)
{
    memcpy(pixel, (uint8_t[]){ (uint8_t)(x % 8), (uint8_t)(y % 8), (uint8_t)(x / 8 % 8), 255 }, 4);
}

static void paint_clear(int x, int y, uint8_t *pixel)
{
    memcpy(pixel, (uint8_t[]){ 0, 0, (uint8_t)(y * 40), (uint8_t)(x % 2 ? 0 : 128) }, 4);
}

/* Returns the largest difference of a channel, and the mean of all. */
static int compare(const struct br_image *image, const struct colours *colours,
                   const uint8_t *indexes, double *ret_mean)
{
    int most = 0;
    double sum = 0;
    size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *pixel = image->pixels + i * IMAGE_BYTES_PER_PIXEL;
        assert_true(indexes[i] < colours->count);
        for (int channel = 0; channel < 3; channel++) {
            int over = (pixel[channel] * pixel[3] + 255 * (255 - pixel[3]) + 127) / 255;
            int difference = abs(over - colours->rgb[indexes[i]][channel]);
            most = difference > most ? difference : most;
            sum += difference;
        }
    }
    *ret_mean = sum / (double)(count * 3);
    return most;
}

static void test_colours(void **state)
{
    (void)state;
    static const struct {
        int width, height;
        void (*paint)(int x, int y, uint8_t *pixel);
        size_t least, most_colours;
        int most; /* maximum difference of a channel */
        double mean;
    } cases[] = {
        { 1, 1, paint_few, 1, 1, 0, 0 },
        { 16, 16, paint_few, 256, 256, 0, 0 },
        { 300, 70, paint_few, 256, 256, 0, 0 },
        { 256, 256, paint_many, 200, 256, 60, 16 },
        { 400, 300, paint_noise, 200, 256, 120, 30 },
        { 64, 64, paint_alike, 1, 1, 8, 4 },
        { 10, 5, paint_clear, 6, 6, 0, 0 },
    };
    random_state = 1;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_image image = make(cases[i].width, cases[i].height, cases[i].paint);
        struct colours colours;
        struct br_error err;
        uint8_t *indexes = NULL;
        double mean = 0;
        assert_true(image_quantize(&image, &colours, &indexes, &err));
        assert_in_range(colours.count, cases[i].least, cases[i].most_colours);
        assert_in_range(compare(&image, &colours, indexes, &mean), 0, cases[i].most);
        assert_true(mean <= cases[i].mean);
        free(indexes);
        br_image_finish(&image);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
