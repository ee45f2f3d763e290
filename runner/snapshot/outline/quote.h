/* How text of the page is quoted in a snapshot. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_QUOTE_H
#define RUNNER_SNAPSHOT_OUTLINE_QUOTE_H

#include "runner/base/strbuf.h"

/* Limits of names and addresses, in characters and bytes. */
enum { QUOTE_MAX_NAME = 250, QUOTE_MAX_URL = 200 };

/* Returns the length in bytes of the first `max` characters; 0: of all. */
size_t quote_length(const char *text, int max);

/*
 * Writes the text in quotes, so that it cannot be mistaken for our output: escapes quotes,
 * backslashes and line ends with a backslash, writes bidirectional controls as \u202e, and omits
 * invisible characters.
 */
void quote_text(struct strbuf *line, const char *text, int max);

/* Writes it without quotes if it cannot be mistaken for our output, otherwise with them. */
void quote_if_needed(struct strbuf *line, const char *text, int max);

/* Writes an address without blanks and control characters, cut at `max` bytes. */
void quote_url(struct strbuf *line, const char *url, size_t max);

#endif
