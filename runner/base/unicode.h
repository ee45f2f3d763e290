/* Characters of a page's text: their case, and what there is to read in them. */
#ifndef RUNNER_BASE_UNICODE_H
#define RUNNER_BASE_UNICODE_H

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

/* The text without what is not seen, or turns letters around; lines end with line feeds. */
void letters_add_seen(struct strbuf *buf, const char *text);

/* White space in any width. */
bool letter_is_space(uint32_t letter);

/* Nothing to be seen, or only a glyph of an icon font: private use, zero width, tags, controls,
 * and what marks or embeds a direction of text. */
bool letter_is_unseen(uint32_t letter);

/* A glyph of an icon font, which says nothing to those who do not see it: private use. */
bool letter_is_glyph(uint32_t letter);

bool letters_have_glyph(const char *text, size_t length);

/* Turns letters around that would be read otherwise. */
bool letter_is_override(uint32_t letter);

/* None of what addresses and selectors may show: unseen, an override, the end of a line. */
bool letter_is_treacherous(uint32_t letter);

/* A part of a word: letters and digits of any script. */
bool letter_is_word(uint32_t letter);

bool letters_have_word(const char *text);
bool letters_have_seen(const char *text);    /* anything but blanks */
bool letters_have_picture(const char *text); /* emoji, stars and the like */

/* Whether both have the same words, in any case and whatever stands between. */
bool letters_equal(const char *a, const char *b);

/* Whether the words of `text` begin with those of `part`, in the same way. */
bool letters_begin(const char *text, const char *part);

/* Whether `part` is somewhere in `text`, in any case; letters_contain() by words alone. */
bool letters_find(const char *text, const char *part);
bool letters_contain(const char *text, const char *part);

#endif
