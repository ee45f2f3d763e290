/* Pictures for terminals, decoded as a terminal does. */
#include "runner/formats/terminal_picture.h"

#include "imaging/base64.h"
#include "imaging/decode.h"
#include "imaging/image.h"
#include "runner/base/error.h"
#include "tests/unit/random.h"

#include <browser_runner/image.h>
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { MAX_COLOURS = 256 };

static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        struct terminal_environment environment;
        enum terminal_picture_kind kind;
    } cases[] = {
        { { .term = NULL }, TERMINAL_PICTURE_NONE },
        { { .term = "" }, TERMINAL_PICTURE_NONE },
        { { .term = "xterm-256color" }, TERMINAL_PICTURE_NONE },
        { { .term = "linux" }, TERMINAL_PICTURE_NONE },
        { { .term = "dumb", .kitty_window_id = "1" }, TERMINAL_PICTURE_NONE },
        { { .kitty_window_id = "1" }, TERMINAL_PICTURE_NONE },
        { { .term = "xterm-kitty" }, TERMINAL_PICTURE_KITTY },
        { { .term = "xterm-256color", .kitty_window_id = "3" }, TERMINAL_PICTURE_KITTY },
        { { .term = "xterm-256color", .kitty_window_id = "" }, TERMINAL_PICTURE_NONE },
        { { .term = "xterm-kitty", .tmux = "/tmp/tmux-0/default,1,0" }, TERMINAL_PICTURE_NONE },
        { { .term = "tmux-256color", .kitty_window_id = "1" }, TERMINAL_PICTURE_NONE },
        { { .term = "screen.xterm-256color", .term_program = "iTerm.app" }, TERMINAL_PICTURE_NONE },
        { { .term = "xterm-kitty", .sty = "1.pts" }, TERMINAL_PICTURE_NONE },
        { { .term = "xterm-ghostty" }, TERMINAL_PICTURE_KITTY },
        { { .term = "xterm-256color", .term_program = "ghostty" }, TERMINAL_PICTURE_KITTY },
        { { .term = "xterm-256color", .term_program = "iTerm.app" }, TERMINAL_PICTURE_ITERM },
        { { .term = "xterm-256color", .lc_terminal = "iTerm2" }, TERMINAL_PICTURE_ITERM },
        { { .term = "xterm-256color", .term_program = "WezTerm" }, TERMINAL_PICTURE_ITERM },
        { { .term = "xterm", .term_program = "mintty" }, TERMINAL_PICTURE_ITERM },
        { { .term = "xterm-256color", .term_program = "Apple_Terminal" }, TERMINAL_PICTURE_NONE },
        { { .term = "foot" }, TERMINAL_PICTURE_SIXEL },
        { { .term = "foot-extra" }, TERMINAL_PICTURE_SIXEL },
        { { .term = "mlterm-256color" }, TERMINAL_PICTURE_SIXEL },
        { { .term = "xterm-sixel" }, TERMINAL_PICTURE_SIXEL },
        { { .term = "xterm-256color", .konsole_version = "220401" }, TERMINAL_PICTURE_SIXEL },
        { { .term = "xterm-256color", .konsole_version = "211203" }, TERMINAL_PICTURE_NONE },
        { { .term = "xterm-256color", .konsole_version = "x" }, TERMINAL_PICTURE_NONE },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (terminal_picture_kind(&cases[i].environment) != cases[i].kind) {
            fail_msg("case %zu is %s", i,
                     terminal_picture_name(terminal_picture_kind(&cases[i].environment)));
        }
    }
}

static void test_names(void **state)
{
    (void)state;
    enum terminal_picture_kind kind;
    for (int i = TERMINAL_PICTURE_NONE; i <= TERMINAL_PICTURE_SIXEL; i++) {
        const char *name = terminal_picture_name((enum terminal_picture_kind)i);
        assert_true(terminal_picture_from_name(name, &kind));
        assert_int_equal(kind, i);
    }
    assert_false(terminal_picture_from_name("ascii", &kind));
    assert_false(terminal_picture_from_name("", &kind));
}

/* Makes areas of one colour each, with edges inside bands, and a gradient if `is_rich`. */
static struct br_image make(int width, int height, bool is_rich)
{
    static const uint8_t colours[][3] = {
        { 255, 255, 255 }, { 0, 0, 0 }, { 200, 30, 60 }, { 10, 120, 250 }, { 128, 128, 128 },
    };
    struct br_image image;
    struct br_error err;
    assert_true(image_create(width, height, &image, &err));
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            uint8_t *pixel = image_row(&image, y) + x * IMAGE_BYTES_PER_PIXEL;
            size_t area = (size_t)(x / 7 + y / 5 * 3) % COUNT(colours);
            memcpy(pixel, colours[area], 3);
            if (is_rich && y % 2) {
                pixel[0] = (uint8_t)(x * 255 / width);
                pixel[1] = (uint8_t)(y * 255 / height);
                pixel[2] = (uint8_t)(x + y);
            }
            pixel[3] = 255;
        }
    }
    return image;
}

