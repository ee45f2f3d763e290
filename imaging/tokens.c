/*
 * The token costs of pictures for models. The rules are the providers' own; docs/pictures.md lists
 * them.
 */
#include "imaging/image.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The parameters of a rule; unused ones are 0. */
struct count_rule {
    struct br_token_rule shown;
    int64_t (*count)(const struct count_rule *rule, int width, int height);
    int edge;        /* pixels per side of a square of the grid */
    int max_edge;    /* of the longer side; the provider shrinks larger pictures */
    int max_squares; /* the provider shrinks pictures with more squares */
    int per_square;  /* tokens, in hundredths */
    int base;        /* tokens added for every picture */
};

static int64_t squares(int64_t width, int64_t height, int edge)
{
    return ((width + edge - 1) / edge) * ((height + edge - 1) / edge);
}

/* Counts squares; a picture with too many is shrunk to the largest size with few enough. */
static int64_t count_shrunk(const struct count_rule *rule, int width, int height)
{
    int low = 1;
    int high = width > height ? width : height;
    high = high < rule->max_edge ? high : rule->max_edge;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        struct br_image_limits limits = { .max_edge = middle };
        int fit_width = 0;
        int fit_height = 0;
        br_image_fit(width, height, &limits, &fit_width, &fit_height);
        if (squares(fit_width, fit_height, rule->edge) <= rule->max_squares) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    struct br_image_limits limits = { .max_edge = low };
    br_image_fit(width, height, &limits, &width, &height);
    return squares(width, height, rule->edge);
}

/* Shrinks to fit a square of max_edge, then the shorter side to 768; then counts tiles. */
static int64_t count_openai_tiles(const struct count_rule *rule, int width, int height)
{
    const int max_shorter = 768;
    struct br_image_limits limits = { .max_edge = rule->max_edge };
    br_image_fit(width, height, &limits, &width, &height);
    int shorter = width < height ? width : height;
    if (shorter > max_shorter) {
        width = (int)((int64_t)width * max_shorter / shorter);
        height = (int)((int64_t)height * max_shorter / shorter);
    }
    return rule->base + squares(width, height, rule->edge) * rule->per_square / 100;
}

/*
 * Counts patches; a picture with too many is shrunk so that one side is a whole number of patches.
 */
static int64_t count_openai_patches(const struct count_rule *rule, int width, int height)
{
    int64_t count = squares(width, height, rule->edge);
    if (count > rule->max_squares) {
        double area = (double)rule->edge * rule->edge * rule->max_squares;
        double factor = sqrt(area / ((double)width * height));
        double across = width * factor / rule->edge;
        double down = height * factor / rule->edge;
        double whole_across = floor(across) / across;
        double whole_down = floor(down) / down;
        double shrink = whole_across < whole_down ? whole_across : whole_down;
        /* For a picture narrower than one patch, the other side decides alone. */
        shrink = shrink > 0 ? shrink : (across < down ? whole_down : whole_across);
        const double rest = 1e-6; /* tolerance of the division, so that an integer stays one */
        count = (int64_t)(ceil(across * shrink - rest) * ceil(down * shrink - rest));
        count = count < rule->max_squares ? count : rule->max_squares;
    }
    return (count * rule->per_square + 99) / 100;
}

/* A small picture counts as one tile. */
static int64_t count_tiles(const struct count_rule *rule, int width, int height)
{
    return squares(width, height, rule->edge) * rule->per_square / 100;
}

#define CLAUDE                                                                                     \
    .provider = "anthropic", .as_of = "2026-11", .max_side = 8000, .max_side_of_many = 2000,       \
    .many = 20

/* The first rule of a provider is used for the provider's name. */
static const struct count_rule rules[] = {
    {
        .shown = { .name = "claude", .models = "Claude, standard tier", CLAUDE },
        .count = count_shrunk,
        .edge = 28,
        .max_edge = 1568,
        .max_squares = 1568,
    },
    {
        .shown = { .name = "claude-high", .models = "Claude, high tier", CLAUDE },
        .count = count_shrunk,
        .edge = 28,
        .max_edge = 2576,
        .max_squares = 4784,
    },
    {
        .shown = { .name = "openai-tiles",
                   .provider = "openai",
                   .models = "gpt-4o, gpt-4.1, o1 and o3",
                   .as_of = "2026-11" },
        .count = count_openai_tiles,
        .edge = 512,
        .max_edge = 2048,
        .per_square = 17000,
        .base = 85,
    },
    {
        .shown = { .name = "openai-patches",
                   .provider = "openai",
                   .models = "gpt-4.1-mini",
                   .as_of = "2026-11" },
        .count = count_openai_patches,
        .edge = 32,
        .max_squares = 1536,
        .per_square = 162,
    },
    {
        .shown = { .name = "gemini",
                   .provider = "gemini",
                   .models = "Gemini 2",
                   .as_of = "2026-11" },
        .count = count_tiles,
        .edge = 768,
        .per_square = 25800,
    },
};
enum { RULE_COUNT = sizeof(rules) / sizeof(rules[0]) };

static const struct count_rule *find(const char *name)
{
    for (size_t i = 0; i < RULE_COUNT; i++) {
        const struct br_token_rule *shown = &rules[i].shown;
        if (strcmp(name, shown->name) == 0 || strcmp(name, shown->provider) == 0) {
            return &rules[i];
        }
    }
    return NULL;
}

const struct br_token_rule *br_token_rule_at(size_t index)
{
    return index < RULE_COUNT ? &rules[index].shown : NULL;
}

const struct br_token_rule *br_token_rule_find(const char *name)
{
    const struct count_rule *rule = find(name);
    return rule ? &rule->shown : NULL;
}

int64_t br_image_tokens(const char *name, int width, int height)
{
    const struct count_rule *rule = find(name);
    if (!rule || width <= 0 || height <= 0) {
        return -1;
    }
    return rule->count(rule, width, height);
}
