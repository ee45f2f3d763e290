/* Shrinking a picture while it is read. */
#ifndef IMAGING_SCALE_H
#define IMAGING_SCALE_H

#include "imaging/image.h"

/* What br_image_scale() does, row by row. */
struct scaler;

/* A picture of one pixel's width may be too high for pixels without alpha. */
#define SCALER_MAX_OPAQUE_HEIGHT (UINT32_MAX / 255)

/*
 * For rows of `width` pixels of 3 bytes, or of 4 whose alpha counts unless all are opaque, into
 * *scaled, which is borrowed and no larger. LIMIT_EXCEEDED when there is no memory.
 */
struct scaler *scaler_create(int width, int height, size_t pixel_size, bool is_opaque,
                             struct br_image *scaled, struct br_error *err);
void scaler_destroy(struct scaler *scaler);

/* Takes the next row; there have to be as many as the picture is high. */
void scaler_take(struct scaler *scaler, const uint8_t *row);

#endif
