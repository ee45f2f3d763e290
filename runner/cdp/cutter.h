/*
 * Makes a message short while it comes, byte by byte and without parsing it: texts are cut, and
 * arrays that are endless. What is left is JSON as before. For events by which pages tell of
 * themselves: one console.log() may be hundreds of megabytes.
 */
#ifndef RUNNER_CDP_CUTTER_H
#define RUNNER_CDP_CUTTER_H

#include <stdbool.h>
#include <stddef.h>

enum {
    CUTTER_TEXT = 16000,          /* bytes of UTF-8 that stay of a text; of a URL CUT_URL */
    CUTTER_POST_DATA = 65536,     /* of what was posted */
    CUTTER_ITEMS = 16384,         /* of an array */
    CUTTER_MESSAGE = 1024 * 1024, /* bytes, from which on no array takes another item */
    CUTTER_DEPTH = 32,            /* of arrays whose items are counted */
};

/* All zero at a message's beginning. Offsets are of the message as it is now. */
struct cutter {
    size_t end;                 /* of what has been looked at, and stays */
    bool is_text, is_escape;    /* inside of quotes; behind a backslash there */
    bool is_value;              /* a colon was the last that came */
    size_t text, text_max;      /* the present text, and the bytes of it that stay */
    size_t characters;          /* of it, whatever stays */
    size_t name, name_length;   /* the last text that ended */
    size_t depth;               /* of objects and arrays */
    size_t items[CUTTER_DEPTH]; /* commas so far, at each depth */
    bool is_array[CUTTER_DEPTH];
    size_t dropped_depth, dropped; /* where items are dropped, and from where on; 0: nowhere */
    size_t room;                   /* nothing is kept behind this offset; 0: no limit */
};

/*
 * The message has grown to `length` bytes, of which those up to cutter->end were looked at before.
 * Returns how long it is now, in place. A cut text ends as base/cut.h says; a cut array ends with
 * the text "…".
 */
size_t cutter_feed(struct cutter *cutter, char *message, size_t length);

#endif
