/*
 * Measures how long the other side has sent nothing, and decides when to ask it for a sign of life.
 * The caller passes the time: milliseconds of the monotonic clock.
 */
#ifndef RUNNER_CDP_SILENCE_H
#define RUNNER_CDP_SILENCE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SILENCE_PATIENCE_MS = 2000, /* time without a message after which it is asked */
    SILENCE_ANSWER_MS = 3000,   /* time that it has to answer */
};

/* All zero at first: no check applies until the other side has sent its first message. */
struct silence {
    bool has_begun, is_asked;
    int64_t heard_at_ms, asked_at_ms;
};

enum silence_verdict {
    SILENCE_FINE,
    SILENCE_ASK,   /* send the question now; its time counts from this check */
    SILENCE_STUCK, /* it did not answer the question */
};

/* Records that something has arrived. */
void silence_heard(struct silence *silence, int64_t now_ms);

/* Returns what to do now. Threads that wait for a message call it again within *ret_wait_ms. */
enum silence_verdict silence_check(struct silence *silence, int64_t now_ms, int64_t *ret_wait_ms);

#endif
