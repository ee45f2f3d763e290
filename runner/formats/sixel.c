#include "runner/formats/terminal_picture.h"

#include "imaging/quantize.h"
#include "runner/base/error.h"

#include <string.h>

enum {
    BAND = 6,      /* rows */
    FIRST = '?',   /* the character of a column without pixels */
    LEAST_RUN = 4, /* run length from which a repeat count is shorter */
    PERCENT = 100, /* a channel's maximum */
    MAX_COLOURS = 256,
};

/* The pixels of each colour in one band. */
struct band {
    uint8_t *masks; /* MAX_COLOURS × width; a bit for each row, the lowest for the first row */
    bool is_used[MAX_COLOURS];
};

static void add_colours(const struct colours *colours, struct strbuf *text)
{
    for (size_t i = 0; i < colours->count; i++) {
        int percents[3];
        for (int channel = 0; channel < 3; channel++) {
            percents[channel] = (colours->rgb[i][channel] * PERCENT + 127) / 255;
        }
        strbuf_add_format(text, "#%zu;2;%d;%d;%d", i, percents[0], percents[1], percents[2]);
    }
}

static void add_run(char character, int count, struct strbuf *text)
{
    char run[LEAST_RUN];
    if (count >= LEAST_RUN) {
        strbuf_add_format(text, "!%d%c", count, character);
        return;
    }
    memset(run, character, (size_t)count);
    strbuf_add(text, run, (size_t)count);
}

/* Omits empty columns at the end. */
static void add_line(const uint8_t *masks, int width, struct strbuf *text)
{
    while (width > 0 && masks[width - 1] == 0) {
        width--;
    }
    for (int x = 0; x < width;) {
        int end = x + 1;
        while (end < width && masks[end] == masks[x]) {
            end++;
        }
        add_run((char)(FIRST + masks[x]), end - x, text);
        x = end;
    }
}

static void fill_band(const uint8_t *indexes, int width, int rows, struct band *band)
{
    memset(band->is_used, 0, sizeof(band->is_used));
    for (int row = 0; row < rows; row++) {
        for (int x = 0; x < width; x++) {
            uint8_t colour = indexes[(size_t)row * (size_t)width + (size_t)x];
            uint8_t *masks = band->masks + (size_t)colour * (size_t)width;
            if (!band->is_used[colour]) {
                band->is_used[colour] = true;
                memset(masks, 0, (size_t)width);
            }
            masks[x] = (uint8_t)(masks[x] | 1 << row);
        }
    }
}

static void add_band(const struct band *band, int width, struct strbuf *text)
{
    bool is_first = true;
    for (size_t colour = 0; colour < MAX_COLOURS; colour++) {
        if (band->is_used[colour]) {
            strbuf_add_format(text, "%s#%zu", is_first ? "" : "$", colour);
            add_line(band->masks + colour * (size_t)width, width, text);
            is_first = false;
        }
    }
}

bool sixel_add(const struct br_image *image, struct strbuf *text, struct br_error *err)
{
    struct colours colours;
    uint8_t *indexes = NULL;
    if (!image_quantize(image, &colours, &indexes, err)) {
        return false;
    }
    size_t width = (size_t)image->width;
    struct band band = { .masks = malloc(MAX_COLOURS * width) };
    if (!band.masks) {
        free(indexes);
        return error_set(err, BR_LIMIT_EXCEEDED, "not enough memory for a picture of %dx%d",
                         image->width, image->height);
    }
    /* P2 = 1: pixels without a colour stay as they are; 1;1: square pixels. */
    strbuf_add_format(text, "\033P0;1q\"1;1;%d;%d", image->width, image->height);
    add_colours(&colours, text);
    for (int y = 0; y < image->height; y += BAND) {
        int rows = image->height - y < BAND ? image->height - y : BAND;
        fill_band(indexes + (size_t)y * width, image->width, rows, &band);
        strbuf_add_string(text, y ? "-" : "");
        add_band(&band, image->width, text);
    }
    strbuf_add_string(text, "\033\\");
    free(band.masks);
    free(indexes);
    return true;
}
