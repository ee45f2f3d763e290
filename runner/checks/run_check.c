#include "runner/checks/run_state.h"

#include "runner/base/clock.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/checks/bounds.h"
#include "runner/checks/entry.h"
#include "runner/checks/environment.h"
#include "runner/checks/report/file_out.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_LOSSES = 3, /* browser crashes during one check, until they count as the check's error */
    MAX_EARLIER = 20,
};

/*
 * If no browser can be started at the beginning, no check can run. A browser that a page crashes is
 * a different case.
 */
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

static json_t *origin_of(struct run *run, const struct suite_check *check,
                         const struct attempt *attempt)
{
    pthread_mutex_lock(&run->mutex);
    json_t *origin =
        baseline_origin(run->environment, attempt->width, attempt->height, check->viewport->scale);
    pthread_mutex_unlock(&run->mutex);
    return origin;
}

/*
 * Writes the file beside a baseline again if the picture made here is identical; otherwise it is
 * unknown where the baseline was made.
 */
static bool rewrite_origin(struct run *run, const struct suite_check *check,
                           const struct baseline *baseline, const struct attempt *attempt,
                           const struct verdict *verdict, struct br_error *err)
{
    bool is_to_write =
        verdict->status == CHECK_PASSED && verdict->is_exact && run->options->update != UPDATE_NONE;
    if (!baseline->origin_fault) {
        return true;
    }
    json_auto_t *origin = origin_of(run, check, attempt);
    CLEANUP_FREE char *text = xasprintf("%s (%s)", check->id, baseline->origin_fault);
    pthread_mutex_lock(&run->mutex);
    json_array_append_new(is_to_write || verdict->is_written ? run->origins_written
                                                             : run->origins_unknown,
                          json_text(text));
    pthread_mutex_unlock(&run->mutex);
    return !is_to_write || baseline_write_origin(run->suite, check->id, origin, err);
}

static bool write_baseline(struct run *run, const struct suite_check *check,
                           const struct attempt *attempt, struct br_error *err)
{
    json_auto_t *origin = origin_of(run, check, attempt);
    return baseline_write(run->suite, check->id, attempt->png, attempt->size, origin, err);
}

static void add_earlier(json_t *earlier, int attempt, const char *reason)
{
    CLEANUP_FREE char *text = xasprintf("attempt %d: %s", attempt, reason);
    if (json_array_size(earlier) < MAX_EARLIER) {
        json_array_append_new(earlier, json_text(text));
    }
}

/* The result of the attempts at a check. */
struct outcome {
    struct attempt attempt; /* the last attempt */
    struct verdict verdict;
    int attempts;
    json_t *earlier; /* array: the results of earlier attempts */
    bool was_bad;    /* one attempt failed: a check that passes now is flaky */
    struct {
        struct attempt attempt;
        struct verdict verdict;
    } bad; /* the last failed attempt with a picture */
};

static void outcome_finish(struct outcome *outcome)
{
    attempt_finish(&outcome->attempt);
    verdict_finish(&outcome->verdict);
    attempt_finish(&outcome->bad.attempt);
    verdict_finish(&outcome->bad.verdict);
    json_decref(outcome->earlier);
}

/* Keeps the pictures of the attempt, for the report of a check that passes on a retry. */
static void keep_bad(struct outcome *outcome)
{
    if (outcome->attempt.png) {
        attempt_finish(&outcome->bad.attempt);
        verdict_finish(&outcome->bad.verdict);
        outcome->bad.attempt = outcome->attempt;
        outcome->bad.verdict = outcome->verdict;
        outcome->attempt = (struct attempt){ 0 };
        outcome->verdict = (struct verdict){ 0 };
    }
}

/* A flaky check shows its failed attempt: the picture with which it passed is the baseline. */
static void report_flaky(struct outcome *outcome)
{
    struct attempt *attempt = &outcome->attempt, *bad_attempt = &outcome->bad.attempt;
    struct verdict *verdict = &outcome->verdict, *bad_verdict = &outcome->bad.verdict;
    const char *last =
        json_string_value(json_array_get(outcome->earlier, json_array_size(outcome->earlier) - 1));
    verdict->status = CHECK_FLAKY;
    free(verdict->reason);
    verdict->reason = xasprintf("passed in attempt %d; %s", outcome->attempts, last);
    if (bad_attempt->png) {
        free(attempt->png);
        attempt->png = TAKE(bad_attempt->png);
        attempt->size = bad_attempt->size;
        attempt->width = bad_attempt->width;
        attempt->height = bad_attempt->height;
        free(verdict->picture);
        verdict->picture = TAKE(bad_verdict->picture);
        verdict->picture_size = bad_verdict->picture_size;
        json_decref(verdict->comparison);
        verdict->comparison = TAKE(bad_verdict->comparison);
    }
}

