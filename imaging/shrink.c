#include "imaging/shrink.h"

#include "imaging/decode.h"
#include "imaging/rows.h"
#include "imaging/scale.h"

/*
 * A JPEG is decoded at no less than this many times the target size, so that the mean of areas
 * stays right.
 */
enum { JPEG_LEAST_FACTOR = 2 };

struct shrink {
    struct br_image scaled;
    struct scaler *scaler;
};

static bool on_begin(void *data, int width, int height, size_t pixel_size, struct br_error *err)
{
    struct shrink *shrink = data;
    shrink->scaler =
        scaler_create(width, height, pixel_size, pixel_size == 3, &shrink->scaled, err);
    return shrink->scaler;
}

static void on_row(void *data, const uint8_t *row)
{
    scaler_take(((struct shrink *)data)->scaler, row);
}

static bool decode_whole(const void *bytes, size_t size, struct shrink *shrink,
                         struct br_error *err)
{
    struct br_image whole = { 0 };
    struct br_image scaled;
    bool ok = image_decode(bytes, size, &whole, err) &&
              br_image_scale(&whole, shrink->scaled.width, shrink->scaled.height, &scaled, err);
    br_image_finish(&whole);
    if (ok) {
        br_image_finish(&shrink->scaled);
        shrink->scaled = scaled;
    }
    return ok;
}

/*
 * Returns whether scaling by sums works: the picture gets smaller, and its height is within the
 * limit of the sums.
 */
static bool can_add_up(const struct br_image *scaled, int width, int height)
{
    return scaled->width <= width && scaled->height <= height &&
           (scaled->width < width || scaled->height < height) &&
           (uint32_t)height <= SCALER_MAX_OPAQUE_HEIGHT;
}

static bool decode_rows(const void *bytes, size_t size, struct shrink *shrink, struct br_error *err)
{
    const struct row_taker taker = { .data = shrink, .begin = on_begin, .take = on_row };
    if (image_is_jpeg(bytes, size)) {
        return jpeg_read_rows(bytes, size, JPEG_LEAST_FACTOR * shrink->scaled.width,
                              JPEG_LEAST_FACTOR * shrink->scaled.height, &taker, err);
    }
    bool is_plain = false;
    return png_plain_read_rows(bytes, size, &taker, &is_plain, err) &&
           (is_plain || decode_whole(bytes, size, shrink, err));
}

bool image_decode_scaled(const void *bytes, size_t size, int width, int height,
                         struct br_image *ret_image, struct br_error *err)
{
    struct shrink shrink = { 0 };
    int old_width;
    int old_height;
    if (!image_decode_size(bytes, size, &old_width, &old_height, err) ||
        !image_create(width, height, &shrink.scaled, err)) {
        return false;
    }
    bool ok = can_add_up(&shrink.scaled, old_width, old_height)
                  ? decode_rows(bytes, size, &shrink, err)
                  : decode_whole(bytes, size, &shrink, err);
    scaler_destroy(shrink.scaler);
    if (!ok) {
        br_image_finish(&shrink.scaled);
        return false;
    }
    *ret_image = shrink.scaled;
    return true;
}
