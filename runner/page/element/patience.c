#include "runner/page/element/patience.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/questions.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/named.h"

#include <browser_runner/error.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>

/* Pauses between tries; the last one repeats. Most targets are ready at the first or second try. */
static const int64_t pauses_ms[] = { 0, 20, 100, 100, 250 };

enum { STILL_MS = 500 };

static bool may_become_ready(const struct br_error *err)
{
    return err->code == BR_TARGET_NOT_FOUND || err->code == BR_TARGET_AMBIGUOUS ||
           err->code == BR_TARGET_NOT_VISIBLE || err->code == BR_TARGET_DISABLED ||
           err->code == BR_TARGET_OBSCURED;
}

static void read_as_name(struct page_target *reading, const char *name, bool is_exact)
{
    reading->role = reading->word_kind ? reading->word_kind : "control";
    reading->name = name;
    reading->is_exact = is_exact;
    reading->text = NULL;
    reading->word = NULL;
}

static bool read_word(int index, struct page_target *reading)
{
    enum { EXACT, ROLE, EXACT_NAME, LOOSE, NAME, COUNT };
    const char *word = reading->word;
    index += index >= ROLE && !reading->word_role;
    switch (index) {
    case ROLE:
        reading->role = reading->word_role;
        reading->word = NULL;
        break;
    case EXACT_NAME:
    case NAME:
        read_as_name(reading, word, index == EXACT_NAME);
        break;
    default:
        reading->is_loose = index == LOOSE;
        break;
    }
    return index < COUNT;
}

bool patience_reading(const struct page_target *target, int index, struct page_target *ret_reading)
{
    *ret_reading = *target;
    if (target->word) {
        return read_word(index, ret_reading);
    }
    if (index == 1 && target->text && target->may_be_name) {
        read_as_name(ret_reading, target->text, false);
        return true;
    }
    return index == 0;
}

/*
 * Tries the readings of the target until one finds an element. Those by role or name require a
 * snapshot, so the first attempt has only the first reading, and names are tried at some attempts.
 */
static bool try_readings(struct page *page, const struct page_target *target,
                         patience_attempt *try_once, int attempt, void *data, struct br_error *err)
{
    bool is_due = attempt % 4 == 1;
    struct page_target reading;
    struct br_error first = { 0 };
    for (int i = 0; i < (attempt ? INT_MAX : 1) && patience_reading(target, i, &reading); i++) {
        if (i > 0 && reading.role && !is_due) {
            continue;
        }
        if (try_once(page, &reading, attempt, data, err)) {
            return true;
        }
        first = i == 0 ? *err : first;
        if (err->code != BR_TARGET_NOT_FOUND) {
            return false;
        }
    }
    *err = first;
    return false;
}

/* What has been observed of the page during a wait. */
struct stillness {
    int64_t since_ms; /* nothing has changed since then; 0: not observed yet */
    double sum;       /* of the counters that grow with each change */
};

/* Adds up the answers of script_stir; false if something is moving or unknown. */
static bool read_stirs(struct page *page, double *ret_sum, double *ret_timers, double *ret_age_ms)
{
    json_auto_t *nothing = json_object();
    size_t count = frames_count(page);
    struct frame_question *questions = frame_questions_create(page);
    bool is_still = true;
    *ret_sum = (double)count;
    *ret_timers = 0;
    *ret_age_ms = INFINITY;
    frames_ask(page, script_stir, nothing, questions, count);
    for (size_t i = 0; i < count; i++) {
        const json_t *answer = questions[i].is_answered ? questions[i].answer : NULL;
        is_still &= answer && !json_member_bool(answer, "isMoving", true);
        *ret_sum += json_member_number(answer, "changes", 0) +
                    json_member_number(answer, "begin", 0) +
                    json_member_number(answer, "timers", 0);
        *ret_timers += json_member_number(answer, "timers", 1);
        *ret_age_ms = fmin(*ret_age_ms, json_member_number(answer, "ageMs", 0));
    }
    frame_questions_destroy(questions, count);
    return is_still;
}

/*
 * Returns whether waiting longer proves nothing: for STILL_MS the page has not changed, nothing is
 * loading, and no timer can be pending that would end within the target's patience. Scripts cannot
 * see which timers are pending: a page may have some if it has ever set one, and was loaded or
 * acted on a short time ago.
 */
static bool is_still(struct page *page, const struct page_target *target,
                     struct stillness *stillness)
{
    double sum = 0;
    double timers = 0;
    double age_ms = 0;
    int64_t now_ms = clock_monotonic_ms();
    bool is_calm = read_stirs(page, &sum, &timers, &age_ms) && page->network.request_count == 0 &&
                   !navigation_is_under_way(page);
    if (!is_calm || sum != stillness->sum) {
        *stillness = (struct stillness){ .since_ms = now_ms, .sum = sum };
    }
    double cause_ms = fmin(age_ms, (double)(now_ms - page_acted_at_ms(page)));
    return is_calm && now_ms - stillness->since_ms >= STILL_MS &&
           (timers == 0 || cause_ms >= (double)target->patience_ms);
}

/* Shortens a pause to the moment at which the page may have been still for long enough. */
static int64_t pause_until_still(const struct stillness *stillness, int64_t pause_ms)
{
    int64_t left_ms = stillness->since_ms + STILL_MS - clock_monotonic_ms();
    return stillness->since_ms && left_ms > 0 && left_ms < pause_ms ? left_ms : pause_ms;
}

static bool try_until(struct page *page, const struct page_target *target,
                      patience_attempt *try_once, void *data, struct br_error *err)
{
    struct deadline end =
        deadline_earlier(deadline_in_ms(target->patience_ms), page_deadline(page));
    struct stillness stillness = { 0 };
    int last = (int)(sizeof(pauses_ms) / sizeof(pauses_ms[0])) - 1;
    for (int attempt = 0;; attempt++) {
        struct br_error before = *err;
        if (try_readings(page, target, try_once, attempt, data, err)) {
            return true;
        }
        if (attempt > 0 && err->code == BR_TIMEOUT) {
            /* The time ran out during this try: the previous error stays the reason. */
            *err = before;
            return false;
        }
        int64_t pause_ms = pauses_ms[attempt < last ? attempt : last];
        struct br_error interrupted;
        if (!may_become_ready(err) || (attempt > 0 && is_still(page, target, &stillness)) ||
            deadline_left_ms(end) <= pause_ms) {
            return false;
        }
        tell_waits_for(page, "%s", err->message);
        if (!page_pause(page, pause_until_still(&stillness, pause_ms), &interrupted)) {
            /* When the time has run out, the last try remains the reason. */
            *err = interrupted.code == BR_TIMEOUT ? *err : interrupted;
            return false;
        }
    }
}

bool patience_try(struct page *page, const struct page_target *target, patience_attempt *try_once,
                  void *data, struct br_error *err)
{
    bool is_done = try_until(page, target, try_once, data, err);
    tell_waits_for(page, NULL);
    return is_done;
}

const char *patience_alignment(int attempt, bool was_covered)
{
    static const char *const alignments[] = { "nearest", "center", "end", "start" };
    size_t count = sizeof(alignments) / sizeof(alignments[0]);
    return alignments[was_covered ? (size_t)attempt % count : 0];
}
