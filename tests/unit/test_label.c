/* The places of labels' tags, and their drawing. */
#include "imaging/label.h"

#include "imaging/image.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 400, HEIGHT = 300, MANY = 300 };

static struct image_label label_at(int number, int x, int y, int width, int height)
{
    struct image_label label = { .box = { x, y, width, height } };
    snprintf(label.text, sizeof(label.text), "e%d", number);
    return label;
}

static bool overlap(const struct image_rect *a, const struct image_rect *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

static bool is_in_picture(const struct image_rect *rect, int width, int height)
{
    return rect->x >= 0 && rect->y >= 0 && rect->x + rect->width <= width &&
           rect->y + rect->height <= height;
}

static void place(struct image_label *labels, size_t count, const struct image_rect *content,
                  size_t content_count)
{
    const struct image_label_ground ground = { WIDTH, HEIGHT, 1, content, content_count };
    image_label_place(labels, count, &ground);
}

static void test_place_is_above_left_when_that_is_free(void **state)
{
    (void)state;
    struct image_label label = label_at(12, 100, 100, 80, 30);
    struct image_rect size = image_label_size("e12", 1);
    place(&label, 1, &label.box, 1);
    assert_true(label.has_tag);
    assert_int_equal(label.tag.x, 100);
    assert_int_equal(label.tag.y, 100 - size.height);
    assert_int_equal(label.tag.width, size.width);
    assert_int_equal(label.tag.height, size.height);
}

/* The content around the element decides; each row leaves one place. */
static void test_place_is_where_there_is_no_content(void **state)
{
    (void)state;
    const struct image_rect box = { 100, 100, 80, 30 };
    const struct image_rect above = { 0, 60, WIDTH, 40 };
    const struct image_rect below = { 0, 130, WIDTH, 40 };
    const struct image_rect before = { 0, 100, 100, 30 };
    const struct image_rect behind = { 180, 100, 220, 30 };
    const struct image_rect words = { 104, 104, 30, 22 }; /* the element's own text, at its left */
    const struct {
        struct image_rect content[5];
        size_t count;
        struct image_rect where; /* the tag is in it */
    } table[] = {
        { { words, above }, 2, before },
        { { words, above, before }, 3, behind },
        { { words, above, before, behind }, 4, below },
        { { words, above, before, behind, below }, 5, { 134, 100, 46, 30 } },
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct image_label label = label_at(7, box.x, box.y, box.width, box.height);
        place(&label, 1, table[i].content, table[i].count);
        const struct image_rect *where = &table[i].where;
        struct image_rect inner = { label.tag.x - where->x, label.tag.y - where->y, label.tag.width,
                                    label.tag.height };
        assert_true(label.has_tag);
        assert_true(is_in_picture(&inner, where->width, where->height));
    }
}

static void test_place_is_in_the_picture_when_the_box_is_at_its_edge(void **state)
{
    static const struct image_rect boxes[] = {
        { 0, 0, 60, 20 },  { 380, 0, 20, 20 },      { 0, 290, 50, 10 },  { 390, 290, 10, 10 },
        { 0, 0, 400, 20 }, { 0, 0, WIDTH, HEIGHT }, { 0, 0, 3, HEIGHT },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
        struct image_label label =
            label_at(1234, boxes[i].x, boxes[i].y, boxes[i].width, boxes[i].height);
        place(&label, 1, NULL, 0);
        assert_true(label.has_tag);
        assert_true(is_in_picture(&label.tag, WIDTH, HEIGHT));
    }
}

/* A calendar: a tag in the day above would seem to name that day. */
static void test_place_is_its_own_box_when_others_are_all_around(void **state)
{
    enum { SIDE = 5, DAY_WIDTH = 50, DAY_HEIGHT = 40 };
    (void)state;
    struct image_label labels[SIDE * SIDE];
    struct image_rect words[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = 20 + i % SIDE * DAY_WIDTH;
        int y = 20 + i / SIDE * DAY_HEIGHT;
        labels[i] = label_at(i + 1, x, y, DAY_WIDTH, DAY_HEIGHT);
        words[i] = (struct image_rect){ x + 20, y + 14, 10, 12 };
    }
    place(labels, SIDE * SIDE, words, SIDE * SIDE);
    for (int row = 1; row < SIDE - 1; row++) {
        for (int column = 1; column < SIDE - 1; column++) {
            const struct image_label *label = &labels[row * SIDE + column];
            struct image_rect inner = { label->tag.x - label->box.x, label->tag.y - label->box.y,
                                        label->tag.width, label->tag.height };
            assert_true(label->has_tag);
            assert_true(is_in_picture(&inner, DAY_WIDTH, DAY_HEIGHT));
        }
    }
}

/* A card contains its button, so the button's tag may cover it. */
static void test_place_of_nested_is_in_what_is_around(void **state)
{
    (void)state;
    struct image_label labels[] = { label_at(1, 50, 50, 300, 90), label_at(2, 100, 90, 80, 30) };
    place(labels, 2, NULL, 0);
    assert_int_equal(labels[1].tag.x, 100);
    assert_int_equal(labels[1].tag.y, 90 - labels[1].tag.height);
}

static void check_random(int scale)
{
    static struct image_label labels[MANY];
    static struct image_rect content[MANY];
    int width = 200 * scale + (int)random_number(900);
    int height = 200 * scale + (int)random_number(900);
    size_t count = random_number(MANY);
    for (size_t i = 0; i < count; i++) {
        int x = (int)random_number((unsigned)width);
        int y = (int)random_number((unsigned)height);
        int across = (int)random_number((unsigned)(width - x)) / 4;
        int down = (int)random_number((unsigned)(height - y)) / 8;
        labels[i] = label_at((int)random_number(100000), x, y, across, down);
        content[i] = (struct image_rect){ x - 20, y - 20, across + 10, down / 2 };
    }
    const struct image_label_ground ground = { width, height, scale, content, count };
    image_label_place(labels, count, &ground);
    for (size_t i = 0; i < count; i++) {
        if (!labels[i].has_tag) {
            continue;
        }
        struct image_rect size = image_label_size(labels[i].text, scale);
        assert_int_equal(labels[i].tag.width, size.width);
        assert_int_equal(labels[i].tag.height, size.height);
        assert_true(is_in_picture(&labels[i].tag, width, height));
        for (size_t j = 0; j < i; j++) {
            assert_false(labels[j].has_tag && overlap(&labels[i].tag, &labels[j].tag));
        }
    }
}

static void test_tags_do_not_overlap(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        check_random(1 + i % 3);
    }
}

