/* Files and pixels are the same on every thread, independent of earlier calls. */
#include "imaging/image.h"
#include "tests/slowness.h"
#include "tests/unit/random.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SUBJECTS = 4, MAKERS = 5, THREADS = 4, ROUNDS = 3 };

struct bytes {
    unsigned char *data;
    size_t size;
};

static bool make_jpeg(const struct br_image *image, int quality, enum br_chroma chroma,
                      struct bytes *ret_bytes)
{
    struct br_error err;
    struct br_jpeg_options options = { .quality = quality, .chroma = chroma };
    return br_jpeg_encode(image, &options, &ret_bytes->data, &ret_bytes->size, &err);
}

static bool make_coarse(const struct br_image *image, struct bytes *ret_bytes)
{
    return make_jpeg(image, 25, BR_CHROMA_444, ret_bytes);
}

static bool make_middle(const struct br_image *image, struct bytes *ret_bytes)
{
    return make_jpeg(image, 60, BR_CHROMA_420, ret_bytes);
}

/* Encodes with optimised tables. */
static bool make_fine(const struct br_image *image, struct bytes *ret_bytes)
{
    return make_jpeg(image, 95, BR_CHROMA_444, ret_bytes);
}

static bool make_png(const struct br_image *image, struct bytes *ret_bytes)
{
    struct br_error err;
    return br_png_encode(image, &ret_bytes->data, &ret_bytes->size, &err);
}

/* Decodes, encodes and scales; the resulting bytes are pixels. */
static bool make_pixels(const struct br_image *image, struct bytes *ret_bytes)
{
    struct br_error err;
    struct bytes file = { 0 };
    struct br_image again = { 0 };
    struct br_image small = { 0 };
    bool is_done =
        make_png(image, &file) && br_png_decode(file.data, file.size, &again, &err) &&
        br_image_scale(&again, 1 + image->width / 2, 1 + image->height / 3, &small, &err);
    *ret_bytes = (struct bytes){
        .data = small.pixels,
        .size = is_done ? image_stride(&small) * (size_t)small.height : 0,
    };
    br_image_finish(&again);
    free(file.data);
    return is_done;
}

static bool (*const makers[MAKERS])(const struct br_image *image, struct bytes *ret_bytes) = {
    make_coarse, make_middle, make_fine, make_png, make_pixels,
};

/* Read by all threads: pictures, and the result of each when made alone. */
struct shared {
    struct br_image images[SUBJECTS];
    struct bytes expected[SUBJECTS][MAKERS];
};

static void shared_init(struct shared *shared)
{
    static const int sizes[SUBJECTS][2] = { { 160, 90 }, { 33, 61 }, { 120, 200 }, { 400, 300 } };
    for (size_t i = 0; i < SUBJECTS; i++) {
        struct br_error err;
        struct br_image *image = &shared->images[i];
        assert_true(image_create(sizes[i][0], sizes[i][1], image, &err));
        for (size_t byte = 0; byte < image_stride(image) * (size_t)image->height; byte++) {
            bool is_opaque = byte % 4 == 3 && i != 1;
            image->pixels[byte] = is_opaque ? 255 : (uint8_t)(random_number(40) * (i + 3));
        }
        for (size_t maker = 0; maker < MAKERS; maker++) {
            assert_true(makers[maker](image, &shared->expected[i][maker]));
        }
    }
}

static void shared_finish(struct shared *shared)
{
    for (size_t i = 0; i < SUBJECTS; i++) {
        br_image_finish(&shared->images[i]);
        for (size_t maker = 0; maker < MAKERS; maker++) {
            free(shared->expected[i][maker].data);
        }
    }
}

static bool is_as_expected(const struct shared *shared, size_t subject, size_t maker)
{
    struct bytes bytes = { 0 };
    const struct bytes *expected = &shared->expected[subject][maker];
    bool is_same = makers[maker](&shared->images[subject], &bytes) &&
                   bytes.size == expected->size &&
                   memcmp(bytes.data, expected->data, bytes.size) == 0;
    free(bytes.data);
    return is_same;
}

static void test_files_do_not_depend_on_those_before(void **state)
{
    (void)state;
    struct shared shared;
    if (SLOWNESS_DEFAULT > 2) {
        skip(); /* TSan finds nothing in one thread */
    }
    shared_init(&shared);
    /* Each of them once behind each, also behind itself: a de Bruijn sequence. */
    for (size_t a = 0; a < SUBJECTS * MAKERS; a++) {
        assert_true(is_as_expected(&shared, a / MAKERS, a % MAKERS));
        for (size_t b = a + 1; b < SUBJECTS * MAKERS; b++) {
            assert_true(is_as_expected(&shared, a / MAKERS, a % MAKERS));
            assert_true(is_as_expected(&shared, b / MAKERS, b % MAKERS));
        }
    }
    assert_true(is_as_expected(&shared, 0, 0));
    shared_finish(&shared);
}

/* Returns NULL if all results were as expected. */
static void *make_all(void *data)
{
    const struct shared *shared = data;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < SUBJECTS * MAKERS; i++) {
            if (!is_as_expected(shared, i / MAKERS, i % MAKERS)) {
                return data;
            }
        }
    }
    return NULL;
}

static void test_files_do_not_depend_on_other_threads(void **state)
{
    (void)state;
    struct shared shared;
    pthread_t threads[THREADS];
    shared_init(&shared);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, make_all, &shared), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        void *problem = NULL;
        pthread_join(threads[i], &problem);
        assert_null(problem);
    }
    shared_finish(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_do_not_depend_on_those_before),
        cmocka_unit_test(test_files_do_not_depend_on_other_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
