/*
 * The memory that a suite points to. Checks share the values of `defaults`, so it belongs to none
 * of them and is freed at once.
 */
#ifndef RUNNER_CHECKS_SUITE_MEMORY_H
#define RUNNER_CHECKS_SUITE_MEMORY_H

#include <browser_runner/action.h>
#include <stddef.h>

struct suite_memory;

struct suite_memory *suite_memory_create(void);
void suite_memory_destroy(struct suite_memory *memory);

/*
 * Returns zeroed memory that lives as long as `memory`, like that of the functions below. Never
 * NULL.
 */
void *suite_memory_alloc(struct suite_memory *memory, size_t count, size_t size);

/* Takes ownership of a malloc()ed pointer, and returns it. */
void *suite_memory_keep(struct suite_memory *memory, void *pointer);

/* Takes ownership of the action. */
void suite_memory_keep_action(struct suite_memory *memory, struct br_action *action);

#endif
