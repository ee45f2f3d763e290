/* Characters of a page's text: their case, and what there is to read in them. */
#ifndef RUNNER_BASE_UNICODE_H
#define RUNNER_BASE_UNICODE_H

#include "runner/base/strbuf.h"

#include <stdint.h>

/* The character at *text, which is moved behind it; U+FFFD for a byte that is no UTF-8. */
uint32_t unicode_decode(const char **text);

/* The character as UTF-8; U+FFFD for what has none. */
void unicode_encode(struct strbuf *buf, uint32_t character);

/* The bytes at the beginning that are visible ASCII but for `"` and `\`: they need no quoting. */
size_t unicode_plain_length(const char *text, const char *end);

/* By the simple mappings of Unicode for Latin, Greek, Cyrillic and Armenian; others as they are. */
uint32_t unicode_upper(uint32_t character);
uint32_t unicode_lower(uint32_t character);

/* The text without what is invisible or overrides its direction; lines end with line feeds. */
void unicode_add_visible(struct strbuf *buf, const char *text);

/* White space in any width. */
bool unicode_is_space(uint32_t character);

/* Nothing to be seen, or only a glyph of an icon font: private use, zero width, tags, controls,
 * and what marks or embeds a direction of text. */
bool unicode_is_invisible(uint32_t character);

/* A glyph of an icon font, which says nothing to those who do not see it: private use. */
bool unicode_is_private_use(uint32_t character);

bool unicode_has_private_use(const char *text, size_t length);

/* Shows the characters behind it in another order than they have. */
bool unicode_is_bidi_override(uint32_t character);

/* Must not be in addresses and selectors: it is invisible, a bidi override, the end of a line. */
bool unicode_is_deceptive(uint32_t character);

/* A part of a word: letters and digits of any script. */
bool unicode_is_word(uint32_t character);

bool unicode_has_word(const char *text);
bool unicode_has_visible(const char *text);    /* anything but blanks */
bool unicode_has_pictograph(const char *text); /* emoji, stars, check marks and the like */

/* Whether there are only signs in it that stand between things, "|" or "›"; or only such signs and
 * punctuation, ":" or "–". Blanks count for nothing. */
bool unicode_is_divider(const char *text);
bool unicode_is_punctuation(const char *text);

/* Whether both have the same words, in any case and whatever stands between. */
bool unicode_equal_words(const char *a, const char *b);

/* Whether the words of `text` begin with those of `part`, in the same way. */
bool unicode_begins_words(const char *text, const char *part);

/* Whether `part` is somewhere in `text`, in any case; unicode_contains_words() by words alone. */
bool unicode_contains(const char *text, const char *part);
bool unicode_contains_words(const char *text, const char *part);

#endif
