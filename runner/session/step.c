#include "runner/session/step.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/network_event.h"
#include "runner/base/response.h"
#include "runner/hints/advice.h"
#include "runner/hints/catalogue.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/wait.h"
#include "runner/privacy/mask.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { POLL_MS = 30 };

/* Returns the text for the report, with URLs masked. */
static json_t *shown_text(const char *text)
{
    CLEANUP_FREE char *shown = mask_urls_copy(text, false);
    return json_text(shown);
}

static void add_error(json_t *errors, const char *condition, const struct br_error *err)
{
    json_t *hint = *err->hint ? shown_text(err->hint) : NULL;
    json_array_append_new(errors, json_pack("{s:s, s:s, s:o, s:o*}", "condition", condition,
                                            "errorCode", br_code_name(err->code), "error",
                                            shown_text(err->message), "hint", hint));
}

static void __attribute__((format(printf, 4, 5)))
add_failure(struct step *step, const char *condition, enum br_code code, const char *format, ...)
{
    char text[900];
    struct br_error err;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    error_set(&err, code, "%s: %s", condition, text);
    catalogue_explain(&err, NULL);
    add_error(step->errors, condition, &err);
}

/* Returns whether the parts between the `*` of the pattern occur in the text, in this order. */
static bool matches(const char *text, const char *pattern)
{
    for (;;) {
        size_t length = strcspn(pattern, "*");
        CLEANUP_FREE char *piece = xstrndup(pattern, length);
        const char *at = strcasestr(text, piece);
        if (!at || pattern[length] == '\0') {
            return at;
        }
        text = at + length;
        pattern += length + 1;
    }
}

/* Finds a log entry of the page that matches; our own entries may quote the pattern. */
static const char *find_log(const struct log_list *logs, const char *pattern)
{
    for (size_t i = 0; i < logs->count; i++) {
        const struct br_log *log = &logs->items[i];
        if (log->source == BR_SOURCE_BROWSER && matches(log->message, pattern)) {
            return log->message;
        }
    }
    return NULL;
}

static void be_patient(const struct step *step, struct page *page)
{
    page_set_deadline(page, deadline_earlier(step->end, deadline_in_ms(STEP_PATIENCE_MS)));
}

static void wait_for_logs(struct step *step, struct page *page, const struct log_list *logs)
{
    size_t index;
    json_t *pattern;
    struct br_error ignored;
    be_patient(step, page);
    json_array_foreach (json_object_get(step->terms, "expectedLogs"), index, pattern) {
        const char *text = json_string_value(pattern);
        const char *found = find_log(logs, text);
        while (!found && deadline_left_ms(page_deadline(page)) > POLL_MS &&
               page_pause(page, POLL_MS, &ignored)) {
            found = find_log(logs, text);
        }
        if (found) {
            json_array_append_new(step->matched, shown_text(found));
        } else {
            add_failure(step, "expectedLogs", BR_TIMEOUT, "the page logged nothing with \"%s\"",
                        text);
        }
    }
}

static void wait_for_condition(struct step *step, struct page *page)
{
    struct br_error err;
    const char *expression = json_member_string(step->terms, "customCondition");
    if (!expression) {
        return;
    }
    be_patient(step, page);
    if (page_wait_expression(page, expression, &err)) {
        return;
    }
    if (err.code == BR_TIMEOUT) {
        add_failure(step, "customCondition", BR_EVAL_ERROR, "\"%s\" did not become true",
                    expression);
    } else {
        error_context(&err, "customCondition");
        add_error(step->errors, "customCondition", &err);
    }
}

static bool has_terms(const struct step *step)
{
    return json_object_get(step->terms, "expectedLogs") ||
           json_object_get(step->terms, "customCondition") ||
           json_object_get(step->terms, "noJsErrors") ||
           json_object_get(step->terms, "noNetworkErrors");
}

