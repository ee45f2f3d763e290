/*
 * A string that grows up to a limit. `data` is always NUL-terminated, also when empty, and may
 * contain NULs. An addition that would exceed the limit is dropped completely and sets `overflowed`
 * permanently, so callers can add freely and check once at the end.
 */
#ifndef RUNNER_BASE_STRBUF_H
#define RUNNER_BASE_STRBUF_H

#include "runner/base/memory.h"

#include <stdbool.h>
#include <stddef.h>

struct strbuf {
    char *data; /* owned; the static empty string before the first addition */
    size_t length;
    size_t capacity; /* bytes allocated; 0 before the first addition */
    size_t max;      /* longest length allowed */
    bool overflowed;
};

extern char strbuf_empty[1];

#define STRBUF_INIT(max_length)                                                                    \
    {                                                                                              \
        .data = strbuf_empty, .max = (max_length)                                                  \
    }
#define STRBUF_UNCAPPED ((size_t)-1 / 4)

void strbuf_finish(struct strbuf *buf);
void strbuf_clear(struct strbuf *buf);
/* Keeps the first `length` bytes; `length` must not exceed the present length. */
void strbuf_truncate(struct strbuf *buf, size_t length);

void strbuf_add(struct strbuf *buf, const void *bytes, size_t length);
void strbuf_add_string(struct strbuf *buf, const char *text);
void strbuf_add_format(struct strbuf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reserves `length` more bytes; sets `overflowed` and returns false beyond the limit. */
bool strbuf_reserve(struct strbuf *buf, size_t length);

/* Returns the text and leaves an empty buffer. Caller frees. */
char *strbuf_take(struct strbuf *buf);

#define CLEANUP_STRBUF CLEANUP(strbuf_finish)

#endif
