/* An arena for many small strings that are freed together. */
#ifndef RUNNER_BASE_ARENA_H
#define RUNNER_BASE_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_create(void);
void arena_destroy(struct arena *arena);

/* A copy, terminated by NUL. Borrowed from the arena. */
const char *arena_copy(struct arena *arena, const char *text, size_t length);

#endif
