/* The first bytes of items of CBOR, as far as Chrome uses them; for the two files of cbor.h. */
#ifndef RUNNER_CDP_CBOR_BYTES_H
#define RUNNER_CDP_CBOR_BYTES_H

enum {
    ENVELOPE = 0xD8, /* a tag of one byte, which is ENVELOPE_TAG, before BYTES_32 */
    ENVELOPE_TAG = 24,
    ENVELOPE_HEAD = 7, /* bytes, with the length of four */
    BASE64_TAG = 0xD6,
    UNSIGNED_32 = 0x1A, /* the number, or the length, follows in four bytes */
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
