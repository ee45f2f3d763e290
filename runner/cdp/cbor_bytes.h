/* First bytes of the CBOR items that Chrome uses; shared by cbor_read.c and cbor_write.c. */
#ifndef RUNNER_CDP_CBOR_BYTES_H
#define RUNNER_CDP_CBOR_BYTES_H

enum {
    ENVELOPE = 0xD8, /* precedes a one-byte tag, ENVELOPE_TAG, and BYTES_32 */
    ENVELOPE_TAG = 24,
    ENVELOPE_HEAD = 7, /* in bytes, including the four of the length */
    BASE64_TAG = 0xD6,
    UNSIGNED_32 = 0x1A, /* a number or a length follows in four bytes */
    NEGATIVE_32 = 0x3A,
    BYTES_32 = 0x5A,
    TEXT_32 = 0x7A,
    BEGIN_ARRAY = 0x9F,
    BEGIN_MAP = 0xBF,
    STOP = 0xFF,
    IS_FALSE = 0xF4,
    IS_TRUE = 0xF5,
    IS_NULL = 0xF6,
    IS_DOUBLE = 0xFB,
};

#endif
