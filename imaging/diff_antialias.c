#include "imaging/diff_pixels.h"

#include "imaging/image.h"

#include <string.h>

/*
 * Limit of equal neighbours, the picture's edge counted as one; more of them make a uniform area.
 */
enum { MAX_EQUAL = 2 };

/* A pixel and its neighbours, which are fewer at the picture's edge. */
struct neighbourhood {
    int x, y;
    int left, top, right, bottom; /* inclusive */
    bool is_at_edge;
};

struct point {
    int x, y;
};

static struct neighbourhood neighbourhood_at(const struct diff_pair *pair, int x, int y)
{
    struct neighbourhood around = {
        .x = x,
        .y = y,
        .left = x > 0 ? x - 1 : 0,
        .top = y > 0 ? y - 1 : 0,
        .right = x < pair->width - 1 ? x + 1 : x,
        .bottom = y < pair->height - 1 ? y + 1 : y,
    };
    around.is_at_edge =
        around.left == x || around.right == x || around.top == y || around.bottom == y;
    return around;
}

static const uint8_t *pixel_at(const struct diff_view *view, int x, int y)
{
    return diff_view_row(view, y) + (size_t)x * IMAGE_BYTES_PER_PIXEL;
}

static uint32_t value_at(const struct diff_view *view, int x, int y)
{
    uint32_t value;
    memcpy(&value, pixel_at(view, x, y), sizeof(value));
    return value;
}

/* Returns whether at least three neighbours, the edge counted as one, equal the pixel. */
static bool is_in_even_area(const struct diff_view *view, const struct neighbourhood *around)
{
    uint32_t value = value_at(view, around->x, around->y);
    int equal = around->is_at_edge - 1; /* the pixel itself is counted below */
    for (int y = around->top; y <= around->bottom; y++) {
        for (int x = around->left; x <= around->right; x++) {
            equal += value_at(view, x, y) == value;
        }
    }
    return equal > MAX_EQUAL;
}

static bool is_even_in_both(const struct diff_pair *pair, struct point point)
{
    struct neighbourhood around = neighbourhood_at(pair, point.x, point.y);
    return is_in_even_area(pair->a, &around) && is_in_even_area(pair->b, &around);
}

/* Returns how much brighter the pixel is than a neighbour, or more opaque; pixelmatch 8. */
static double brightness_or_alpha(double brightness, const uint8_t *pixel, const uint8_t *neighbour)
{
    return brightness != 0 ? brightness : (pixel[3] - neighbour[3]) / 2.0;
}

/* Returns how much brighter the pixel is than a neighbour; both on the pixel's background. */
static double brightness_over(const uint8_t *pixel, const uint8_t *neighbour,
                              const struct diff_ground *ground)
{
    double red = pixel[0] - neighbour[0];
    double green = pixel[1] - neighbour[1];
    double blue = pixel[2] - neighbour[2];
    if (pixel[3] < 255 || neighbour[3] < 255) {
        int alpha = pixel[3] - neighbour[3];
        red = (pixel[0] * pixel[3] - neighbour[0] * neighbour[3] - ground->red * alpha) / 255;
        green = (pixel[1] * pixel[3] - neighbour[1] * neighbour[3] - ground->green * alpha) / 255;
        blue = (pixel[2] * pixel[3] - neighbour[2] * neighbour[3] - ground->blue * alpha) / 255;
    }
    return red * 0.29889531 + green * 0.58662247 + blue * 0.11448223;
}

/* Finds the darkest and the brightest neighbour; false if the pixel is not antialiased. */
static bool find_extremes(const struct diff_rule *rule, const struct diff_pair *pair,
                          const struct diff_view *view, const struct neighbourhood *around,
                          struct point *ret_darkest, struct point *ret_brightest)
{
    const uint8_t *pixel = pixel_at(view, around->x, around->y);
    size_t offset =
        ((size_t)around->y * (size_t)pair->width + (size_t)around->x) * IMAGE_BYTES_PER_PIXEL;
    struct diff_ground ground =
        rule->oklab ? (struct diff_ground){ 255, 255, 255 } : diff_rule_ground_at(rule, offset);
    int equal = around->is_at_edge;
    double lowest = 0;
    double highest = 0;
    /* Column by column: of equally distant neighbours the first one counts. */
    for (int x = around->left; x <= around->right; x++) {
        for (int y = around->top; y <= around->bottom; y++) {
            if (x == around->x && y == around->y) {
                continue;
            }
            const uint8_t *other = pixel_at(view, x, y);
            double over = brightness_over(pixel, other, &ground);
            if (rule->oklab) {
                over = brightness_or_alpha(over, pixel, other);
            }
            if (over == 0) {
                equal++;
            } else if (over < lowest) {
                lowest = over;
                *ret_brightest = (struct point){ x, y };
            } else if (over > highest) {
                highest = over;
                *ret_darkest = (struct point){ x, y };
            }
        }
    }
    return equal <= MAX_EQUAL && lowest < 0 && highest > 0;
}

