/*
 * Reads JSON strictly (RFC 8259), value by value and without building a tree. Optionally writes it
 * as CBOR at the same time. For text that is passed on to Chrome.
 */
#ifndef RUNNER_CDP_JSON_WALK_H
#define RUNNER_CDP_JSON_WALK_H

#include "runner/cdp/cbor_writer.h"

#include <stdbool.h>
#include <stddef.h>

/* The text has a NUL at `end`, which does not belong to it. */
struct json_walk {
    const char *text, *at, *end;
    struct cbor_writer *writer; /* NULL: the text is only checked */
    size_t depth;               /* nesting of objects and arrays; CDP_MAX_DEPTH at most */
    const char *mistake;        /* NULL: no mistake; otherwise `at` is its position */
};

/* Records a mistake if it is the first. Always returns false. */
bool json_walk_refuse(struct json_walk *walk, const char *mistake);

void json_walk_skip_space(struct json_walk *walk);

/* Consumes this character if it is next. Returns whether it was. */
bool json_walk_take(struct json_walk *walk, char character);

/* Reads any value at `at`. Returns false at a mistake. */
bool json_walk_value(struct json_walk *walk);

/* The text between two quotes. */
struct json_walk_text {
    const char *from, *to;
    bool has_escapes;
    bool is_ascii; /* after its escapes are resolved */
};

/* Reads a text without writing it. */
bool json_walk_text(struct json_walk *walk, struct json_walk_text *ret_text);

/* Writes an ASCII text with its escapes resolved to `out`; it does not grow. Returns its length. */
size_t json_walk_resolve(const struct json_walk_text *text, char *out);

/* Consumes the colon between a name and its value, and the space around it. */
bool json_walk_take_colon(struct json_walk *walk);

/* Advances to the next member or item. Returns false after consuming `close`, and at a mistake. */
bool json_walk_take_comma(struct json_walk *walk, char close);

#endif
