/*
 * Texts that a page may make as long as it likes: they are shown cut, and the end of what is shown
 * says how long they were, in units of UTF-16 as `length` in JavaScript: "… (20000000 characters)".
 */
#ifndef RUNNER_BASE_CUT_H
#define RUNNER_BASE_CUT_H

#include <stddef.h>

enum {
    CUT_MARK_MAX = 48, /* bytes of what a cut text ends with; a text over by so much stays whole */
    CUT_URL = 4096,    /* bytes of a URL that are shown; elsewhere only where it says so */
    CUT_TITLE = 1000,  /* characters of a title */
};

/* Writes the mark for a text of so many characters, without a NUL. Returns its length. */
size_t cut_mark(char mark[CUT_MARK_MAX], size_t characters);

/* How many units of UTF-16 the bytes of UTF-8 are. */
size_t cut_count(const char *text, size_t length);

/*
 * The length at which the text is to be cut, at most `limit` and at a character's border; its own
 * length when it stays whole.
 */
size_t cut_length(const char *text, size_t length, size_t limit);

/* A copy, cut if it has to be; NULL stays NULL. Caller frees. */
char *cut_text(const char *text, size_t limit);

#endif
