/*
 * Steps over JSON without reading it. Each takes a place in a text and the text's end, and returns
 * the place behind what is there, or NULL where the text is broken. What is stepped over is not
 * checked: brackets are counted, and texts looked through for their ends.
 */
#ifndef RUNNER_BASE_JSON_SCAN_H
#define RUNNER_BASE_JSON_SCAN_H

#include <stddef.h>

/* White space, which may be none. */
const char *json_scan_space(const char *at, const char *end);

/* A text with its quotes. */
const char *json_scan_string(const char *at, const char *end);

/* Any value. */
const char *json_scan_value(const char *at, const char *end);

/* About how many values a text has: counts brackets and commas outside of strings. */
size_t json_scan_count(const char *text, size_t length);

#endif
