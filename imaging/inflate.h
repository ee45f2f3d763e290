/*
 * Unpacking deflate (RFC 1951) piece by piece, for what is too large to be in memory as a whole;
 * otherwise libdeflate is faster, and zlib is several times slower than both.
 */
#ifndef IMAGING_INFLATE_H
#define IMAGING_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INFLATE_WINDOW = 32768, /* bytes before those to come that have to stay in front of them */
    INFLATE_PADDING = 64,   /* bytes behind what is packed that can be read, whatever they are */
    INFLATE_SLACK = 512,    /* bytes behind the end that may be written to */
};

struct inflate;

/* The packed bytes are borrowed. NULL: no memory. */
struct inflate *inflate_create(const uint8_t *packed, size_t size);
void inflate_destroy(struct inflate *inflate);

/*
 * Unpacks behind `out`, until at least *ret_end >= end or all is unpacked; *ret_end is up to
 * INFLATE_SLACK bytes beyond the end. From `history` on, at most INFLATE_WINDOW bytes back, there
 * is what was unpacked before. False when the packed bytes are damaged or end early.
 */
bool inflate_more(struct inflate *inflate, const uint8_t *history, uint8_t *out, const uint8_t *end,
                  uint8_t **ret_end);

/* Whether all is unpacked. */
bool inflate_is_done(const struct inflate *inflate);

#endif
