/* UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing over U+10FFFF. */
#ifndef RUNNER_BASE_UTF8_H
#define RUNNER_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the length of the character at `text`, 1 to 4 bytes; 0 if it is invalid or exceeds
 * `length`.
 */
size_t utf8_sequence(const char *text, size_t length);

/* Whether the whole text is UTF-8. NULs count as characters. */
bool utf8_is_valid(const char *text, size_t length);

/*
 * Returns the length, at most `limit`, at which `text` (of at least `limit` bytes) can be cut
 * without splitting a character. Text that is not UTF-8 is cut at `limit`.
 */
size_t utf8_cut(const char *text, size_t limit);

#endif
