/*
 * Shortens a message while it arrives, byte by byte and without parsing it: cuts long texts and
 * endless arrays. The result is still JSON. Used for events by which pages report about themselves:
 * one console.log() may be hundreds of megabytes.
 */
#ifndef RUNNER_CDP_CUTTER_H
#define RUNNER_CDP_CUTTER_H

#include <stdbool.h>
#include <stddef.h>

enum {
    CUTTER_TEXT = 16000,          /* bytes of UTF-8 that are kept of a text; CUT_URL of a URL */
    CUTTER_POST_DATA = 65536,     /* bytes that are kept of posted data */
    CUTTER_ITEMS = 16384,         /* items that are kept of an array */
    CUTTER_MESSAGE = 1024 * 1024, /* a longer message keeps no further array items */
    CUTTER_DEPTH = 32,            /* deepest nesting at which items of arrays are counted */
};

/* All zero at a message's beginning. Offsets refer to the shortened message. */
struct cutter {
    size_t end;                 /* end of the bytes that were read and kept */
    bool is_text, is_escape;    /* inside quotes; after a backslash inside quotes */
    bool is_value;              /* after a colon: the next text is a value */
    size_t text, text_max;      /* offset of the current text; bytes of it that are kept */
    size_t characters;          /* characters of that text, kept or not */
    size_t name, name_length;   /* the last complete text: the name of the next value */
    size_t depth;               /* nesting of objects and arrays */
    size_t items[CUTTER_DEPTH]; /* commas so far at each depth */
    bool is_array[CUTTER_DEPTH];
    size_t dropped_depth, dropped; /* depth of the array whose items are dropped (0: none), and the
                                      offset from which */
    size_t room;                   /* nothing is kept after this offset; 0: no limit */
};

/*
 * Processes a message that has grown to `length` bytes; those up to cutter->end were processed
 * before. Shortens it in place and returns its new length. A cut text ends as base/cut.h says; a
 * cut array ends with the text "…".
 */
size_t cutter_feed(struct cutter *cutter, char *message, size_t length);

/*
 * Events by which a page reports about itself, as many and as long as it likes. They may be cut and
 * dropped; events that define the page's state may not.
 */
enum telemetry {
    TELEMETRY_NONE,    /* must stay complete */
    TELEMETRY_CUT,     /* its long texts may be cut */
    TELEMETRY_SAYING,  /* the same, and it is dropped first when a mailbox fills up */
    TELEMETRY_USELESS, /* dropped: only raw readers use it */
};

/*
 * Returns the kind of a message, given its text or first bytes. Relies on Chrome's order: the
 * method comes first.
 */
enum telemetry telemetry_of(const char *text, size_t length);

#endif
