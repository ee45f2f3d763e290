/*
 * Reads JSON from outside: every mismatch becomes one br_error that names the source and the field.
 * To build JSON, use jansson's json_pack().
 */
#ifndef RUNNER_BASE_JSON_H
#define RUNNER_BASE_JSON_H

#include "runner/base/error.h"

#include <jansson.h>

/*
 * Parses a text of any type. The error names `source` ("reply to Page.navigate"). Integers beyond
 * 64 bits, which JavaScript writes up to 1e21, become reals. Returns NULL with BR_UNKNOWN_ERROR for
 * invalid JSON. Caller decrefs.
 */
json_t *json_parse(const char *text, size_t length, const char *source, struct br_error *err);

/*
 * json_unpack() with an error: unpacks fields of `root` by a jansson format such as "{s:s, s?i}".
 * Unpacked values are borrowed from root.
 */
bool json_read(json_t *root, const char *source, struct br_error *err, const char *format, ...);

/* Returns the member's text, or NULL if it is absent or not a string. Borrowed. */
const char *json_member_string(const json_t *object, const char *key);

/* Returns the member's number, or `fallback` if it is absent or not a number. */
double json_member_number(const json_t *object, const char *key, double fallback);

bool json_member_bool(const json_t *object, const char *key, bool fallback);

/*
 * Returns a string for json_pack()'s "s". Jansson refuses invalid UTF-8, so invalid bytes become
 * U+FFFD.
 */
json_t *json_text(const char *text);

/*
 * Returns an integer if the number is one; otherwise the number rounded to `scale` steps a unit;
 * NULL for a number that JSON cannot represent. Caller decrefs.
 */
json_t *json_number(double value, int64_t scale);

/*
 * Returns the tree as one line without a newline. Reals have the fewest digits that restore the
 * same numbers; characters that would act on a terminal or a CI log are escaped. *ret_length may be
 * NULL. Caller frees.
 */
char *json_line(const json_t *root, size_t *ret_length);

#endif
