#include "runner/checks/run_check.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/checks/bounds.h"
#include "runner/checks/entry.h"
#include "runner/checks/environment.h"

#include <string.h>

enum {
    MAX_LOSSES = 3, /* of the browser under one check, until that counts as the check's error */
    MAX_EARLIER = 20,
};

/* Where no browser comes from the beginning nothing can be had. One that a page ends is another
 * matter. */
static bool note_browser(struct run *run, struct br_session *session, const struct attempt *attempt)
{
    const char *browser = br_session_browser(session);
    pthread_mutex_lock(&run->mutex);
    if (browser && !json_object_get(run->environment, "browser")) {
        json_object_set_new(run->environment, "browser", json_text(browser));
    }
    bool was_there = json_object_get(run->environment, "browser");
    pthread_mutex_unlock(&run->mutex);
    if (!was_there && !attempt->has_begun && !run_is_interrupted(run)) {
        run_give_up(run, &attempt->error);
        return false;
    }
    return true;
}

static void note_mismatch(struct run *run, const struct baseline *baseline)
{
    pthread_mutex_lock(&run->mutex);
    CLEANUP_FREE char *difference =
        baseline->origin ? environment_difference(run->environment, baseline->origin) : NULL;
    if (difference) {
        json_int_t count = json_integer_value(json_object_get(run->mismatches, difference));
        json_object_set_new(run->mismatches, difference, json_integer(count + 1));
    }
    pthread_mutex_unlock(&run->mutex);
}

static bool write_baseline(struct run *run, const struct suite_check *check,
                           const struct attempt *attempt, struct br_error *err)
{
    pthread_mutex_lock(&run->mutex);
    json_auto_t *origin =
        baseline_origin(run->environment, attempt->width, attempt->height, check->viewport->scale);
    pthread_mutex_unlock(&run->mutex);
    return baseline_write(run->suite, check->id, attempt->png, attempt->size, origin, err);
}

static void add_earlier(json_t *earlier, int attempt, const char *reason)
{
    CLEANUP_FREE char *text = xasprintf("attempt %d: %s", attempt, reason);
    if (json_array_size(earlier) < MAX_EARLIER) {
        json_array_append_new(earlier, json_text(text));
    }
}

/* What the attempts at a check came to. */
struct outcome {
    struct attempt attempt; /* the last */
    struct verdict verdict;
    int attempts;
    json_t *earlier; /* array: what those before said */
    bool was_bad;    /* one of them: a check that passes now is flaky */
};

static void outcome_finish(struct outcome *outcome)
{
    attempt_finish(&outcome->attempt);
    verdict_finish(&outcome->verdict);
    json_decref(outcome->earlier);
}

/* Whether the attempt is made again because the browser died under it. */
static bool was_lost(struct outcome *outcome, int *losses)
{
    struct attempt *attempt = &outcome->attempt;
    if (!attempt->is_lost) {
        return false;
    }
    if (attempt->error.code == BR_OK) {
        error_set(&attempt->error, BR_BROWSER_CRASHED, "the page was lost and opened again");
    }
    return ++*losses < MAX_LOSSES;
}

/* Attempts until the check passes or has had its tries. False when the run has to end. */
static bool attempt_until(struct run *run, struct br_session *session,
                          const struct suite_check *check, const struct baseline *baseline,
                          struct outcome *outcome)
{
    int retries = check->retries >= 0 ? check->retries : run->options->retries;
    int losses = 0;
    for (;;) {
        attempt_finish(&outcome->attempt);
        verdict_finish(&outcome->verdict);
        outcome->attempts++;
        attempt_run(session, check, baseline, &outcome->attempt);
        if (run_is_interrupted(run) || !note_browser(run, session, &outcome->attempt)) {
            return false;
        }
        bool is_again = was_lost(outcome, &losses);
        verdict_make(check, &outcome->attempt, baseline, run->options->update, &outcome->verdict);
        if (!is_again) {
            is_again = verdict_is_bad(&outcome->verdict) && retries-- > 0;
            outcome->was_bad |= is_again;
        }
        if (!is_again) {
            break;
        }
        add_earlier(outcome->earlier, outcome->attempts, outcome->verdict.reason);
    }
    if (outcome->was_bad && outcome->verdict.status == CHECK_PASSED) {
        outcome->verdict.status = CHECK_FLAKY;
    }
    return true;
}

/* The command that makes the picture the baseline, where there is something to approve. */
static void add_approval(const struct run *run, json_t *entry, const struct outcome *outcome)
{
    bool is_open = outcome->verdict.status == CHECK_FAILED && outcome->attempt.png &&
                   (outcome->verdict.comparison || !json_array_size(outcome->attempt.problems));
    if (is_open) {
        CLEANUP_FREE char *command =
            xasprintf("%s --approve %s", run->options->command, json_member_string(entry, "id"));
        json_object_set_new(entry, "approve", json_text(command));
    }
}

static bool record(struct run *run, const struct suite_check *check, json_t *entry,
                   const struct baseline *baseline, const struct outcome *outcome,
                   struct br_error *err)
{
    entry_add(entry, &outcome->attempt, &outcome->verdict);
    json_object_set_new(entry, "attempts", json_integer(outcome->attempts));
    if (json_array_size(outcome->earlier)) {
        json_object_set(entry, "earlier", outcome->earlier);
    }
    add_approval(run, entry, outcome);
    bounds_keep(entry, bounds_of_entry(run->suite->check_count));
    return entry_write_pictures(entry, run->options->report, &outcome->attempt, &outcome->verdict,
                                baseline, err) &&
           (!outcome->verdict.is_written || write_baseline(run, check, &outcome->attempt, err));
}

json_t *run_check(struct run *run, struct br_session *session, const struct suite_check *check)
{
    struct br_error err = { 0 };
    struct baseline baseline = { 0 };
    struct outcome outcome = { .earlier = json_array() };
    json_t *entry = entry_create(check, CHECK_ERROR);
    int64_t began_ms = clock_monotonic_ms();
    bool is_kept = true;
    if (!baseline_read(run->suite, check->id, &baseline, &err)) {
        outcome.verdict = (struct verdict){ .status = CHECK_ERROR, .reason = xstrdup(err.message) };
    } else {
        is_kept = attempt_until(run, session, check, &baseline, &outcome);
        note_mismatch(run, &baseline);
    }
    if (is_kept && !record(run, check, entry, &baseline, &outcome, &err)) {
        run_give_up(run, &err);
        is_kept = false;
    }
    json_object_set_new(entry, "durationMs", json_integer(clock_monotonic_ms() - began_ms));
    outcome_finish(&outcome);
    baseline_finish(&baseline);
    if (!is_kept) {
        json_decref(entry);
        return NULL;
    }
    return entry;
}
