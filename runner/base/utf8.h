/* UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing over U+10FFFF. */
#ifndef RUNNER_BASE_UTF8_H
#define RUNNER_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of the character at `text`, 1 to 4; 0 when it is broken or longer than `length`. */
size_t utf8_sequence(const char *text, size_t length);

/* Whether all of the text is UTF-8. NULs are characters. */
bool utf8_is_valid(const char *text, size_t length);

/*
 * The length, at most `limit`, at which `text` (of at least `limit` bytes) can be cut without
 * breaking a character. Text that is no UTF-8 is cut at `limit`.
 */
size_t utf8_cut(const char *text, size_t limit);

#endif
