/*
 * Fast compression of flat pictures: a zlib stream (RFC 1950, 1951) that uses only two kinds of
 * matches, with the previous byte and with the row above.
 */
#ifndef IMAGING_DEFLATE_ROWS_H
#define IMAGING_DEFLATE_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Returns the maximum number of bytes that deflate_rows() writes. */
size_t deflate_rows_bound(size_t size);

/* Compresses bytes in rows of `stride`; returns the size of the output. */
size_t deflate_rows(const uint8_t *bytes, size_t size, size_t stride, uint8_t *ret_packed);

#endif
