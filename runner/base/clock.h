/*
 * Time: monotonic deadlines for every wait, wall-clock stamps for what users read.
 */
#ifndef RUNNER_BASE_CLOCK_H
#define RUNNER_BASE_CLOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Milliseconds since 1970. */
int64_t clock_wall_ms(void);

/* Milliseconds of the monotonic clock. */
int64_t clock_monotonic_ms(void);
int64_t clock_monotonic_us(void);

/* A point in time after which a wait ends. A value: copy it freely. */
struct deadline {
    int64_t at_us;             /* microseconds of the monotonic clock */
    const atomic_bool *is_off; /* true: the deadline counts as passed; any thread may set it. NULL:
                                  it cannot be cancelled */
};

/* A wait without an end. */
#define DEADLINE_NEVER ((struct deadline){ .at_us = INT64_MAX })

/* Any number is accepted; one too large for the clock becomes the latest possible time. */
struct deadline deadline_in_ms(int64_t ms);

/* The earlier of the two. It can be cancelled by the flag of the first one that has a flag. */
struct deadline deadline_earlier(struct deadline a, struct deadline b);
bool deadline_passed(struct deadline deadline);

/* Rounded up, so that waiting this long reaches it; 0 when it has passed. */
int64_t deadline_left_ms(struct deadline deadline);

/* For pthread_cond_timedwait on a condition with CLOCK_MONOTONIC. */
struct timespec deadline_timespec(struct deadline deadline);

/* Initialises a condition with CLOCK_MONOTONIC. */
void condition_init(pthread_cond_t *condition);

/*
 * Waits until the condition is signalled; may wake spuriously. Returns false when the deadline has
 * passed. A cancelled deadline is noticed within 50 ms.
 */
bool condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, struct deadline deadline);

#endif
