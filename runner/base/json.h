/*
 * Reading JSON that comes from outside: every mismatch becomes one br_error that names the source
 * and the field. Writing is jansson's own json_pack().
 */
#ifndef RUNNER_BASE_JSON_H
#define RUNNER_BASE_JSON_H

#include "runner/base/error.h"

#include <jansson.h>

/*
 * Parses a text of any type. `source` is named in the error ("reply to Page.navigate").
 * Integers beyond 64 bits, which JavaScript writes up to 1e21, become reals.
 * Returns NULL with BR_UNKNOWN_ERROR for what is no JSON. Caller decrefs.
 */
json_t *json_parse(const char *text, size_t length, const char *source, struct br_error *err);

/*
 * json_unpack() with an error: the fields of `root` by a jansson format such as
 * "{s:s, s?i}". What is unpacked is borrowed from root.
 */
bool json_read(json_t *root, const char *source, struct br_error *err, const char *format, ...);

/* The member's text, or NULL when it is absent or no string. Borrowed. */
const char *json_member_string(const json_t *object, const char *key);

/* The member's number, or `fallback` when it is absent or no number. */
double json_member_number(const json_t *object, const char *key, double fallback);

bool json_member_bool(const json_t *object, const char *key, bool fallback);

/*
 * A string for json_pack()'s "s": jansson refuses what is not UTF-8, so broken bytes become
 * U+FFFD here.
 */
json_t *json_text(const char *text);

/* An integer where the number is one, else rounded to `scale` steps a unit; NULL for what JSON
 * cannot hold. Caller decrefs. */
json_t *json_number(double value, int64_t scale);

#endif
