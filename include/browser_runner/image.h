/*
 * Pictures: pixels in, pixels or bytes out. Every function is pure: its result depends on its
 * arguments alone. Sizes are checked; a picture over BR_IMAGE_MAX_PIXELS is refused with
 * BR_LIMIT_EXCEEDED, a damaged one with BR_UNKNOWN_ERROR.
 */
#ifndef BROWSER_RUNNER_IMAGE_H
#define BROWSER_RUNNER_IMAGE_H

#include <browser_runner/error.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BR_IMAGE_MAX_PIXELS (80u * 1000u * 1000u)

/* Rows from the top, 4 bytes a pixel: red, green, blue, alpha (not premultiplied); no padding. */
struct br_image {
    int width, height;
    uint8_t *pixels;
};

/* Colour resolution of a JPEG: small coloured text needs it whole, photographs do not. */
enum br_chroma {
    BR_CHROMA_444,
    BR_CHROMA_420,
};

struct br_jpeg_options {
    int quality; /* 1 to 100 */
    enum br_chroma chroma;
};

#ifdef __cplusplus
#define BR_JPEG_OPTIONS_INIT                                                                       \
    {                                                                                              \
        25, BR_CHROMA_444                                                                          \
    }
#else
#define BR_JPEG_OPTIONS_INIT                                                                       \
    {                                                                                              \
        .quality = 25, .chroma = BR_CHROMA_444                                                     \
    }
#endif

/* What a picture has to fit into; 0 is no limit. */
struct br_image_limits {
    int max_edge;      /* pixels of the longer side */
    double max_pixels; /* width times height */
};

#ifdef __cplusplus
#define BR_IMAGE_LIMITS_INIT                                                                       \
    {                                                                                              \
        1568, 1150000                                                                              \
    }
#else
#define BR_IMAGE_LIMITS_INIT                                                                       \
    {                                                                                              \
        .max_edge = 1568, .max_pixels = 1150000                                                    \
    }
#endif

/* Frees the pixels; the struct itself is the caller's. An image of zeros is fine. */
BR_API void br_image_finish(struct br_image *image);

/* Bytes to pixels. The caller finishes *ret_image. */
BR_API bool br_png_decode(const void *bytes, size_t size, struct br_image *ret_image,
                          struct br_error *err);
BR_API bool br_jpeg_decode(const void *bytes, size_t size, struct br_image *ret_image,
                           struct br_error *err);

/* Pixels to bytes. Alpha is kept in a PNG, laid over white in a JPEG. Caller frees with free(). */
BR_API bool br_png_encode(const struct br_image *image, unsigned char **ret_bytes, size_t *ret_size,
                          struct br_error *err);
BR_API bool br_jpeg_encode(const struct br_image *image, const struct br_jpeg_options *options,
                           unsigned char **ret_bytes, size_t *ret_size, struct br_error *err);

/* The largest size of the same shape inside the limits; never larger than the given one. */
BR_API void br_image_fit(int width, int height, const struct br_image_limits *limits,
                         int *ret_width, int *ret_height);

/* Shrinks by averaging the area that each new pixel covers. The caller finishes *ret_image. */
BR_API bool br_image_scale(const struct br_image *image, int width, int height,
                           struct br_image *ret_image, struct br_error *err);

/*
 * How a family of models counts the tokens of a picture, by its provider's own documents. Static.
 */
struct br_token_rule {
    const char *name;     /* "claude", "claude-high", "openai-tiles", "openai-patches", "gemini" */
    const char *provider; /* "anthropic", "openai" or "gemini" */
    const char *models;   /* which count so, for people to read */
    const char *as_of;    /* the month in which the rule was looked up, "2026-11" */
    int max_side;         /* pixels of a side, over which pictures are refused; 0: not known */
    int max_side_of_many; /* the same in requests of more than `many` pictures; 0: no difference */
    int many;
};

/* The rules, for listing them; NULL behind the last one. */
BR_API const struct br_token_rule *br_token_rule_at(size_t index);

/* By its own name, or by its provider's, which stands for the first rule. NULL: none is known. */
BR_API const struct br_token_rule *br_token_rule_find(const char *name);

/*
 * The tokens that a picture of this size costs by the rule of that name; what the provider shrinks
 * counts as shrunk. -1 for a rule that is not known, as of "deepseek", and for an empty picture.
 */
BR_API int64_t br_image_tokens(const char *rule, int width, int height);

#ifdef __cplusplus
}
#endif

#endif