static void test_tag_without_room_is_none(void **state)
{
    (void)state;
    struct image_label label = label_at(1, 0, 0, 10, 10);
    const struct image_label_ground tiny = { .width = 12, .height = 8, .scale = 1 };
    image_label_place(&label, 1, &tiny);
    assert_false(label.has_tag);

    struct image_label same[60];
    size_t placed = 0;
    for (int i = 0; i < 60; i++) {
        same[i] = label_at(100 + i, 10, 10, 4, 4);
    }
    const struct image_label_ground small = { .width = 60, .height = 60, .scale = 1 };
    image_label_place(same, 60, &small);
    for (int i = 0; i < 60; i++) {
        placed += same[i].has_tag;
    }
    assert_in_range(placed, 1, 8);
}

static const uint8_t *pixel_at(const struct br_image *image, int x, int y)
{
    return image_row(image, y) + (size_t)x * IMAGE_BYTES_PER_PIXEL;
}

static bool is_white(const uint8_t *pixel)
{
    return pixel[0] == 255 && pixel[1] == 255 && pixel[2] == 255;
}

/* Makes a picture of one grey. */
static struct br_image make_image(uint8_t grey)
{
    struct br_error err;
    struct br_image image;
    assert_true(image_create(WIDTH, HEIGHT, &image, &err));
    memset(image.pixels, grey, (size_t)WIDTH * HEIGHT * IMAGE_BYTES_PER_PIXEL);
    return image;
}

/* Reads the white pixels of a tag as '#', and those of its colour as '.', one row per line. */
static void read_tag(const struct br_image *image, const struct image_rect *tag, char *text)
{
    for (int y = tag->y; y < tag->y + tag->height; y++) {
        for (int x = tag->x; x < tag->x + tag->width; x++) {
            *text++ = is_white(pixel_at(image, x, y)) ? '#' : '.';
        }
        *text++ = '\n';
    }
    *text = '\0';
}

static void test_draw_writes_the_text(void **state)
{
    static const char wanted[] = "....................\n"
                                 "....................\n"
                                 ".............##.....\n"
                                 "............###.....\n"
                                 "....####...####.....\n"
                                 "...######..#.##.....\n"
                                 "...##..##....##.....\n"
                                 "...######....##.....\n"
                                 "...######....##.....\n"
                                 "...##........##.....\n"
                                 "...######..######...\n"
                                 "....#####..######...\n"
                                 "....................\n"
                                 "....................\n";
    (void)state;
    char text[4096];
    struct br_image image = make_image(200);
    struct image_label label = label_at(1, 100, 100, 80, 30);
    place(&label, 1, NULL, 0);
    image_label_draw(&image, &label, 1, 1);
    read_tag(&image, &label.tag, text);
    assert_string_equal(text, wanted);
    br_image_finish(&image);
}

