#include "runner/session/diagnose.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/network_event.h"
#include "runner/base/response.h"
#include "runner/hints/wording.h"
#include "runner/observe/stream.h"
#include "runner/privacy/masking.h"
#include "runner/session/step.h"

#include <string.h>

enum {
    DEFAULT_SESSION_MS = 5 * 60 * 1000,
    LEAST_LEFT_MS = 300, /* no further step begins with less of the time left */
};

int64_t diagnose_timeout_ms(const struct br_action *action)
{
    int64_t session_ms = param_integer(action, "sessionTimeoutMs", DEFAULT_SESSION_MS);
    int64_t timeout_ms = param_integer(action, "timeout", session_ms);
    return timeout_ms < session_ms ? timeout_ms : session_ms;
}

static const json_t *terms_of(const struct diagnose *diagnose, size_t index)
{
    return json_array_get(json_object_get(diagnose->action->params, "steps"), index);
}

/* Moves log entries to the diagnose, as far as its list has room. */
static void take_logs(struct diagnose *diagnose, struct br_response *from)
{
    for (size_t i = 0; i < from->log_count; i++) {
        log_list_take(diagnose->logs, &from->logs[i]);
    }
    free(TAKE(from->logs));
    from->log_count = 0;
}

static void take_events(struct diagnose *diagnose, struct br_response *from)
{
    for (size_t i = 0; i < from->network_event_count; i++) {
        if (diagnose->event_count == LOG_MAX_ENTRIES) {
            network_event_finish(&from->network_events[i]);
            continue;
        }
        diagnose->events = array_reserve(diagnose->events, diagnose->event_count,
                                         &diagnose->event_capacity, sizeof(*diagnose->events));
        diagnose->events[diagnose->event_count++] = from->network_events[i];
    }
    free(TAKE(from->network_events));
    from->network_event_count = 0;
}

/* Returns the array for the report, masked; NULL when it is empty. */
static json_t *masked_array(const struct secrets *secrets, json_t *array)
{
    return json_array_size(array) ? masking_json(secrets, array) : NULL;
}

/* Returns the label that the instruction gives the step; NULL: none. A new reference. */
static json_t *label_of(const struct diagnose *diagnose, const json_t *terms)
{
    json_t *label = json_object_get(terms, "label");
    return label ? masking_json(diagnose->session->secrets, label) : NULL;
}

/* Words the errors of a step for the front end. */
static void apply_wording(enum br_wording wording, json_t *errors)
{
    static const char *const texts[] = { "error", "hint" };
    size_t index;
    json_t *error;
    json_array_foreach (errors, index, error) {
        for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
            CLEANUP_FREE char *text = xstrdup(json_member_string(error, texts[i]));
            wording_text(wording, &text);
            if (text) {
                json_object_set_new(error, texts[i], json_text(text));
            }
        }
    }
}

/* Returns the report's entry for a step that was run. */
static json_t *step_report(const struct diagnose *diagnose, const struct step *step,
                           const struct br_response *response)
{
    const struct br_session *session = diagnose->session;
    const struct secrets *secrets = session->secrets;
    apply_wording(browser_options(session->browser)->wording, step->errors);
    return json_pack(
        "{s:o*, s:s, s:b, s:i, s:I, s:o*, s:i, s:i, s:o*, s:o*, s:o*}", "label",
        label_of(diagnose, step->terms), "type", response->type, "success", response->success,
        "attempts", response->attempts, "durationMs", (json_int_t)response->duration_ms, "url",
        response->url ? json_text(response->url) : NULL, "jsErrors", response->metrics.js_errors,
        "networkErrors", response->metrics.network_errors, "result",
        json_incref(response->values->result), "matchedLogs", masked_array(secrets, step->matched),
        "errors", masked_array(secrets, step->errors));
}

/* Adds the step's counts, events and pictures to the response of the diagnose. */
static void gather(struct diagnose *diagnose, struct br_response *from,
                   struct br_response *response)
{
    take_logs(diagnose, from);
    take_events(diagnose, from);
    diagnose->js_errors += from->metrics.js_errors;
    diagnose->network_errors += from->metrics.network_errors;
    response->recovered |= from->recovered;
    if (from->pre.bytes) {
        response->pre = from->pre;
        from->pre = (struct br_capture){ 0 };
    }
}

static void count(struct diagnose *diagnose, size_t index, const struct br_response *step)
{
    diagnose->passed += step->success;
    diagnose->failed += !step->success;
    if (!step->success && diagnose->failed == 1) {
        diagnose->error = step->error;
        const char *label = json_member_string(terms_of(diagnose, index), "label");
        error_context(&diagnose->error, "step %zu of %zu%s%s%s (%s)", index + 1,
                      action_step_count(diagnose->action), label ? " \"" : "", label ? label : "",
                      label ? "\"" : "", step->type);
    }
}