/* Whether to repeat the attempt because the browser crashed. */
static bool was_lost(struct outcome *outcome, int *losses)
{
    struct attempt *attempt = &outcome->attempt;
    if (!attempt->is_lost) {
        return false;
    }
    if (attempt->error.code == BR_OK) {
        error_set(&attempt->error, BR_BROWSER_CRASHED, "the page was lost and reopened");
    }
    return ++*losses < MAX_LOSSES;
}

/*
 * Repeats attempts until the check passes or has no retries left. Returns false if the run must
 * end.
 */
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
        attempt_run(session, check, &run->side, baseline, &outcome->attempt);
        if (run_is_interrupted(run) || !note_browser(run, session, &outcome->attempt)) {
            return false;
        }
        bool is_again = was_lost(outcome, &losses);
        verdict_make(check, &outcome->attempt, baseline, run->options->update,
                     run->options->allows_errors, &outcome->verdict);
        if (!is_again) {
            is_again = verdict_is_bad(&outcome->verdict) && retries-- > 0;
            outcome->was_bad |= is_again;
        }
        if (!is_again) {
            break;
        }
        add_earlier(outcome->earlier, outcome->attempts, outcome->verdict.reason);
        keep_bad(outcome);
    }
    if (outcome->was_bad && outcome->verdict.status == CHECK_PASSED) {
        report_flaky(outcome);
    }
    return true;
}

/* Adds the command that makes the picture the baseline, if there is something to approve. */
static void add_approval(const struct run *run, json_t *entry, const struct outcome *outcome)
{
    bool is_open = !run->against && outcome->verdict.status == CHECK_FAILED &&
                   outcome->attempt.png &&
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

static char *other_path(const struct run *run, const struct suite_check *check)
{
    return xasprintf("%s/images/%s.expected.png", run->options->report, check->id);
}

void run_check_other_side(struct run *run, struct br_session *session,
                          const struct suite_check *check)
{
    const struct baseline none = { 0 };
    int retries = check->retries >= 0 ? check->retries : run->options->retries;
    struct attempt attempt = { 0 };
    do {
        attempt_finish(&attempt);
        attempt_run(session, check, &run->side, &none, &attempt);
    } while (!attempt.png && retries-- > 0 && !run_is_interrupted(run));
    struct br_error err = attempt.error;
    CLEANUP_FREE char *path = other_path(run, check);
    bool is_fine = note_browser(run, session, &attempt);
    if (is_fine && (attempt.error.code != BR_OK ||
                    !report_file_write(path, attempt.png, attempt.size, &err))) {
        pthread_mutex_lock(&run->mutex);
        json_object_set_new(run->other_faults, check->id, json_text(err.message));
        pthread_mutex_unlock(&run->mutex);
    }
    attempt_finish(&attempt);
}

/* Reads the picture of the other side; in memory it is like a baseline. */
static bool read_other(struct run *run, const struct suite_check *check,
                       struct baseline *ret_baseline, struct br_error *err)
{
    CLEANUP_FREE char *path = other_path(run, check);
    pthread_mutex_lock(&run->mutex);
    const char *fault = json_string_value(json_object_get(run->other_faults, check->id));
    CLEANUP_FREE char *why = fault ? xstrdup(fault) : NULL;
    pthread_mutex_unlock(&run->mutex);
    if (why) {
        return error_set(err, BR_INVALID_ACTION, "%s: %s", against_label(run->against), why);
    }
    ret_baseline->png = file_read(path, BASELINE_MAX_PNG, &ret_baseline->size, err);
    return ret_baseline->png;
}

json_t *run_check(struct run *run, struct br_session *session, const struct suite_check *check)
{
    struct br_error err = { 0 };
    struct baseline baseline = { 0 };
    struct outcome outcome = { .earlier = json_array() };
    json_t *entry = entry_create(check, CHECK_ERROR);
    int64_t began_ms = clock_monotonic_ms();
    bool is_kept = true;
    if (!(run->against ? read_other(run, check, &baseline, &err)
                       : baseline_read(run->suite, check->id, &baseline, &err))) {
        outcome.verdict = (struct verdict){ .status = CHECK_ERROR, .reason = xstrdup(err.message) };
    } else {
        is_kept = attempt_until(run, session, check, &baseline, &outcome);
        note_mismatch(run, &baseline);
        if (is_kept &&
            !rewrite_origin(run, check, &baseline, &outcome.attempt, &outcome.verdict, &err)) {
            run_give_up(run, &err);
            is_kept = false;
        }
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
