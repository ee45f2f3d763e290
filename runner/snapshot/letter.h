/* Characters of a page's text: their case, and what there is to read in them. */
#ifndef RUNNER_SNAPSHOT_LETTER_H
#define RUNNER_SNAPSHOT_LETTER_H

#include "runner/base/strbuf.h"

#include <stdint.h>

/* The character at *text, which is moved behind it; U+FFFD for a byte that is no UTF-8. */
uint32_t letter_next(const char **text);

/* The character as UTF-8; U+FFFD for what has none. */
void letter_put(struct strbuf *buf, uint32_t letter);

/* The bytes at the beginning that are visible ASCII but for `"` and `\`: nothing needs a look. */
size_t letters_plain(const char *text, const char *end);

/* By the simple mappings of Unicode for Latin, Greek, Cyrillic and Armenian; others as they are. */
uint32_t letter_upper(uint32_t letter);
uint32_t letter_lower(uint32_t letter);

/* White space in any width. */
bool letter_is_space(uint32_t letter);

/* Nothing to be seen, or only a glyph of an icon font: private use, zero width, tags, controls. */
bool letter_is_unseen(uint32_t letter);

/* Turns the direction of the text around it: marks, embeddings, overrides and isolates. */
bool letter_is_direction(uint32_t letter);

/* A part of a word: letters and digits of any script, and pictures such as emoji. */
bool letter_is_word(uint32_t letter);

bool letters_have_word(const char *text);

/* Whether both are the same but for white space and case, or `part` is somewhere in `text`. */
bool letters_equal(const char *a, const char *b);
bool letters_contain(const char *text, const char *part);

#endif
