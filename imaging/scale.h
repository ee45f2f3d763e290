/* Scales a picture down while it is read. */
#ifndef IMAGING_SCALE_H
#define IMAGING_SCALE_H

#include "imaging/image.h"

/* The row by row version of br_image_scale(). */
struct scaler;

/* Maximum height for pixels without alpha, which a picture of one pixel's width may exceed. */
#define SCALER_MAX_OPAQUE_HEIGHT (UINT32_MAX / 255)

/*
 * Creates a scaler for rows of `width` pixels of 3 bytes, or of 4 whose alpha counts unless all are
 * opaque. The result goes to *scaled, which is borrowed and not larger. Fails with LIMIT_EXCEEDED
 * if there is no memory.
 */
struct scaler *scaler_create(int width, int height, size_t pixel_size, bool is_opaque,
                             struct br_image *scaled, struct br_error *err);
void scaler_destroy(struct scaler *scaler);

/* Adds the next row; must be called for every row of the picture. */
void scaler_take(struct scaler *scaler, const uint8_t *row);

#endif
