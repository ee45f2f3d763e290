#include "runner/base/utf8.h"

#include <stdint.h>
#include <string.h>

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* Returns the length of the character that its first byte announces. */
static size_t announced_length(unsigned char first)
{
    return first < 0x80   ? 1
           : first < 0xC2 ? 0
           : first < 0xE0 ? 2
           : first < 0xF0 ? 3
           : first < 0xF5 ? 4
                          : 0;
}

size_t utf8_sequence(const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t announced = length ? announced_length(bytes[0]) : 0;
    if (announced > length) {
        return 0;
    }
    for (size_t i = 1; i < announced; i++) {
        if (!is_continuation(bytes[i])) {
            return 0;
        }
    }
    if (announced > 2) {
        bool is_overlong =
            (bytes[0] == 0xE0 && bytes[1] < 0xA0) || (bytes[0] == 0xF0 && bytes[1] < 0x90);
        bool is_surrogate = bytes[0] == 0xED && bytes[1] > 0x9F;
        bool is_beyond = bytes[0] == 0xF4 && bytes[1] > 0x8F;
        return is_overlong || is_surrogate || is_beyond ? 0 : announced;
    }
    return announced;
}

bool utf8_is_valid(const char *text, size_t length)
{
    const char *end = text + length;
    while (text < end) {
        uint64_t word = 0x80;
        if (end - text >= (ptrdiff_t)sizeof(word)) {
            memcpy(&word, text, sizeof(word));
        }
        /* Fast path: most texts are nearly all ASCII. */
        size_t step = (word & 0x8080808080808080U) == 0 ? sizeof(word)
                                                        : utf8_sequence(text, (size_t)(end - text));
        if (step == 0) {
            return false;
        }
        text += step;
    }
    return true;
}

size_t utf8_cut(const char *text, size_t limit)
{
    size_t start = limit;
    for (size_t back = 1; back <= 3 && back <= limit; back++) {
        start = limit - back;
        if (!is_continuation((unsigned char)text[start])) {
            bool is_broken_by_cut = announced_length((unsigned char)text[start]) > back;
            return is_broken_by_cut ? start : limit;
        }
    }
    return limit;
}
