/*
 * Cuts texts, because a page may make them as long as it likes. The end of a cut text says how long
 * the original was, in UTF-16 units like `length` in JavaScript: "… (20000000 characters)".
 */
#ifndef RUNNER_BASE_CUT_H
#define RUNNER_BASE_CUT_H

#include <stddef.h>

enum {
    CUT_MARK_MAX = 48, /* longest mark in bytes; a text that is too long by at most this many bytes
                          is not cut */
    CUT_URL = 4096,    /* longest URL in bytes, unless stated otherwise */
    CUT_TITLE = 1000,  /* longest title in characters */
};

/* Writes the mark for a text of `characters` characters, without a NUL. Returns its length. */
size_t cut_mark(char mark[CUT_MARK_MAX], size_t characters);

/* Counts the UTF-16 units of UTF-8 text. */
size_t cut_count(const char *text, size_t length);

/*
 * Returns the length at which to cut the text: at most `limit`, at a character's boundary; the
 * text's own length if it need not be cut.
 */
size_t cut_length(const char *text, size_t length, size_t limit);

/* Returns a copy, cut if necessary; NULL for NULL. Caller frees. */
char *cut_text(const char *text, size_t limit);

#endif
