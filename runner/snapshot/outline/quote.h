/* How text of a page is written in a snapshot. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_QUOTE_H
#define RUNNER_SNAPSHOT_OUTLINE_QUOTE_H

#include "runner/base/strbuf.h"

/* Longer names, and addresses, are cut; characters and bytes. */
enum { QUOTE_MAX_NAME = 250, QUOTE_MAX_URL = 200 };

/* The bytes of the first `max` characters; all of them for 0. */
size_t quote_length(const char *text, int max);

/*
 * In quotes, so that it cannot pass for anything else: quotes, backslashes and line ends behind a
 * backslash, what turns the direction of text as \u202e, what nobody sees not at all.
 */
void quote_text(struct strbuf *line, const char *text, int max);

/* Without quotes where nothing in it could be taken for ours, otherwise with them. */
void quote_if_needed(struct strbuf *line, const char *text, int max);

/* An address without blanks and controls, cut at a length. */
void quote_url(struct strbuf *line, const char *url, size_t max);

#endif