struct file {
    unsigned char *bytes;
    size_t size;
};

static struct file make_file(int width, int height, bool is_jpeg)
{
    struct file file = { 0 };
    struct br_error err;
    struct br_image image = make(width, height, true);
    struct br_jpeg_options options = BR_JPEG_OPTIONS_INIT;
    options.quality = 90;
    assert_true(is_jpeg ? br_jpeg_encode(&image, &options, &file.bytes, &file.size, &err)
                        : br_png_encode(&image, &file.bytes, &file.size, &err));
    br_image_finish(&image);
    return file;
}

/* Joins the bytes of the chunks and returns the number of chunks. Caller frees *ret_bytes. */
static size_t read_kitty(const char *text, unsigned char **ret_bytes, size_t *ret_size)
{
    struct strbuf data = STRBUF_INIT(STRBUF_UNCAPPED);
    struct br_error err;
    size_t count = 0;
    bool has_more = true;
    for (; has_more; count++) {
        const char *payload = strchr(text, ';');
        const char *end = payload ? strstr(payload, "\033\\") : NULL;
        assert_non_null(end);
        assert_int_equal(strncmp(text, "\033_G", 3), 0);
        CLEANUP_FREE char *control = xstrndup(text, (size_t)(payload - text));
        assert_int_equal(strstr(control, "a=T") != NULL, count == 0);
        assert_int_equal(strstr(control, "f=100") != NULL, count == 0);
        assert_non_null(strstr(control, "q=2"));
        has_more = strstr(control, "m=1");
        assert_true(has_more || strstr(control, "m=0"));
        size_t length = (size_t)(end - payload - 1);
        assert_in_range(length, 1, 4096);
        assert_true(!has_more || length == 4096);
        strbuf_add(&data, payload + 1, length);
        text = end + 2;
    }
    assert_string_equal(text, "\n");
    assert_true(base64_decode(data.data, data.length, ret_bytes, ret_size, &err));
    strbuf_finish(&data);
    return count;
}

static void test_kitty_has_the_bytes(void **state)
{
    (void)state;
    static const int sizes[][2] = { { 1, 1 }, { 40, 30 }, { 300, 200 } };
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct file file = make_file(sizes[i][0], sizes[i][1], false);
        struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        struct br_error err;
        unsigned char *bytes = NULL;
        size_t size = 0;
        assert_true(terminal_picture_add(TERMINAL_PICTURE_KITTY, &(struct terminal_space){ 0 },
                                         file.bytes, file.size, &text, &err));
        size_t chunks = read_kitty(text.data, &bytes, &size);
        assert_int_equal(chunks, (base64_encoded_size(file.size) + 4095) / 4096);
        assert_int_equal(size, file.size);
        assert_memory_equal(bytes, file.bytes, size);
        free(bytes);
        free(file.bytes);
        strbuf_finish(&text);
    }
}

/* A picture that is too large, or not a PNG, is converted to a fitting PNG. */
static void test_kitty_scales(void **state)
{
    (void)state;
    static const struct {
        bool is_jpeg;
        struct terminal_space space;
        int width, height;
    } cases[] = {
        { true, { 0 }, 300, 200 },
        { false, { .width = 150 }, 150, 100 },
        { true, { .width = 150 }, 150, 100 },
        { false, { .columns = 10 }, 80, 53 },
        { false, { .width = 1000, .height = 50 }, 75, 50 },
        { false, { .width = 3, .height = 1 }, 2, 1 },
        { true, { .width = 1, .height = 1 }, 1, 1 },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct file file = make_file(300, 200, cases[i].is_jpeg);
        struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        struct br_error err;
        unsigned char *bytes = NULL;
        size_t size = 0;
        int width = 0;
        int height = 0;
        assert_true(terminal_picture_add(TERMINAL_PICTURE_KITTY, &cases[i].space, file.bytes,
                                         file.size, &text, &err));
        read_kitty(text.data, &bytes, &size);
        assert_false(image_is_jpeg(bytes, size));
        assert_true(image_decode_size(bytes, size, &width, &height, &err));
        assert_int_equal(width, cases[i].width);
        assert_int_equal(height, cases[i].height);
        free(bytes);
        free(file.bytes);
        strbuf_finish(&text);
    }
}

