#include "runner/base/strbuf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Shared by all empty buffers and never written to. */
char strbuf_empty[1];

void strbuf_finish(struct strbuf *buf)
{
    if (buf->capacity) {
        free(buf->data);
    }
    *buf = (struct strbuf)STRBUF_INIT(buf->max);
}

void strbuf_clear(struct strbuf *buf)
{
    strbuf_truncate(buf, 0);
    buf->overflowed = false;
}

void strbuf_truncate(struct strbuf *buf, size_t length)
{
    assert(length <= buf->length);
    buf->length = length;
    if (buf->capacity) {
        buf->data[length] = '\0';
    }
}

bool strbuf_reserve(struct strbuf *buf, size_t length)
{
    if (length > buf->max - buf->length) {
        buf->overflowed = true;
        return false;
    }
    size_t needed = buf->length + length + 1;
    if (needed > buf->capacity) {
        size_t capacity = buf->capacity ? buf->capacity : 64;
        while (capacity < needed) {
            capacity *= 2;
        }
        buf->data = xrealloc(buf->capacity ? buf->data : NULL, capacity);
        buf->capacity = capacity;
        buf->data[buf->length] = '\0';
    }
    return true;
}

void strbuf_add(struct strbuf *buf, const void *bytes, size_t length)
{
    if (length && strbuf_reserve(buf, length)) {
        memcpy(buf->data + buf->length, bytes, length);
        buf->length += length;
        buf->data[buf->length] = '\0';
    }
}

void strbuf_add_string(struct strbuf *buf, const char *text)
{
    strbuf_add(buf, text, strlen(text));
}

void strbuf_add_format(struct strbuf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(length >= 0);
    if (!strbuf_reserve(buf, (size_t)length)) {
        return;
    }
    va_start(args, format);
    vsnprintf(buf->data + buf->length, (size_t)length + 1, format, args);
    va_end(args);
    buf->length += (size_t)length;
}

char *strbuf_take(struct strbuf *buf)
{
    char *text = buf->capacity ? buf->data : xstrdup("");
    *buf = (struct strbuf)STRBUF_INIT(buf->max);
    return text;
}
