/*
 * Packing of flat pictures in little time: a zlib stream (RFC 1950, 1951) that only knows two kinds
 * of repetition, of the byte before and of the row above.
 */
#ifndef IMAGING_DEFLATE_ROWS_H
#define IMAGING_DEFLATE_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that deflate_rows() writes at most. */
size_t deflate_rows_bound(size_t size);

/* Packs bytes in rows of `stride`, and returns the size of what was written. */
size_t deflate_rows(const uint8_t *bytes, size_t size, size_t stride, uint8_t *ret_packed);

#endif
