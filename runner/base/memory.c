#include "runner/base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void *checked(void *pointer)
{
    if (!pointer) {
        fputs("browser-runner: out of memory\n", stderr);
        abort();
    }
    return pointer;
}

void *xmalloc(size_t size)
{
    return checked(malloc(size ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size ? size : 1));
}

void *xrealloc(void *old, size_t size)
{
    return checked(realloc(old, size ? size : 1));
}

char *xstrdup(const char *text)
{
    return text ? xstrndup(text, strlen(text)) : NULL;
}

char *xstrndup(const char *text, size_t length)
{
    char *copy = xmalloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *xvasprintf(const char *format, va_list args)
{
    char *text = NULL;
    return checked(vasprintf(&text, format, args) < 0 ? NULL : text);
}

char *xasprintf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = xvasprintf(format, args);
    va_end(args);
    return text;
}

void *array_reserve(void *array, size_t count, size_t *capacity, size_t item_size)
{
    if (array && count < *capacity) {
        return array;
    }
    do {
        *capacity = *capacity ? *capacity * 2 : 8;
    } while (*capacity <= count);
    return xrealloc(array, *capacity * item_size);
}
