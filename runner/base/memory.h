/*
 * Allocators that abort instead of failing, and cleanup attributes for owning locals. For sizes
 * from outside (pixels, payloads) use malloc() and report failure.
 */
#ifndef RUNNER_BASE_MEMORY_H
#define RUNNER_BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#define CLEANUP(function) __attribute__((cleanup(function)))

/* For `CLEANUP_FREE char *text = …`; initialise in the declaration. */
#define CLEANUP_FREE CLEANUP(cleanup_free)

/* Passes an owning pointer on and sets the variable to NULL. */
#define TAKE(pointer)                                                                              \
    ({                                                                                             \
        __auto_type taken_ = (pointer);                                                            \
        (pointer) = NULL;                                                                          \
        taken_;                                                                                    \
    })

/* Defines `name`, a cleanup function that calls `destroy` on the pointer. */
#define DEFINE_CLEANUP(type, name, destroy)                                                        \
    static inline void name(type *pointer)                                                         \
    {                                                                                              \
        destroy(*pointer);                                                                         \
    }

/* Like malloc, calloc, realloc and strdup, but never return NULL, except xstrdup(NULL). */
void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull));
void *xrealloc(void *old, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length) __attribute__((returns_nonnull));

/* Format like printf. Caller frees. */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2), returns_nonnull));
char *xvasprintf(const char *format, va_list args)
    __attribute__((format(printf, 1, 0), returns_nonnull));

/*
 * Makes room for one more item by doubling the array: returns the array with space for at least
 * count + 1 items of item_size bytes, and updates *capacity.
 */
void *array_reserve(void *array, size_t count, size_t *capacity, size_t item_size)
    __attribute__((returns_nonnull));

static inline void cleanup_free(void *pointer)
{
    free(*(void **)pointer);
}

#endif
