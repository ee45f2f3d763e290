/* Formats JSON for people to read. */
#ifndef RUNNER_BASE_JSON_LAYOUT_H
#define RUNNER_BASE_JSON_LAYOUT_H

#include "runner/base/strbuf.h"

#include <jansson.h>

/*
 * Adds the value; a part that fits into a line of 100 characters is on one line. Ends without a
 * newline.
 */
void json_layout(const json_t *value, struct strbuf *text);

#endif
