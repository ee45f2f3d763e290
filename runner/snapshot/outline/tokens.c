#include "runner/snapshot/outline/print.h"

#include "runner/base/unicode.h"

/*
 * A model of tokenizers trained on English text and code: a Latin word is one token, a long one
 * two; three digits are one; a sign is one; letters of other scripts take one for each one or two;
 * a line end with the following indentation is one. The margin covers unusual spellings.
 */
enum { WORD_LETTERS = 7, DIGITS = 3, MARGIN = 50 };

enum kind_of_character { OF_BLANK, OF_LETTER, OF_DIGIT, OF_OTHER };

static enum kind_of_character kind_of(uint32_t character)
{
    if (character >= '0' && character <= '9') {
        return OF_DIGIT;
    }
    if (character < 0x80 && unicode_is_word(character)) {
        return OF_LETTER;
    }
    return character == ' ' || character == '\n' ? OF_BLANK : OF_OTHER;
}

int print_tokens(const char *text, size_t length)
{
    const char *end = text + length;
    int64_t tokens = 0;
    enum kind_of_character before = OF_BLANK;
    int run = 0;
    while (text < end) {
        uint32_t character = unicode_decode(&text);
        if (character == 0) {
            text++; /* a NUL inside the text */
        }
        enum kind_of_character kind = kind_of(character);
        run = kind == before ? run + 1 : 0;
        before = kind;
        if (kind == OF_OTHER || character == '\n') {
            tokens++;
        } else if (kind != OF_BLANK) {
            tokens += run % (kind == OF_DIGIT ? DIGITS : WORD_LETTERS) == 0;
        }
    }
    tokens += tokens / MARGIN;
    return tokens > INT32_MAX ? INT32_MAX : (int)tokens;
}
