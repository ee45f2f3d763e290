#include "runner/cdp/silence.h"

enum {
    LATE_MS = 1000, /* if a check is later than this, the program itself was stopped: the question
                       is sent again */
    /*
     * Work between two judgements by which a process is at work. A hanging one has other threads
     * that wake up now and then.
     */
    WORK_MS = 100,
};

static enum silence_verdict ask(struct silence *silence, int64_t now_ms,
                                const struct platform_work *work, int64_t *ret_wait_ms)
{
    silence->is_asked = true;
    silence->asked_at_ms = now_ms;
    silence->due_at_ms = now_ms + SILENCE_ANSWER_MS;
    silence->work = *work;
    *ret_wait_ms = SILENCE_ANSWER_MS;
    return SILENCE_ASK;
}

void silence_heard(struct silence *silence, int64_t now_ms)
{
    *silence = (struct silence){
        .has_begun = true,
        .heard_at_ms = now_ms,
        .answer_ms = silence->answer_ms,
    };
}

void silence_sent(struct silence *silence, int64_t now_ms)
{
    int64_t least_ms = now_ms - SILENCE_PATIENCE_MS + SILENCE_FIRST_MS;
    if (silence->has_begun && !silence->is_owed && silence->heard_at_ms < least_ms) {
        silence->heard_at_ms = least_ms;
    }
    silence->is_owed = true;
}

bool silence_needs_work(const struct silence *silence, int64_t now_ms)
{
    return silence->has_begun &&
           now_ms >= (silence->is_asked ? silence->due_at_ms
                                        : silence->heard_at_ms + SILENCE_PATIENCE_MS);
}

/*
 * Returns how long it may be silent after the question. A stopped process gets no longer time; one
 * whose work could not be read completely may be at work.
 */
static int64_t longest_ms(const struct silence *silence, const struct platform_work *work)
{
    uint64_t worked_us =
        work->ran_us + work->waited_us - silence->work.ran_us - silence->work.waited_us;
    bool is_known = !work->is_incomplete && !silence->work.is_incomplete;
    bool is_working = !work->is_stopped && (!is_known || (int64_t)worked_us >= WORK_MS * 1000);
    bool is_longer = !work->is_stopped && silence->answer_ms > SILENCE_ANSWER_MS;
    return is_working ? SILENCE_LONGEST_MS : is_longer ? silence->answer_ms : SILENCE_ANSWER_MS;
}

enum silence_verdict silence_check(struct silence *silence, int64_t now_ms,
                                   const struct platform_work *work, int64_t *ret_wait_ms)
{
    *ret_wait_ms = SILENCE_PATIENCE_MS;
    if (!silence->has_begun) {
        return SILENCE_FINE;
    }
    if (!silence->is_asked) {
        *ret_wait_ms = silence->heard_at_ms + SILENCE_PATIENCE_MS - now_ms;
        return *ret_wait_ms > 0 ? SILENCE_FINE : ask(silence, now_ms, work, ret_wait_ms);
    }
    *ret_wait_ms = silence->due_at_ms - now_ms;
    if (*ret_wait_ms > 0) {
        return SILENCE_FINE;
    }
    if (*ret_wait_ms < -LATE_MS) {
        return ask(silence, now_ms, work, ret_wait_ms);
    }
    if (now_ms - silence->asked_at_ms >= longest_ms(silence, work)) {
        return SILENCE_STUCK;
    }
    silence->work = *work;
    silence->due_at_ms = now_ms + SILENCE_ANSWER_MS;
    *ret_wait_ms = SILENCE_ANSWER_MS;
    return SILENCE_FINE;
}
