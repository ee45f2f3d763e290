/* Characters of a page's text: their case, and whether they are readable. */
#ifndef RUNNER_BASE_UNICODE_H
#define RUNNER_BASE_UNICODE_H

#include "runner/base/strbuf.h"

#include <stdint.h>

/* Returns the character at *text and advances past it; U+FFFD for an invalid byte. */
uint32_t unicode_decode(const char **text);

/* Adds the character as UTF-8; U+FFFD if it is not a valid character. */
void unicode_encode(struct strbuf *buf, uint32_t character);

/*
 * Returns the length of the prefix that is visible ASCII without `"` and `\`, which needs no
 * quoting.
 */
size_t unicode_plain_length(const char *text, const char *end);

/*
 * Uses Unicode's simple mappings for Latin, Greek, Cyrillic and Armenian; returns others unchanged.
 */
uint32_t unicode_upper(uint32_t character);
uint32_t unicode_lower(uint32_t character);

/*
 * Adds the text without invisible characters and direction overrides; line ends become line feeds.
 */
void unicode_add_visible(struct strbuf *buf, const char *text);

/* White space in any width. */
bool unicode_is_space(uint32_t character);

/*
 * Shows nothing, or only a glyph of an icon font: private use, zero width, tags, controls,
 * direction marks and embeddings.
 */
bool unicode_is_invisible(uint32_t character);

/*
 * Acts on a terminal: moves the cursor, ends the line, begins an escape sequence or reverses the
 * text.
 */
bool unicode_is_control(uint32_t character);

/* A glyph of an icon font (private use), which has no meaning as text. */
bool unicode_is_private_use(uint32_t character);

bool unicode_has_private_use(const char *text, size_t length);

/* Displays the following characters in another order than they are stored. */
bool unicode_is_bidi_override(uint32_t character);

/* Not allowed in addresses and selectors: invisible, a direction override, or a line end. */
bool unicode_is_deceptive(uint32_t character);

/* A part of a word: letters and digits of any script. */
bool unicode_is_word(uint32_t character);

bool unicode_has_word(const char *text);
bool unicode_has_visible(const char *text);    /* whether it has more than blanks */
bool unicode_has_pictograph(const char *text); /* emoji, stars, check marks and the like */

/*
 * Whether the text consists of separators such as "|" or "›"; the second also accepts punctuation
 * such as ":" or "–". Blanks are ignored.
 */
bool unicode_is_divider(const char *text);
bool unicode_is_punctuation(const char *text);

/* Whether both have the same words, ignoring case and everything between the words. */
bool unicode_equal_words(const char *a, const char *b);

/* Whether the words of `text` begin with those of `part`, compared in the same way. */
bool unicode_begins_words(const char *text, const char *part);

/* Whether `text` contains `part`, ignoring case; unicode_contains_words() compares only words. */
bool unicode_contains(const char *text, const char *part);
bool unicode_contains_words(const char *text, const char *part);

#endif
