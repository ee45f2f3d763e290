/*
 * Skips JSON without parsing it. Each function takes a position in a text and the text's end, and
 * returns the position after the skipped part, or NULL if the text is malformed. The skipped part
 * is not validated: only brackets are counted and strings are scanned for their ends.
 */
#ifndef RUNNER_BASE_JSON_SCAN_H
#define RUNNER_BASE_JSON_SCAN_H

#include <stddef.h>

/* Skips white space, possibly none. */
const char *json_scan_space(const char *at, const char *end);

/* Skips a string with its quotes. */
const char *json_scan_string(const char *at, const char *end);

/* Skips any value. */
const char *json_scan_value(const char *at, const char *end);

/* Estimates how many values a text has: counts brackets and commas outside strings. */
size_t json_scan_count(const char *text, size_t length);

#endif
