/*
 * A string that grows up to a cap. `data` is always terminated, also when empty, and may hold
 * NULs inside. An addition that would pass the cap is dropped whole and sets `overflowed`, which
 * stays: callers add freely and check once at the end.
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
/* Keeps the first bytes; `length` is not more than there are. */
void strbuf_truncate(struct strbuf *buf, size_t length);

void strbuf_add(struct strbuf *buf, const void *bytes, size_t length);
void strbuf_add_string(struct strbuf *buf, const char *text);
void strbuf_add_format(struct strbuf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Makes room for `length` more bytes; false, with `overflowed` set, past the cap. */
bool strbuf_reserve(struct strbuf *buf, size_t length);

/* Hands the text over and leaves an empty buffer. Caller frees. */
char *strbuf_take(struct strbuf *buf);

#define CLEANUP_STRBUF CLEANUP(strbuf_finish)

#endif
