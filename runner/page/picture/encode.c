#include "runner/page/picture/encode.h"

#include "imaging/crop.h"
#include "imaging/decode.h"
#include "runner/base/response.h"
#include "runner/page/core/state.h"
#include "runner/page/picture/labels.h"
#include "runner/page/picture/request.h"
#include "runner/page/picture/stable.h"

#include <inttypes.h>
#include <math.h>

/* Limits of reducing a picture for maxBytes. */
enum {
    LEAST_PART = 2, /* at least half of the side length that fits the other limits */
    LEAST_QUALITY = 5,
};

/* Scales the picture down to the limits, in place. */
static bool fit(struct br_image *image, const struct br_image_limits *limits, struct br_error *err)
{
    int width = 0;
    int height = 0;
    br_image_fit(image->width, image->height, limits, &width, &height);
    if (width == image->width && height == image->height) {
        return true;
    }
    struct br_image scaled;
    if (!br_image_scale(image, width, height, &scaled, err)) {
        return false;
    }
    br_image_finish(image);
    *image = scaled;
    return true;
}

static int longer_side(const struct br_image *image)
{
    return image->width > image->height ? image->width : image->height;
}

static bool encode(const struct br_image *image, const struct page_capture *options, int quality,
                   struct br_capture *capture, struct br_error *err)
{
    struct br_jpeg_options jpeg = BR_JPEG_OPTIONS_INIT;
    jpeg.quality = quality;
    free(capture->bytes);
    capture->bytes = NULL;
    capture->width = image->width;
    capture->height = image->height;
    capture->quality = options->format == PAGE_PNG ? 0 : quality;
    capture->media_type = options->format == PAGE_PNG ? "image/png" : "image/jpeg";
    return options->format == PAGE_PNG
               ? br_png_encode(image, &capture->bytes, &capture->size, err)
               : br_jpeg_encode(image, &jpeg, &capture->bytes, &capture->size, err);
}

static bool is_too_large(const struct page_capture *options, const struct br_capture *capture)
{
    return options->max_bytes > 0 && capture->size > (uint64_t)options->max_bytes;
}

/* A file has about as many bytes as the picture has pixels; a little less saves another try. */
static int smaller_edge(const struct page_capture *options, const struct br_capture *capture,
                        int least)
{
    int edge = capture->width > capture->height ? capture->width : capture->height;
    double part = sqrt((double)options->max_bytes / (double)capture->size) * 0.97;
    int next = (int)(edge * part);
    return next < least ? least : next;
}

/* Scales down while the file is too large; always from the whole picture, not step by step. */
static bool shrink(struct page *page, struct picture *picture, const struct br_image *whole,
                   const struct page_capture *options, struct br_image *smaller,
                   struct br_capture *capture, struct br_error *err)
{
    int least = (longer_side(whole) + LEAST_PART - 1) / LEAST_PART;
    int edge = longer_side(whole);
    while (is_too_large(options, capture) && edge > least) {
        size_t bytes = capture->size;
        int width = 0;
        int height = 0;
        edge = smaller_edge(options, capture, least);
        br_image_fit(whole->width, whole->height, &(struct br_image_limits){ .max_edge = edge },
                     &width, &height);
        br_image_finish(smaller);
        if (!br_image_scale(whole, width, height, smaller, err)) {
            return false;
        }
        labels_draw(smaller, picture);
        if (!encode(smaller, options, options->quality, capture, err)) {
            return false;
        }
        page_log(page, BR_LOG_INFO, "screenshot",
                 "maxBytes %" PRId64 ": the picture of %zu bytes is scaled to %dx%d and has %zu",
                 options->max_bytes, bytes, width, height, capture->size);
    }
    return true;
}

static bool coarsen(struct page *page, const struct br_image *image,
                    const struct page_capture *options, struct br_capture *capture,
                    struct br_error *err)
{
    while (is_too_large(options, capture) && capture->quality > LEAST_QUALITY) {
        size_t bytes = capture->size;
        int lower = capture->quality * 2 / 3;
        if (!encode(image, options, lower > LEAST_QUALITY ? lower : LEAST_QUALITY, capture, err)) {
            return false;
        }
        page_log(page, BR_LOG_INFO, "screenshot",
                 "maxBytes %" PRId64 ": the picture of %zu bytes gets quality %d and has %zu",
                 options->max_bytes, bytes, capture->quality, capture->size);
    }
    return true;
}

/* Labels are drawn at the final size; scaling would make them unreadable. */
static bool keep_unlabelled(const struct picture *picture, const struct page_capture *options,
                            struct br_image *ret_image, struct br_error *err)
{
    const struct br_image *image = &picture->image;
    const struct image_rect all = { .width = image->width, .height = image->height };
    return picture->labels.count == 0 || options->max_bytes <= 0 ||
           image_crop(image, &all, ret_image, err);
}

static bool encode_within(struct page *page, struct picture *picture,
                          const struct page_capture *options, struct br_capture *capture,
                          struct br_error *err)
{
    struct br_image *image = &picture->image;
    struct br_image unlabelled = { 0 };
    struct br_image smaller = { 0 };
    bool is_done = keep_unlabelled(picture, options, &unlabelled, err);
    if (is_done) {
        labels_draw(image, picture);
        is_done = encode(image, options, options->quality, capture, err) &&
                  shrink(page, picture, unlabelled.pixels ? &unlabelled : image, options, &smaller,
                         capture, err) &&
                  coarsen(page, smaller.pixels ? &smaller : image, options, capture, err);
    }
    br_image_finish(&smaller);
    br_image_finish(&unlabelled);
    if (is_done && is_too_large(options, capture)) {
        page_log(page, BR_LOG_WARNING, "screenshot",
                 "the picture is left out: even with %dx%d pixels it has %zu bytes, maxBytes is "
                 "%" PRId64,
                 capture->width, capture->height, capture->size, options->max_bytes);
        free(capture->bytes);
        capture->bytes = NULL;
    }
    return is_done;
}

/* Passes Chrome's own JPEG on. */
static bool use_jpeg(struct picture *picture, const struct page_capture *options,
                     struct br_capture *capture, struct br_error *err)
{
    if (!image_decode_size(picture->png, picture->png_size, &capture->width, &capture->height,
                           err)) {
        return false;
    }
    capture->media_type = "image/jpeg";
    capture->quality = options->quality;
    capture->size = picture->png_size;
    capture->bytes = TAKE(picture->png);
    return true;
}

bool capture_encode(struct page *page, struct picture *picture, const struct page_capture *options,
                    struct br_capture *capture, struct br_error *err)
{
    struct br_capture encoded = { .captured_at_ms = capture->captured_at_ms };
    bool is_done = image_is_jpeg(picture->png, picture->png_size)
                       ? use_jpeg(picture, options, &encoded, err)
                       : fit(&picture->image, &options->limits, err) &&
                             encode_within(page, picture, options, &encoded, err);
    if (!is_done) {
        capture_finish(&encoded);
        return false;
    }
    encoded.scale = encoded.width / picture->box.width;
    *capture = encoded;
    if (options->labels && encoded.bytes) {
        options->labels->tell(options->labels->data, &picture->labels);
    }
    return true;
}
