/*
 * Measures how long the other side has sent nothing, and decides when to ask it for a sign of life,
 * and whether it is stuck or only slow. The caller passes the time: milliseconds of the monotonic
 * clock.
 */
#ifndef RUNNER_CDP_SILENCE_H
#define RUNNER_CDP_SILENCE_H

#include "runner/base/platform.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SILENCE_PATIENCE_MS = 2000, /* time without a message after which it is asked */
    SILENCE_FIRST_MS = 100,     /* the same, after the first command to an idle one */
    SILENCE_ANSWER_MS = 3000,   /* time that it has to answer */
    SILENCE_LONGEST_MS = 30000, /* the same, if its process runs, or waits for a processor */
};

/* All zero at first: no check applies until the other side has sent its first message. */
struct silence {
    bool has_begun, is_asked;
    bool is_owed; /* a command was sent after the last message */
    int64_t heard_at_ms, asked_at_ms;
    int64_t due_at_ms;         /* of the next judgement, once it was asked */
    int64_t answer_ms;         /* longer time to answer, set by the caller; 0: SILENCE_ANSWER_MS */
    struct platform_work work; /* when it was asked, or judged last */
};

enum silence_verdict {
    SILENCE_FINE,
    SILENCE_ASK,   /* send the question now; its time counts from this check */
    SILENCE_STUCK, /* it did not answer the question */
};

/* Records that something has arrived. */
void silence_heard(struct silence *silence, int64_t now_ms);

/*
 * Records that a command was sent. One that had nothing to answer was not silent: at the first
 * command it gets SILENCE_FIRST_MS, before anything is read about its process.
 */
void silence_sent(struct silence *silence, int64_t now_ms);

/* Returns whether silence_check() will use the work of the other side's process. */
bool silence_needs_work(const struct silence *silence, int64_t now_ms);

/*
 * Returns what to do now. Threads that wait for a message call it again within *ret_wait_ms. `work`
 * is that of the other side's process; all zero: unknown, as for one on another machine.
 */
enum silence_verdict silence_check(struct silence *silence, int64_t now_ms,
                                   const struct platform_work *work, int64_t *ret_wait_ms);

#endif
