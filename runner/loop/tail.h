/*
 * The end of what comes out of a descriptor, such as the last words of a program: the loop reads it
 * and keeps the newest bytes. To be used on other threads than the loop's.
 */
#ifndef RUNNER_LOOP_TAIL_H
#define RUNNER_LOOP_TAIL_H

#include "runner/base/clock.h"
#include "runner/loop/loop.h"

#include <stddef.h>

struct tail;

/*
 * Takes ownership of the descriptor, also when it fails, and keeps at most `max` bytes. NULL when
 * the loop has no room.
 */
struct tail *tail_create(struct loop *loop, int fd, size_t max, struct br_error *err);

/* NULL is fine. */
void tail_destroy(struct tail *tail);

/* Waits until nobody can write there any more; false at the deadline. */
bool tail_wait(struct tail *tail, struct deadline deadline);

/* What is kept by now. Caller frees. */
char *tail_text(struct tail *tail);

#endif