static void test_iterm_has_the_bytes(void **state)
{
    (void)state;
    static const char head[] =
        "\033]1337;File=inline=1;size=%zu;width=%dpx;height=%dpx;preserveAspectRatio=1:";
    for (int is_jpeg = 0; is_jpeg < 2; is_jpeg++) {
        struct file file = make_file(300, 200, is_jpeg);
        struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        struct br_error err;
        unsigned char *bytes = NULL;
        size_t size = 0;
        struct terminal_space space = { .width = is_jpeg ? 150 : 0 };
        assert_true(terminal_picture_add(TERMINAL_PICTURE_ITERM, &space, file.bytes, file.size,
                                         &text, &err));
        CLEANUP_FREE char *expected =
            xasprintf(head, file.size, is_jpeg ? 150 : 300, is_jpeg ? 100 : 200);
        assert_int_equal(strncmp(text.data, expected, strlen(expected)), 0);
        assert_string_equal(text.data + text.length - 2, "\a\n");
        assert_true(base64_decode(text.data + strlen(expected), text.length - strlen(expected) - 2,
                                  &bytes, &size, &err));
        assert_int_equal(size, file.size);
        assert_memory_equal(bytes, file.bytes, size);
        free(bytes);
        free(file.bytes);
        strbuf_finish(&text);
    }
}

/* Reads the number at *at and moves behind it. */
static int read_number(const char **at)
{
    int number = 0;
    assert_true(isdigit((unsigned char)**at));
    while (isdigit((unsigned char)**at)) {
        number = number * 10 + *(*at)++ - '0';
        assert_in_range(number, 0, 100000);
    }
    return number;
}

static void expect(const char **at, const char *text)
{
    assert_int_equal(strncmp(*at, text, strlen(text)), 0);
    *at += strlen(text);
}

/* A terminal's memory of a picture; alpha 0: not drawn. */
struct screen {
    struct br_image image;
    uint8_t colours[MAX_COLOURS][3];
    int colour_count, colour, x, y;
};

static void put(struct screen *screen, int mask, int count)
{
    for (; count > 0; count--, screen->x++) {
        for (int row = 0; row < 6; row++) {
            if (mask & 1 << row) {
                assert_in_range(screen->x, 0, screen->image.width - 1);
                assert_in_range(screen->y + row, 0, screen->image.height - 1);
                uint8_t *pixel =
                    image_row(&screen->image, screen->y + row) + screen->x * IMAGE_BYTES_PER_PIXEL;
                assert_int_equal(pixel[3], 0); /* each pixel is drawn once */
                memcpy(pixel, screen->colours[screen->colour], 3);
                pixel[3] = 255;
            }
        }
    }
}

static void read_colour(struct screen *screen, const char **at)
{
    screen->colour = read_number(at);
    assert_in_range(screen->colour, 0, MAX_COLOURS - 1);
    if (**at != ';') {
        assert_in_range(screen->colour, 0, screen->colour_count - 1);
        return;
    }
    expect(at, ";2");
    for (int channel = 0; channel < 3; channel++) {
        expect(at, ";");
        int percent = read_number(at);
        assert_in_range(percent, 0, 100);
        screen->colours[screen->colour][channel] = (uint8_t)((percent * 255 + 50) / 100);
    }
    screen->colour_count++;
}

/* Draws the sequence; moves *at behind it. */
static void read_sixel(const char **at, struct screen *screen)
{
    struct br_error err;
    *screen = (struct screen){ 0 };
    expect(at, "\033P0;1q\"1;1;");
    int width = read_number(at);
    expect(at, ";");
    int height = read_number(at);
    assert_true(image_create(width, height, &screen->image, &err));
    while (**at != '\033') {
        char c = *(*at)++;
        int count = 1;
        if (c == '#') {
            read_colour(screen, at);
        } else if (c == '$' || c == '-') {
            screen->x = 0;
            screen->y += c == '-' ? 6 : 0;
        } else {
            if (c == '!') {
                count = read_number(at);
                c = *(*at)++;
            }
            assert_in_range(c, '?', '~');
            put(screen, c - '?', count);
        }
    }
    expect(at, "\033\\");
}

/* Returns the largest difference of a channel; all pixels must be drawn. */
static int compare(const struct br_image *a, const struct br_image *b, double *ret_mean)
{
    int most = 0;
    double sum = 0;
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    size_t count = (size_t)a->width * (size_t)a->height;
    for (size_t i = 0; i < count * IMAGE_BYTES_PER_PIXEL; i++) {
        int difference = abs(a->pixels[i] - b->pixels[i]);
        assert_true(i % 4 != 3 || difference == 0);
        most = difference > most ? difference : most;
        sum += difference;
    }
    *ret_mean = sum / (double)count / 3;
    return most;
}