/* A pixel among opaque ones: column by column, the pixel itself in the middle. */
enum { AROUND = 9, MIDDLE = 4 };

/* Reads them; false at an edge, and if one is translucent. */
static bool read_opaque(const struct diff_view *view, const struct neighbourhood *around,
                        uint32_t ret_values[AROUND])
{
    if (around->is_at_edge) {
        return false;
    }
    uint32_t all = UINT32_MAX;
    for (int i = 0; i < AROUND; i++) {
        ret_values[i] = value_at(view, around->left + i / 3, around->top + i % 3);
        all &= ret_values[i];
    }
    return all >> 24 == 0xFF;
}

/* Returns the brightness as an integer: the factors of brightness_over() times 10^8. */
static int64_t luma_of(uint32_t value)
{
    return INT64_C(29889531) * (value & 0xFF) + INT64_C(58662247) * (value >> 8 & 0xFF) +
           INT64_C(11448223) * (value >> 16 & 0xFF);
}

/* Counts the neighbours equal to the pixel; in the background of text nearly all are. */
static int count_equal(const uint32_t values[AROUND])
{
    int equal = -1; /* the pixel itself */
    for (int i = 0; i < AROUND; i++) {
        equal += values[i] == values[MIDDLE];
    }
    return equal;
}

/*
 * find_extremes() without fractions and branches. Weighted sums of two colours are equal only for
 * equal colours, and otherwise differ by at least 10^-8, far more than rounding errors of doubles:
 * the order is that of pixelmatch. The lowest bits hold the pixel's position, so that the first of
 * equal ones is found.
 */
static bool find_extremes_opaque(const uint32_t values[AROUND], const struct neighbourhood *around,
                                 struct point *ret_darkest, struct point *ret_brightest)
{
    enum { PLACE_BITS = 4, PLACE_MASK = 15 };
    if (count_equal(values) > MAX_EQUAL) {
        return false;
    }
    int64_t lowest = INT64_MAX;
    int64_t highest = 0;
    for (int i = 0; i < AROUND; i++) {
        int64_t luma = luma_of(values[i]) << PLACE_BITS;
        lowest = luma + i < lowest ? luma + i : lowest;
        highest = luma + PLACE_MASK - i > highest ? luma + PLACE_MASK - i : highest;
    }
    int64_t own = luma_of(values[MIDDLE]);
    int darkest = (int)(lowest & PLACE_MASK);
    int brightest = PLACE_MASK - (int)(highest & PLACE_MASK);
    *ret_darkest = (struct point){ around->left + darkest / 3, around->top + darkest % 3 };
    *ret_brightest = (struct point){ around->left + brightest / 3, around->top + brightest % 3 };
    return lowest >> PLACE_BITS < own && highest >> PLACE_BITS > own;
}

static bool is_antialiased_in(const struct diff_rule *rule, const struct diff_pair *pair,
                              const struct diff_view *view, const struct neighbourhood *around)
{
    struct point darkest;
    struct point brightest;
    uint32_t values[AROUND];
    bool has_extremes = read_opaque(view, around, values)
                            ? find_extremes_opaque(values, around, &darkest, &brightest)
                            : find_extremes(rule, pair, view, around, &darkest, &brightest);
    return has_extremes && (is_even_in_both(pair, darkest) || is_even_in_both(pair, brightest));
}

bool diff_is_antialiased(const struct diff_rule *rule, const struct diff_pair *pair, int x, int y)
{
    struct neighbourhood around = neighbourhood_at(pair, x, y);
    return is_antialiased_in(rule, pair, pair->a, &around) ||
           is_antialiased_in(rule, pair, pair->b, &around);
}
