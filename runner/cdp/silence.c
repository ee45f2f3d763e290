#include "runner/cdp/silence.h"

/* If a check is later than this, the program itself was stopped: the question is sent again. */
enum { LATE_MS = 1000 };

static enum silence_verdict ask(struct silence *silence, int64_t now_ms, int64_t *ret_wait_ms)
{
    silence->is_asked = true;
    silence->asked_at_ms = now_ms;
    *ret_wait_ms = SILENCE_ANSWER_MS;
    return SILENCE_ASK;
}

void silence_heard(struct silence *silence, int64_t now_ms)
{
    *silence = (struct silence){ .has_begun = true, .heard_at_ms = now_ms };
}

enum silence_verdict silence_check(struct silence *silence, int64_t now_ms, int64_t *ret_wait_ms)
{
    *ret_wait_ms = SILENCE_PATIENCE_MS;
    if (!silence->has_begun) {
        return SILENCE_FINE;
    }
    if (silence->is_asked) {
        *ret_wait_ms = silence->asked_at_ms + SILENCE_ANSWER_MS - now_ms;
        if (*ret_wait_ms < -LATE_MS) {
            return ask(silence, now_ms, ret_wait_ms);
        }
        return *ret_wait_ms > 0 ? SILENCE_FINE : SILENCE_STUCK;
    }
    *ret_wait_ms = silence->heard_at_ms + SILENCE_PATIENCE_MS - now_ms;
    return *ret_wait_ms > 0 ? SILENCE_FINE : ask(silence, now_ms, ret_wait_ms);
}
