/*
 * Pictures: decoding, encoding, scaling. Every function is pure: its result depends on its
 * arguments alone. Fails with BR_LIMIT_EXCEEDED for a picture over BR_IMAGE_MAX_PIXELS, with
 * BR_UNKNOWN_ERROR for a damaged one.
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

/*
 * Pixels in rows from the top, 4 bytes each: red, green, blue, alpha (not premultiplied). Rows have
 * no padding.
 */
struct br_image {
    int width, height;
    uint8_t *pixels;
};

/* Chroma subsampling of a JPEG: small coloured text needs 4:4:4, photographs do not. */
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

/* The size that a picture has to fit into; 0: no limit. */
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

/* Frees the pixels, not the struct. A zero-initialised image is fine. */
BR_API void br_image_finish(struct br_image *image);

/* Decode bytes to pixels. The caller finishes *ret_image. */
BR_API bool br_png_decode(const void *bytes, size_t size, struct br_image *ret_image,
                          struct br_error *err);
BR_API bool br_jpeg_decode(const void *bytes, size_t size, struct br_image *ret_image,
                           struct br_error *err);

/*
 * Encode pixels to bytes. A PNG keeps alpha; for a JPEG the picture is drawn on white. Caller frees
 * with free().
 */
BR_API bool br_png_encode(const struct br_image *image, unsigned char **ret_bytes, size_t *ret_size,
                          struct br_error *err);
BR_API bool br_jpeg_encode(const struct br_image *image, const struct br_jpeg_options *options,
                           unsigned char **ret_bytes, size_t *ret_size, struct br_error *err);

/*
 * Computes the largest size with the same aspect ratio within the limits; never larger than the
 * given size.
 */
BR_API void br_image_fit(int width, int height, const struct br_image_limits *limits,
                         int *ret_width, int *ret_height);

/*
 * Scales down: each new pixel is the average of the area that it covers. The caller finishes
 * *ret_image.
 */
BR_API bool br_image_scale(const struct br_image *image, int width, int height,
                           struct br_image *ret_image, struct br_error *err);

/*
 * How a family of models counts the tokens of a picture, according to its provider's documentation.
 * Static.
 */
struct br_token_rule {
    const char *name;     /* "claude", "claude-high", "openai-tiles", "openai-patches", "gemini" */
    const char *provider; /* "anthropic", "openai" or "gemini" */
    const char *models;   /* the models that count this way, for people to read */
    const char *as_of;    /* the month in which the rule was looked up, such as "2026-11" */
    int max_side;         /* longest side in pixels that the provider accepts; 0: unknown */
    int max_side_of_many; /* the same for requests with more than `many` pictures; 0: no
                             difference */
    int many;
};

/* Returns the rule at this index; NULL after the last one. */
BR_API const struct br_token_rule *br_token_rule_at(size_t index);

/*
 * Finds a rule by its name, or by its provider's name, which means that provider's first rule.
 * Returns NULL when it is unknown.
 */
BR_API const struct br_token_rule *br_token_rule_find(const char *name);

/*
 * Returns the tokens that a picture of this size costs under the named rule, after the provider's
 * own downscaling. Returns -1 for an unknown rule, such as "deepseek", and for an empty picture.
 */
BR_API int64_t br_image_tokens(const char *rule, int width, int height);

#ifdef __cplusplus
}
#endif

#endif
