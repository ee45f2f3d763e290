/*
 * Counts are equal to pixelmatch's only if roots and linear values are interpolated in the same
 * tables: 257 values of a channel, 4098 cube roots.
 */
#include "imaging/diff_rule.h"
#include "runner/base/memory.h"

#include <math.h>

enum {
    LEVELS = 256,
    ROOTS = 4096,
    EXACT_ROOTS = 8, /* near zero the curve is too steep for the table */
};

struct diff_oklab {
    double linear[LEVELS + 1]; /* light of a channel's value; the last one repeats */
    double roots[ROOTS + 2];   /* of 0 to 1 */
};

/* Responses of the three kinds of cones, as cube roots, and the lightness. */
struct colour {
    double cones[3];
    double lightness;
};

/* Of red, green and blue light, for each kind of cones. */
static const double cone_weights[3][3] = {
    { 0.4122214708, 0.5363325363, 0.0514459929 },
    { 0.2119034982, 0.6806995451, 0.1073969566 },
    { 0.0883024619, 0.2817188376, 0.6299787005 },
};

struct diff_oklab *diff_oklab_create(void)
{
    struct diff_oklab *oklab = xcalloc(1, sizeof(*oklab));
    for (int i = 0; i < LEVELS; i++) {
        double value = i / 255.0;
        oklab->linear[i] = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
    }
    oklab->linear[LEVELS] = oklab->linear[LEVELS - 1];
    for (int i = 0; i < ROOTS + 2; i++) {
        oklab->roots[i] = cbrt((double)i / ROOTS);
    }
    return oklab;
}

static double interpolate(const double *table, double position)
{
    int index = (int)position;
    return table[index] + (table[index + 1] - table[index]) * (position - index);
}

static double root_of(const struct diff_oklab *oklab, double value)
{
    double position = value * ROOTS;
    return position < EXACT_ROOTS ? cbrt(value) : interpolate(oklab->roots, position);
}

static double lightness_of(const double cones[3])
{
    const double k1 = 0.206;
    const double k2 = 0.03;
    const double k3 = (1 + k1) / (1 + k2);
    double plain = 0.2104542553 * cones[0] + 0.7936177850 * cones[1] - 0.0040720468 * cones[2];
    double x = k3 * plain - k1;
    return 0.5 * (x + sqrt(x * x + 4 * k2 * k3 * plain));
}

/* Converts channels from 0 to 255, which are whole numbers unless the pixel is translucent. */
static struct colour convert(const struct diff_oklab *oklab, double red, double green, double blue)
{
    double r = interpolate(oklab->linear, red);
    double g = interpolate(oklab->linear, green);
    double b = interpolate(oklab->linear, blue);
    struct colour colour;
    for (int i = 0; i < 3; i++) {
        const double *weights = cone_weights[i];
        colour.cones[i] = root_of(oklab, weights[0] * r + weights[1] * g + weights[2] * b);
    }
    colour.lightness = lightness_of(colour.cones);
    return colour;
}

static struct colour colour_of(const struct diff_oklab *oklab, const uint8_t *pixel,
                               const struct diff_ground *ground)
{
    if (!ground) {
        return convert(oklab, pixel[0], pixel[1], pixel[2]);
    }
    int alpha = pixel[3];
    int rest = 255 - alpha;
    return convert(oklab, (pixel[0] * alpha + ground->red * rest) / 255,
                   (pixel[1] * alpha + ground->green * rest) / 255,
                   (pixel[2] * alpha + ground->blue * rest) / 255);
}

double diff_oklab_distance(const struct diff_rule *rule, const uint8_t *a, const uint8_t *b,
                           size_t offset)
{
    bool is_opaque = a[3] == 255 && b[3] == 255;
    const struct diff_ground ground = diff_rule_ground_at(rule, offset);
    const struct colour first = colour_of(rule->oklab, a, is_opaque ? NULL : &ground);
    const struct colour second = colour_of(rule->oklab, b, is_opaque ? NULL : &ground);
    double l = first.cones[0] - second.cones[0];
    double m = first.cones[1] - second.cones[1];
    double s = first.cones[2] - second.cones[2];
    double green_red = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    double blue_yellow = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
    return fabs(first.lightness - second.lightness) +
           sqrt(green_red * green_red + blue_yellow * blue_yellow);
}
