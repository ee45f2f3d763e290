/*
 * Deflate (RFC 1951). Fast compression of flat pictures: a zlib stream (RFC 1950) that uses only
 * two kinds of matches, with the previous byte and with the row above. Decompression of any stream.
 */
#ifndef IMAGING_DEFLATE_H
#define IMAGING_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the maximum number of bytes that deflate_rows() writes. */
size_t deflate_rows_bound(size_t size);

/* Compresses bytes in rows of `stride`; returns the size of the output. */
size_t deflate_rows(const uint8_t *bytes, size_t size, size_t stride, uint8_t *ret_packed);

/*
 * Decompresses a stream without header and checksum; returns whether it has exactly `size` bytes.
 * Never reads or writes outside, whatever the stream.
 */
bool deflate_unpack(const uint8_t *packed, size_t packed_size, uint8_t *ret_bytes, size_t size);

/* Returns the CRC-32 of ZIP and PNG. */
uint32_t deflate_checksum(const uint8_t *bytes, size_t size);

#endif