static void test_sixel_is_the_picture(void **state)
{
    (void)state;
    static const struct {
        int width, height;
        bool is_rich;
        int most;
        double mean;
    } cases[] = {
        { 1, 1, false, 1, 1 },    { 1, 6, false, 1, 1 },     { 7, 7, false, 1, 1 },
        { 100, 13, false, 1, 1 }, { 640, 480, false, 1, 1 }, { 300, 200, true, 60, 10 },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct br_image image = make(cases[i].width, cases[i].height, cases[i].is_rich);
        struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        struct br_error err;
        struct screen screen;
        double mean = 0;
        assert_true(sixel_add(&image, &text, &err));
        const char *at = text.data;
        read_sixel(&at, &screen);
        assert_string_equal(at, "");
        assert_in_range(compare(&image, &screen.image, &mean), 0, cases[i].most);
        assert_true(mean <= cases[i].mean);
        br_image_finish(&screen.image);
        br_image_finish(&image);
        strbuf_finish(&text);
    }
}

static void test_sixel_of_files(void **state)
{
    (void)state;
    for (int is_jpeg = 0; is_jpeg < 2; is_jpeg++) {
        struct file file = make_file(300, 200, is_jpeg);
        struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        struct br_error err;
        struct screen screen;
        struct terminal_space space = { .columns = 10, .width = 120 };
        assert_true(terminal_picture_add(TERMINAL_PICTURE_SIXEL, &space, file.bytes, file.size,
                                         &text, &err));
        const char *at = text.data;
        read_sixel(&at, &screen);
        assert_string_equal(at, "\n");
        assert_int_equal(screen.image.width, 120);
        assert_int_equal(screen.image.height, 80);
        br_image_finish(&screen.image);
        strbuf_finish(&text);
        free(file.bytes);
    }
}

/* A run of one colour is written as a count. */
static void test_sixel_is_short(void **state)
{
    (void)state;
    struct br_image image;
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    struct br_error err;
    assert_true(image_create(1000, 12, &image, &err));
    assert_true(sixel_add(&image, &text, &err));
    assert_string_equal(text.data, "\033P0;1q\"1;1;1000;12#0;2;100;100;100#0!1000~-#0!1000~\033\\");
    br_image_finish(&image);
    strbuf_finish(&text);
}

static void test_no_picture(void **state)
{
    (void)state;
    static const char *const files[] = { "", "x", "\x89PNG\r\n\x1a\n", "\xFF\xD8\xFF",
                                         "RIFF\x10\0\0\0WEBPVP8 " };
    for (size_t i = 0; i < COUNT(files); i++) {
        for (int kind = TERMINAL_PICTURE_KITTY; kind <= TERMINAL_PICTURE_SIXEL; kind++) {
            struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
            struct br_error err = { 0 };
            assert_false(terminal_picture_add((enum terminal_picture_kind)kind,
                                              &(struct terminal_space){ 0 }, files[i],
                                              strlen(files[i]), &text, &err));
            assert_int_not_equal(err.code, BR_OK);
            assert_int_equal(text.length, 0);
        }
    }
    struct file file = make_file(300, 200, false);
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    struct br_error err = { 0 };
    struct terminal_space space = { .width = 10 };
    assert_true(terminal_picture_add(TERMINAL_PICTURE_NONE, &space, "x", 1, &text, &err));
    assert_int_equal(text.length, 0);
    /* Cut in the middle. */
    assert_false(terminal_picture_add(TERMINAL_PICTURE_SIXEL, &space, file.bytes, file.size / 2,
                                      &text, &err));
    assert_int_equal(text.length, 0);
    free(file.bytes);
}

/* Whatever bytes a file has, only the sequences are written. */
static void test_damaged_files(void **state)
{
    (void)state;
    random_state = 7;
    for (int i = 0; i < 200; i++) {
        struct file file = make_file(40, 30, i % 2);
        for (int changes = 0; changes < 5; changes++) {
            file.bytes[random_number((unsigned)file.size)] = (unsigned char)random_number(256);
        }
        for (int kind = TERMINAL_PICTURE_KITTY; kind <= TERMINAL_PICTURE_SIXEL; kind++) {
            struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
            struct br_error err = { 0 };
            bool is_drawn = terminal_picture_add((enum terminal_picture_kind)kind,
                                                 &(struct terminal_space){ .width = 33 },
                                                 file.bytes, file.size, &text, &err);
            assert_int_equal(is_drawn, text.length > 0);
            for (size_t at = 0; at < text.length; at++) {
                unsigned char c = (unsigned char)text.data[at];
                assert_true((c >= 0x20 && c < 0x7F) || c == '\033' || c == '\a' || c == '\n');
            }
            strbuf_finish(&text);
        }
        free(file.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_kitty_has_the_bytes),
        cmocka_unit_test(test_kitty_scales),
        cmocka_unit_test(test_iterm_has_the_bytes),
        cmocka_unit_test(test_sixel_is_the_picture),
        cmocka_unit_test(test_sixel_of_files),
        cmocka_unit_test(test_sixel_is_short),
        cmocka_unit_test(test_no_picture),
        cmocka_unit_test(test_damaged_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
