/*
 * The newest bytes of a descriptor's output, such as the last lines of a program. The loop reads
 * the descriptor. Call these functions on other threads than the loop's.
 */
#ifndef RUNNER_LOOP_TAIL_H
#define RUNNER_LOOP_TAIL_H

#include "runner/base/clock.h"
#include "runner/loop/loop.h"

#include <stddef.h>

struct tail;

/*
 * Takes ownership of the descriptor, even on failure, and keeps at most `max` bytes. Returns NULL
 * when the loop has no room.
 */
struct tail *tail_create(struct loop *loop, int fd, size_t max, struct br_error *err);

/* Accepts NULL. */
void tail_destroy(struct tail *tail);

/* Waits until the last writer has closed the descriptor. Returns false at the deadline. */
bool tail_wait(struct tail *tail, struct deadline deadline);

/* Returns the bytes kept so far. Caller frees. */
char *tail_text(struct tail *tail);

#endif
