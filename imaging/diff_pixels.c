#include "imaging/diff_pixels.h"

#include "imaging/image.h"

#include <string.h>

/* Pixels tested at once; equal blocks are skipped. */
enum { BLOCK = 64 };

/* Returns the squared distance in YIQ of two pixels at an offset of the pair. */
static double squared_distance(const struct diff_rule *rule, const uint8_t *a, const uint8_t *b,
                               size_t offset)
{
    double red = a[0] - b[0];
    double green = a[1] - b[1];
    double blue = a[2] - b[2];
    if (a[3] < 255 || b[3] < 255) {
        struct diff_ground ground = diff_rule_ground_at(rule, offset);
        int alpha = a[3] - b[3];
        red = (a[0] * a[3] - b[0] * b[3] - ground.red * alpha) / 255;
        green = (a[1] * a[3] - b[1] * b[3] - ground.green * alpha) / 255;
        blue = (a[2] * a[3] - b[2] * b[3] - ground.blue * alpha) / 255;
    }
    double y = red * 0.29889531 + green * 0.58662247 + blue * 0.11448223;
    double i = red * 0.59597799 - green * 0.27417610 - blue * 0.32180189;
    double q = red * 0.21147017 - green * 0.52261711 + blue * 0.31114694;
    return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q;
}

/*
 * Marks the pixels of a block that may differ, in integers and without branches, for vectorisation.
 * The exact rule decides about translucent ones. Returns whether there is any.
 */
static bool find_candidates(const uint8_t *restrict a, const uint8_t *restrict b, size_t count,
                            int max_square, uint8_t *restrict candidates)
{
    uint8_t any = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t first;
        uint32_t second;
        memcpy(&first, a + i * IMAGE_BYTES_PER_PIXEL, sizeof(first));
        memcpy(&second, b + i * IMAGE_BYTES_PER_PIXEL, sizeof(second));
        int red = (int)(first & 0xFF) - (int)(second & 0xFF);
        int green = (int)(first >> 8 & 0xFF) - (int)(second >> 8 & 0xFF);
        int blue = (int)(first >> 16 & 0xFF) - (int)(second >> 16 & 0xFF);
        int square = red * red + green * green + blue * blue;
        uint8_t is_candidate = (square > max_square) | ((first & second) >> 24 != 0xFF);
        candidates[i] = is_candidate;
        any |= is_candidate;
    }
    return any;
}

static enum diff_state state_of(const struct diff_rule *rule, const struct diff_pair *pair, int x,
                                int y)
{
    size_t column = (size_t)x * IMAGE_BYTES_PER_PIXEL;
    const uint8_t *a = diff_view_row(pair->a, y) + column;
    const uint8_t *b = diff_view_row(pair->b, y) + column;
    if (memcmp(a, b, IMAGE_BYTES_PER_PIXEL) == 0) {
        return DIFF_SAME;
    }
    size_t offset = ((size_t)y * (size_t)pair->width + (size_t)x) * IMAGE_BYTES_PER_PIXEL;
    double delta = rule->oklab ? diff_oklab_distance(rule, a, b, offset)
                               : squared_distance(rule, a, b, offset);
    if (!(delta > rule->strict_max_delta)) {
        return DIFF_SAME;
    }
    bool is_faint = !(delta > rule->max_delta);
    if (!rule->counts_antialias && diff_is_antialiased(rule, pair, x, y)) {
        return is_faint ? DIFF_SAME : DIFF_ANTIALIASED;
    }
    return is_faint ? DIFF_FAINT : DIFF_DIFFERENT;
}

static bool diff_block(const struct diff_rule *rule, const struct diff_pair *pair, int x, int y,
                       int count, uint8_t *states)
{
    uint8_t candidates[BLOCK];
    size_t column = (size_t)x * IMAGE_BYTES_PER_PIXEL;
    const uint8_t *a = diff_view_row(pair->a, y) + column;
    const uint8_t *b = diff_view_row(pair->b, y) + column;
    if (memcmp(a, b, (size_t)count * IMAGE_BYTES_PER_PIXEL) == 0 ||
        !find_candidates(a, b, (size_t)count, rule->max_square, candidates)) {
        return false;
    }
    bool any = false;
    for (int i = 0; i < count; i++) {
        if (candidates[i] && states[x + i] != DIFF_LEFT_OUT) {
            enum diff_state state = state_of(rule, pair, x + i, y);
            if (state != DIFF_SAME) {
                states[x + i] = (uint8_t)state;
                any = true;
            }
        }
    }
    return any;
}

bool diff_row(const struct diff_rule *rule, const struct diff_pair *pair, int y, int from, int to,
              uint8_t *states)
{
    bool any = false;
    for (int x = from; x < to; x += BLOCK) {
        any |= diff_block(rule, pair, x, y, to - x < BLOCK ? to - x : BLOCK, states);
    }
    return any;
}
