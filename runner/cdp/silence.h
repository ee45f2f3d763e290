/*
 * How long the other side has said nothing, and when to ask it for a sign of life. Times are given,
 * not read: milliseconds of the monotonic clock.
 */
#ifndef RUNNER_CDP_SILENCE_H
#define RUNNER_CDP_SILENCE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SILENCE_PATIENCE_MS = 2000, /* without a message: then it is asked */
    SILENCE_ANSWER_MS = 3000,   /* to answer the question */
};

/* Zero at first: nothing is expected of a side that has not said its first word. */
struct silence {
    bool has_begun, is_asked;
    int64_t heard_at_ms, asked_at_ms;
};

enum silence_verdict {
    SILENCE_FINE,
    SILENCE_ASK,   /* the question is to be sent now; the next check counts from here */
    SILENCE_STUCK, /* it was asked in vain */
};

/* Something came. */
void silence_heard(struct silence *silence, int64_t now_ms);

/* To be called again after *ret_wait_ms at the latest, by whoever waits for a message. */
enum silence_verdict silence_check(struct silence *silence, int64_t now_ms, int64_t *ret_wait_ms);

#endif
