#include "runner/base/cut.h"

#include "runner/base/memory.h"
#include "runner/base/utf8.h"

#include <stdio.h>
#include <string.h>

size_t cut_mark(char mark[CUT_MARK_MAX], size_t characters)
{
    char text[CUT_MARK_MAX];
    int length = snprintf(text, sizeof(text), "… (%zu characters)", characters);
    memcpy(mark, text, (size_t)length);
    return (size_t)length;
}

size_t cut_count(const char *text, size_t length)
{
    size_t count = 0;
    /* Has no branches, because it scans megabytes. */
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        count += (byte & 0xC0) != 0x80;
        count += byte >= 0xF0;
    }
    return count;
}

size_t cut_length(const char *text, size_t length, size_t limit)
{
    return length <= limit + CUT_MARK_MAX ? length : utf8_cut(text, limit);
}

char *cut_text(const char *text, size_t limit)
{
    size_t length = text ? strlen(text) : 0;
    size_t kept = text ? cut_length(text, length, limit) : 0;
    if (kept == length) {
        return xstrdup(text);
    }
    char *copy = xmalloc(kept + CUT_MARK_MAX + 1);
    memcpy(copy, text, kept);
    copy[kept + cut_mark(copy + kept, cut_count(text, length))] = '\0';
    return copy;
}
