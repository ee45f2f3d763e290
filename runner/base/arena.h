/* Strings that live together: many, small, freed at once. */
#ifndef RUNNER_BASE_ARENA_H
#define RUNNER_BASE_ARENA_H

#include <stddef.h>

struct snapshot_arena;

struct snapshot_arena *snapshot_arena_create(void);
void snapshot_arena_destroy(struct snapshot_arena *arena);

/* A copy, terminated by NUL. Borrowed from the arena. */
const char *snapshot_arena_copy(struct snapshot_arena *arena, const char *text, size_t length);

#endif
