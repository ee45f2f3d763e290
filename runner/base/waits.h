/*
 * What an action waited for: each wait with its name, when it began and how long it took. What is
 * left of the action's duration was spent computing.
 */
#ifndef RUNNER_BASE_WAITS_H
#define RUNNER_BASE_WAITS_H

#include "runner/base/memory.h"

#include <jansson.h>
#include <stdint.h>

/* For one thread. */
struct waits;

struct waits *waits_create(void); /* Never NULL. */
void waits_destroy(struct waits *waits);

/* Forgets all waits; later ones are timed from now on. */
void waits_restart(struct waits *waits);

/*
 * Gives the command with this id the name of the function of ours that its parameters contain, if
 * any. NULL parameters: none.
 */
void waits_note_command(struct waits *waits, int64_t id, const json_t *params);

/*
 * Record a wait. `id` is that of the command whose reply is awaited; -1: something else. Waits do
 * not nest.
 */
void waits_begin(struct waits *waits, const char *what, int64_t id);
void waits_end(struct waits *waits);

/*
 * Returns the waits in their order, an array of { what, atMs, ms }: atMs is since the restart. Only
 * the first 1,000 are kept. The caller decrefs.
 */
json_t *waits_json(const struct waits *waits);

#endif
