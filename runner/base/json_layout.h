/* Formats JSON for people to read, and for the terminals that they read it on. */
#ifndef RUNNER_BASE_JSON_LAYOUT_H
#define RUNNER_BASE_JSON_LAYOUT_H

#include "runner/base/strbuf.h"

#include <jansson.h>

/*
 * Adds the value; a part that fits into a line of 100 characters is on one line. Ends without a
 * newline.
 */
void json_layout(const json_t *value, struct strbuf *text);

/*
 * Escapes, in a text of JSON, what a terminal interprets, what reverses its text, and "##[", which
 * begins a GitHub command anywhere in a log line. In JSON these occur only inside strings.
 */
void json_make_harmless(struct strbuf *text);

#endif