static void run_step(struct diagnose *diagnose, size_t index, const struct br_action *action,
                     struct br_response *response)
{
    json_auto_t *errors = json_array();
    json_auto_t *matched = json_array();
    struct step step = {
        .terms = terms_of(diagnose, index),
        .end = diagnose->end,
        .wants_pre = diagnose->wants_pre && index == 0,
        .errors = errors,
        .matched = matched,
    };
    log_tool(diagnose->logs, BR_LOG_DEBUG, "diagnose", "step %zu: %s", index + 1, action->type);
    CLEANUP_RESPONSE struct br_response *answer =
        diagnose->run_step(diagnose->session, action, &step);
    json_array_append_new(diagnose->report, step_report(diagnose, &step, answer));
    count(diagnose, index, answer);
    gather(diagnose, answer, response);
}

/*
 * Returns why no further step is run; NULL: continue. Ending without a failed step is an error by
 * itself.
 */
static const char *reason_to_stop(struct diagnose *diagnose, size_t index)
{
    struct br_error ignored;
    struct br_error *err = diagnose->failed ? &ignored : &diagnose->error;
    size_t total = action_step_count(diagnose->action);
    size_t most = (size_t)param_integer(diagnose->action, "maxSteps", (int64_t)total);
    if (session_is_called_off(diagnose->session)) {
        session_explain_end(diagnose->session, err);
        error_context(err, "after %zu of %zu steps", index, total);
        return "interrupt";
    }
    if (limits_reached(&diagnose->session->limits, &ignored)) {
        return "errorLimit";
    }
    if (diagnose->failed && !param_boolean(diagnose->action, "automated", false)) {
        return "failure";
    }
    if (index >= most) {
        error_set(err, BR_LIMIT_EXCEEDED, "maxSteps is %zu: %zu of %zu steps were not run", most,
                  total - index, total);
        return "maxSteps";
    }
    if (deadline_left_ms(diagnose->end) <= LEAST_LEFT_MS) {
        error_set(err, BR_TIMEOUT, "the time was used up after %zu of %zu steps", index, total);
        error_hint(err, "sessionTimeoutMs is how long all steps may take together");
        return "sessionTimeoutMs";
    }
    return NULL;
}

static void add_skipped(struct diagnose *diagnose, size_t index)
{
    const json_t *terms = terms_of(diagnose, index);
    json_array_append_new(diagnose->report,
                          json_pack("{s:o*, s:O, s:b}", "label", label_of(diagnose, terms), "type",
                                    json_object_get(json_object_get(terms, "action"), "type"),
                                    "skipped", 1));
}

static void conclude(struct diagnose *diagnose, struct br_response *response)
{
    size_t total = action_step_count(diagnose->action);
    size_t ran = diagnose->passed + diagnose->failed;
    json_t *result = json_pack("{s:I, s:I, s:I, s:I, s:s*, s:O}", "total", (json_int_t)total,
                               "passed", (json_int_t)diagnose->passed, "failed",
                               (json_int_t)diagnose->failed, "skipped", (json_int_t)(total - ran),
                               "stoppedBy", diagnose->stopped_by, "steps", diagnose->report);
    response_set_result(response, result);
    response->success = diagnose->error.code == BR_OK;
    response->error = diagnose->error;
    if (diagnose->failed > 1) {
        error_context(&response->error, "%zu of %zu steps failed", diagnose->failed, total);
    }
}

void diagnose_run(struct diagnose *diagnose, struct br_response *response)
{
    size_t total = action_step_count(diagnose->action);
    diagnose->report = json_array();
    for (size_t i = 0; i < total; i++) {
        struct br_error ignored;
        diagnose->stopped_by =
            diagnose->stopped_by ? diagnose->stopped_by : reason_to_stop(diagnose, i);
        CLEANUP_ACTION struct br_action *action =
            diagnose->stopped_by ? NULL : action_step(diagnose->action, i, &ignored);
        if (action) {
            run_step(diagnose, i, action, response);
        } else {
            add_skipped(diagnose, i);
        }
    }
    conclude(diagnose, response);
}

void diagnose_finish(struct diagnose *diagnose, struct br_response *response)
{
    take_events(diagnose, response);
    response->network_events = TAKE(diagnose->events);
    response->network_event_count = diagnose->event_count;
    response->metrics.js_errors += diagnose->js_errors;
    response->metrics.network_errors += diagnose->network_errors;
    json_decref(diagnose->report);
}