/* No two characters look the same, and each has its white pixels in the tag. */
static void test_draw_tells_digits_apart(void **state)
{
    (void)state;
    char texts[10][4096];
    for (int i = 0; i < 10; i++) {
        struct br_image image = make_image(0);
        struct image_label label = label_at(i, 100, 100, 80, 30);
        const struct image_label_ground ground = { WIDTH, HEIGHT, 2, NULL, 0 };
        image_label_place(&label, 1, &ground);
        image_label_draw(&image, &label, 1, 2);
        read_tag(&image, &label.tag, texts[i]);
        assert_non_null(strchr(texts[i], '#'));
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(texts[i], texts[j]);
        }
        br_image_finish(&image);
    }
}

static bool is_grey(const uint8_t *pixel, uint8_t grey)
{
    return pixel[0] == grey && pixel[1] == grey && pixel[2] == grey;
}

static void test_draw_outlines_the_box(void **state)
{
    (void)state;
    static const uint8_t greys[] = { 10, 250 };
    for (size_t i = 0; i < sizeof(greys); i++) {
        struct br_image image = make_image(greys[i]);
        struct image_label label = label_at(3, 100, 100, 80, 30);
        place(&label, 1, NULL, 0);
        image_label_draw(&image, &label, 1, 1);
        bool is_dark = greys[i] < 128;
        int y = 110; /* left of it: a white line on dark ground, then two coloured pixels */
        assert_true(is_grey(pixel_at(&image, 97, y), greys[i]));
        assert_int_equal(is_white(pixel_at(&image, 98, y)), is_dark);
        assert_false(is_white(pixel_at(&image, 99, y)) ||
                     is_grey(pixel_at(&image, 99, y), greys[i]));
        assert_memory_equal(pixel_at(&image, 99, y), pixel_at(&image, 100, y), 4);
        assert_memory_equal(pixel_at(&image, 99, y), pixel_at(&image, 180, y), 4);
        assert_true(is_grey(pixel_at(&image, 101, y), greys[i]));
        assert_true(is_grey(pixel_at(&image, 140, y), greys[i]));
        br_image_finish(&image);
    }
}

/* Nothing outside the picture is read or written; the sanitizers check it. */
static void test_draw_at_the_edges_is_clipped(void **state)
{
    static const struct image_rect boxes[] = {
        { 0, 0, WIDTH, HEIGHT },  { 0, 0, 0, 0 }, { WIDTH, HEIGHT, 0, 0 },
        { WIDTH - 1, 0, 1, 300 }, { 5, 5, 1, 1 }, { 0, HEIGHT, 20, 0 },
    };
    (void)state;
    for (int scale = 1; scale <= 4; scale++) {
        for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
            struct br_image image = make_image(80);
            struct image_label label =
                label_at(0, boxes[i].x, boxes[i].y, boxes[i].width, boxes[i].height);
            const struct image_label_ground ground = { WIDTH, HEIGHT, scale, NULL, 0 };
            image_label_place(&label, 1, &ground);
            assert_true(label.has_tag);
            image_label_draw(&image, &label, 1, scale);
            br_image_finish(&image);
        }
    }
}

static void test_label_without_tag_is_not_drawn(void **state)
{
    (void)state;
    struct br_image image = make_image(80);
    struct br_image before = make_image(80);
    struct image_label label = label_at(1, 20, 20, 30, 30);
    image_label_draw(&image, &label, 1, 1);
    assert_memory_equal(image.pixels, before.pixels,
                        (size_t)WIDTH * HEIGHT * IMAGE_BYTES_PER_PIXEL);
    br_image_finish(&image);
    br_image_finish(&before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_place_is_above_left_when_that_is_free),
        cmocka_unit_test(test_place_is_where_there_is_no_content),
        cmocka_unit_test(test_place_is_in_the_picture_when_the_box_is_at_its_edge),
        cmocka_unit_test(test_place_is_its_own_box_when_others_are_all_around),
        cmocka_unit_test(test_place_of_nested_is_in_what_is_around),
        cmocka_unit_test(test_tags_do_not_overlap),
        cmocka_unit_test(test_tag_without_room_is_none),
        cmocka_unit_test(test_draw_writes_the_text),
        cmocka_unit_test(test_draw_tells_digits_apart),
        cmocka_unit_test(test_draw_outlines_the_box),
        cmocka_unit_test(test_draw_at_the_edges_is_clipped),
        cmocka_unit_test(test_label_without_tag_is_not_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
