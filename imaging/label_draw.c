#include "imaging/draw.h"
#include "imaging/label.h"

#include <string.h>

enum { GLYPH_WIDTH = 6, GLYPH_HEIGHT = 10, GLYPH_GAP = 2, TAG_MARGIN_X = 3, TAG_MARGIN_Y = 2 };

/* Rows from the top, six bits each; the highest bit is the leftmost pixel. */
static const struct glyph {
    char character;
    unsigned char rows[GLYPH_HEIGHT];
} glyphs[] = {
    { '0', { 0x1E, 0x3F, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x3F, 0x1E } },
    { '1', { 0x0C, 0x1C, 0x3C, 0x2C, 0x0C, 0x0C, 0x0C, 0x0C, 0x3F, 0x3F } },
    { '2', { 0x1E, 0x3F, 0x33, 0x03, 0x07, 0x0E, 0x1C, 0x38, 0x3F, 0x3F } },
    { '3', { 0x1E, 0x3F, 0x33, 0x03, 0x0E, 0x0F, 0x03, 0x33, 0x3F, 0x1E } },
    { '4', { 0x06, 0x0E, 0x0E, 0x1E, 0x16, 0x36, 0x3F, 0x3F, 0x06, 0x06 } },
    { '5', { 0x3F, 0x3F, 0x30, 0x3E, 0x3F, 0x03, 0x03, 0x33, 0x3F, 0x1E } },
    { '6', { 0x1E, 0x3F, 0x31, 0x30, 0x3E, 0x3F, 0x33, 0x33, 0x3F, 0x1E } },
    { '7', { 0x3F, 0x3F, 0x03, 0x03, 0x06, 0x06, 0x0C, 0x0C, 0x18, 0x18 } },
    { '8', { 0x1E, 0x3F, 0x33, 0x33, 0x1E, 0x3F, 0x33, 0x33, 0x3F, 0x1E } },
    { '9', { 0x1E, 0x3F, 0x33, 0x33, 0x3F, 0x1F, 0x03, 0x23, 0x3F, 0x1E } },
    { 'e', { 0x00, 0x00, 0x1E, 0x3F, 0x33, 0x3F, 0x3F, 0x30, 0x3F, 0x1F } },
};

/* White text is readable on each of them, and each is visible on white. */
static const struct image_colour colours[] = {
    { 0xC8, 0x10, 0x2E }, { 0x1D, 0x56, 0xD8 }, { 0x0B, 0x78, 0x3A }, { 0x8A, 0x2B, 0xC2 },
    { 0xB4, 0x4A, 0x00 }, { 0x00, 0x74, 0x86 }, { 0xC2, 0x18, 0x7A },
};
enum { COLOUR_COUNT = sizeof(colours) / sizeof(colours[0]) };

static const struct image_colour white = { 255, 255, 255 };

struct image_rect image_label_size(const char *text, int scale)
{
    int length = (int)strlen(text);
    int glyph_width = length * (GLYPH_WIDTH + GLYPH_GAP) - GLYPH_GAP;
    return (struct image_rect){
        .width = (glyph_width + 2 * TAG_MARGIN_X) * scale,
        .height = (GLYPH_HEIGHT + 2 * TAG_MARGIN_Y) * scale,
    };
}

static void draw_glyph(struct br_image *image, char character, int x, int y, int scale)
{
    for (size_t i = 0; i < sizeof(glyphs) / sizeof(glyphs[0]); i++) {
        for (int row = 0; glyphs[i].character == character && row < GLYPH_HEIGHT; row++) {
            for (int column = 0; column < GLYPH_WIDTH; column++) {
                if (glyphs[i].rows[row] >> (GLYPH_WIDTH - 1 - column) & 1) {
                    struct image_rect pixel = { x + column * scale, y + row * scale, scale, scale };
                    image_fill(image, &pixel, white);
                }
            }
        }
    }
}

/* Draws the frame whose outer edge is `outside` pixels around the box. */
static void draw_line(struct br_image *image, const struct image_rect *box, int outside,
                      int thickness, struct image_colour colour)
{
    int left = box->x - outside;
    int top = box->y - outside;
    int width = box->width + 2 * outside;
    int height = box->height + 2 * outside;
    const struct image_rect sides[] = {
        { left, top, width, thickness },
        { left, top + height - thickness, width, thickness },
        { left, top, thickness, height },
        { left + width - thickness, top, thickness, height },
    };
    for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
        image_fill(image, &sides[i], colour);
    }
}

/* Returns whether most pixels just outside of the box are dark. */
static bool is_on_dark(const struct br_image *image, const struct image_rect *box, int outside)
{
    enum { SAMPLES = 16, DARK = 140 };
    int dark = 0;
    for (int i = 0; i < SAMPLES; i++) {
        int part = i / 4 * 2 + 1; /* eighths along a side */
        int x = i % 4 == 0   ? box->x - outside
                : i % 4 == 1 ? box->x + box->width + outside - 1
                             : box->x + (int)((int64_t)box->width * part / 8);
        int y = i % 4 == 2   ? box->y - outside
                : i % 4 == 3 ? box->y + box->height + outside - 1
                             : box->y + (int)((int64_t)box->height * part / 8);
        x = x < 0 ? 0 : x < image->width ? x : image->width - 1;
        y = y < 0 ? 0 : y < image->height ? y : image->height - 1;
        const uint8_t *pixel = image_row(image, y) + (size_t)x * IMAGE_BYTES_PER_PIXEL;
        dark += (pixel[0] * 299 + pixel[1] * 587 + pixel[2] * 114) / 1000 < DARK;
    }
    return dark > SAMPLES / 2;
}

/* Draws two pixels at the edge, one of them inside; on a dark background a white one around. */
static void draw_outline(struct br_image *image, const struct image_rect *box, int scale,
                         struct image_colour colour)
{
    if (is_on_dark(image, box, 2 * scale)) {
        draw_line(image, box, 2 * scale, scale, white);
    }
    draw_line(image, box, scale, 2 * scale, colour);
}

static void draw_tag(struct br_image *image, const struct image_label *label, int scale,
                     struct image_colour colour)
{
    int x = label->tag.x + TAG_MARGIN_X * scale;
    int y = label->tag.y + TAG_MARGIN_Y * scale;
    draw_line(image, &label->tag, scale, scale, white);
    image_fill(image, &label->tag, colour);
    for (const char *text = label->text; *text; text++) {
        draw_glyph(image, *text, x, y, scale);
        x += (GLYPH_WIDTH + GLYPH_GAP) * scale;
    }
}

void image_label_draw(struct br_image *image, const struct image_label *labels, size_t count,
                      int scale)
{
    for (size_t i = 0; i < count; i++) {
        if (labels[i].has_tag) {
            draw_outline(image, &labels[i].box, scale, colours[i % COLOUR_COUNT]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (labels[i].has_tag) {
            draw_tag(image, &labels[i], scale, colours[i % COLOUR_COUNT]);
        }
    }
}
