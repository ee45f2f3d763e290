/*
 * Reads JSON strictly (RFC 8259) and value by value, without building anything of it, and writes it
 * as CBOR meanwhile where that is wanted. For text that goes on to Chrome.
 */
#ifndef RUNNER_CDP_JSON_WALK_H
#define RUNNER_CDP_JSON_WALK_H

#include "runner/cdp/cbor_writer.h"

#include <stdbool.h>
#include <stddef.h>

/* The text has a NUL at `end`, which is not of it. */
struct json_walk {
    const char *text, *at, *end;
    struct cbor_writer *writer; /* NULL: it is only looked at */
    size_t depth;               /* of objects and arrays; CDP_MAX_DEPTH at most */
    const char *mistake;        /* NULL while there is none; `at` is where it was found */
};

/* Notes the first mistake; always false. */
bool json_walk_refuse(struct json_walk *walk, const char *mistake);

void json_walk_skip_space(struct json_walk *walk);

/* Takes this character, if it is the next one. */
bool json_walk_take(struct json_walk *walk, char character);

/* Any value, which is at `at`. False at a mistake. */
bool json_walk_value(struct json_walk *walk);

/* What is between two quotes. */
struct json_walk_text {
    const char *from, *to;
    bool has_escapes;
    bool is_ascii; /* once they are resolved */
};

/* A text, which is not written. */
bool json_walk_text(struct json_walk *walk, struct json_walk_text *ret_text);

/* One of ASCII with its escapes resolved: at most as long as it was. Returns its length. */
size_t json_walk_resolve(const struct json_walk_text *text, char *out);

/* The colon between a name and its value, and the space around it. */
bool json_walk_take_colon(struct json_walk *walk);

/* Goes on to the next member or item. False at `close`, which is taken, and at a mistake. */
bool json_walk_take_comma(struct json_walk *walk, char close);

#endif