void step_wait(struct step *step, struct page *page, const struct log_list *logs)
{
    struct br_error err;
    if (!has_terms(step)) {
        return;
    }
    bool wants_quiet = json_member_bool(step->terms, "noJsErrors", false) ||
                       json_member_bool(step->terms, "noNetworkErrors", false);
    struct deadline before = page_deadline(page);
    page_catch_up(page);
    wait_for_logs(step, page, logs);
    wait_for_condition(step, page);
    if (wants_quiet) {
        be_patient(step, page);
        page_wait_network_idle(page, 0, &err); /* a page that never becomes quiet is checked as
                                                  well */
    }
    if (!page_check_alive(page, &err)) {
        add_error(step->errors, "page", &err);
    }
    page_set_deadline(page, before);
}

/* Returns the page's first error of a category; NULL: none. */
static const struct br_log *first_error(const struct log_list *logs, const char *category)
{
    for (size_t i = 0; i < logs->count; i++) {
        const struct br_log *log = &logs->items[i];
        if (log->type == BR_LOG_ERROR && log->source == BR_SOURCE_BROWSER && log->category &&
            strcmp(log->category, category) == 0) {
            return log;
        }
    }
    return NULL;
}

static void judge_scripts(struct step *step, const struct log_list *logs,
                          const struct br_response *response)
{
    int count = response->metrics.js_errors;
    const struct br_log *first = first_error(logs, "javascript");
    if (count > 0) {
        add_failure(step, "noJsErrors", BR_EVAL_ERROR, "%d uncaught error%s%s%.*s", count,
                    count == 1 ? "" : "s", first ? ", the first: " : "",
                    first ? (int)strcspn(first->message, "\n") : 0, first ? first->message : "");
    }
}

static const struct br_network_event *first_failed_request(const struct br_response *response)
{
    for (size_t i = 0; i < response->network_event_count; i++) {
        const struct br_network_event *event = &response->network_events[i];
        if (network_event_has_failed(event)) {
            return event;
        }
    }
    return NULL;
}

static void judge_network(struct step *step, const struct log_list *logs,
                          const struct br_response *response)
{
    const struct br_network_event *event = first_failed_request(response);
    /*
     * A request whose body the page does not read has not ended yet, but Chrome has reported its
     * status.
     */
    const struct br_log *log = first_error(logs, "network");
    if (event && event->error) {
        add_failure(step, "noNetworkErrors", BR_NETWORK_ERROR, "%s %s: %s", event->method,
                    event->url, event->error);
    } else if (event) {
        struct br_error err;
        error_set(&err, BR_NETWORK_ERROR, "noNetworkErrors: %s %s was answered with HTTP status %d",
                  event->method, event->url, event->status);
        error_hint(&err, "%s", status_hint(event->status));
        add_error(step->errors, "noNetworkErrors", &err);
    } else if (log) {
        add_failure(step, "noNetworkErrors", BR_NETWORK_ERROR, "%s%s%s", log->message,
                    log->location ? ": " : "", log->location ? log->location : "");
    } else if (response->metrics.network_errors > 0) {
        add_failure(step, "noNetworkErrors", BR_NETWORK_ERROR, "%d requests failed",
                    response->metrics.network_errors);
    }
}

void step_judge(struct step *step, const struct log_list *logs, struct br_response *response)
{
    /* Errors of the page come first: they are why the expected entries are missing. */
    json_auto_t *waited = json_copy(step->errors);
    json_array_clear(step->errors);
    if (!response->success) {
        add_error(step->errors, "action", &response->error);
    }
    if (json_member_bool(step->terms, "noJsErrors", false)) {
        judge_scripts(step, logs, response);
    }
    if (json_member_bool(step->terms, "noNetworkErrors", false)) {
        judge_network(step, logs, response);
    }
    json_array_extend(step->errors, waited);
    const json_t *first = json_array_get(step->errors, 0);
    if (first && response->success) {
        response->success = false;
        error_set(&response->error, error_code_from_name(json_member_string(first, "errorCode")),
                  "%s", json_member_string(first, "error"));
        const char *hint = json_member_string(first, "hint");
        error_hint(&response->error, "%s", hint ? hint : "");
    }
}
