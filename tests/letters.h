/* Long texts for tests. */
#ifndef TESTS_LETTERS_H
#define TESTS_LETTERS_H

#include "runner/base/memory.h"

#include <string.h>

/* Returns a text of `length` times this letter. Caller frees. */
static inline char *letters(size_t length, char letter)
{
    char *text = xmalloc(length + 1);
    memset(text, letter, length);
    text[length] = '\0';
    return text;
}

#endif
