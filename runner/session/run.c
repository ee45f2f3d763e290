#include "runner/session/run.h"

#include "runner/actions/common.h"
#include "runner/base/cut.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/network_event.h"
#include "runner/base/response.h"
#include "runner/base/waits.h"
#include "runner/hints/catalogue.h"
#include "runner/hints/wording.h"
#include "runner/observe/log_hints.h"
#include "runner/observe/stream.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/mouse.h"
#include "runner/page/page.h"
#include "runner/page/picture/look.h"
#include "runner/page/picture/request.h"
#include "runner/page/world/backup.h"
#include "runner/page/world/describe.h"
#include "runner/page/world/downloads.h"
#include "runner/privacy/masking.h"
#include "runner/session/diagnose.h"
#include "runner/session/events.h"
#include "runner/session/recovery.h"
#include "runner/session/tries.h"

#include <browser_runner/response.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static bool contains(const json_t *array, const char *text)
{
    size_t index;
    json_t *item;
    json_array_foreach (array, index, item) {
        if (text && strcmp(json_string_value(item), text) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_kept(const json_t *filter, const struct br_log *log)
{
    const json_t *types = json_object_get(filter, "types");
    const json_t *categories = json_object_get(filter, "categories");
    return (!types || contains(types, log_type_name(log->type))) &&
           (!categories || contains(categories, log->category)) &&
           log->type >= json_member_number(filter, "minLevel", 0);
}

/*
 * Removes entries whose type is not in `types`, whose level is below `minLevel`, or whose category
 * is not in `categories`. `filter` is a validated object; NULL: removes nothing.
 */
static void log_filter_apply(const json_t *filter, struct log_list *logs)
{
    size_t kept = 0;
    for (size_t i = 0; filter && i < logs->count; i++) {
        if (is_kept(filter, &logs->items[i])) {
            logs->items[kept++] = logs->items[i];
        } else {
            log_finish(&logs->items[i]);
        }
    }
    logs->count = filter ? kept : logs->count;
}

enum {
    GRACE_MS = 800,         /* after the action's time, to describe the result */
    POST_CAPTURE_MS = 1000, /* for the picture after an action that used up its time */
    DOWNLOAD_MS = 1000,     /* for downloads that the action started */
};

static enum br_screenshots screenshots_of(const struct br_session *session,
                                          const struct br_action *action)
{
    static const char *const names[] = {
        [BR_SCREENSHOTS_BOTH] = "both",
        [BR_SCREENSHOTS_POST] = "post",
        [BR_SCREENSHOTS_NONE] = "none",
        NULL,
    };
    if (session->options.screenshots == BR_SCREENSHOTS_EXPLICIT) {
        return BR_SCREENSHOTS_EXPLICIT;
    }
    return (enum br_screenshots)param_choice(action, "screenshots", names,
                                             (int)session->options.screenshots);
}

/* Returns whether the page can take a picture and describe itself now. */
static bool can_look(const struct run *run)
{
    struct br_session *session = run->session;
    return session->page && page_is_alive(session->page) && !session->silent_since_ms &&
           !session_is_called_off(session);
}

/* Remembers the page's current cookies and storage. */
static void keep_belongings(struct br_session *session)
{
    const char *origin;
    const char *storage;
    bool is_new = page_take_storage(session->page, &origin, &storage);
    context_keep(session->context, session->life, page_take_cookies(session->page),
                 is_new ? origin : NULL, storage);
}

/* Logs refused requests that no request of the page explains; most are Chrome's own. */
static void log_refusals(struct run *run)
{
    struct br_error why;
    while (run->session->context && context_take_refusal(run->session->context, &why)) {
        log_tool(run->action.logs, BR_LOG_DEBUG, "network", "%s; %s", why.message, why.hint);
    }
}

static void look_at_page(struct run *run)
{
    struct br_session *session = run->session;
    struct br_response *response = run->action.response;
    bool wants_post =
        run->screenshots == BR_SCREENSHOTS_BOTH || run->screenshots == BR_SCREENSHOTS_POST;
    if (can_look(run) &&
        downloads_wait(session->page, deadline_earlier(run->end, deadline_in_ms(DOWNLOAD_MS)))) {
        page_forget_description(session->page);
    }
    if (wants_post && !run->type->is_capture && can_look(run)) {
        page_forget_description(session->page); /* the picture shows a later state */
        struct deadline least = deadline_in_ms(POST_CAPTURE_MS);
        struct deadline end = run->end.at_us > least.at_us ? run->end : least;
        if (run_capture_along(run, true, deadline_earlier(end, run->grace_end), &response->post)) {
            page_keep_look(session->page, run->action.picture, &response->post);
        }
    }
    bool is_described = !(run->action.action->is_part && response->success);
    if (is_described && can_look(run)) {
        page_describe(session->page, run->grace_end, response);
        page_backup_take(session->page, &session->backup);
        keep_belongings(session);
        log_refusals(run);
    } else if (session->page && page_url(session->page)) {
        response->url = cut_text(page_url(session->page), CUT_URL);
    }
    if (session->page) {
        page_set_logs(session->page, NULL);
    }
}

/* Takes the page's final state, while it is still open. */
static void look_before_closing(struct run *run)
{
    struct page *page = run->session->page;
    if (!can_look(run)) {
        return;
    }
    page_set_logs(page, run->action.logs);
    page_catch_up(page);
    page_describe(page, run->end, run->action.response);
    page_set_logs(page, NULL);
}

static void run_steps(struct run *run)
{
    struct br_session *session = run->session;
    struct diagnose diagnose = {
        .session = session,
        .action = run->action.action,
        .run_step = session_run_step,
        .logs = run->action.logs,
        .end = run->end,
        .wants_pre = run->screenshots == BR_SCREENSHOTS_BOTH,
    };
    diagnose_run(&diagnose, run->action.response);
    if (session->page) {
        page_set_logs(session->page, run->action.logs);
    }
    look_at_page(run);
    diagnose_finish(&diagnose, run->action.response);
}

/* A step's expectations are checked both before and after the page is described. */
static void run_and_look(struct run *run)
{
    run_tries(run);
    if (run->step && run->action.response->success) {
        page_forget_description(run->session->page);
        step_wait(run->step, run->session->page, run->action.logs);
    }
    look_at_page(run);
    if (run->step) {
        step_judge(run->step, run->action.logs, run->action.response);
    }
}

/*
 * Runs an action that only reads what was recorded; works without a page and while the page hangs.
 */
static void run_reading(struct run *run)
{
    struct br_session *session = run->session;
    struct br_response *response = run->action.response;
    if (can_look(run)) {
        run->action.page = session->page;
        page_set_logs(session->page, run->action.logs);
        page_set_deadline(session->page, run->end);
        page_catch_up(session->page);
    }
    stream_flush(session->stream);
    response->success = run->type->run(&run->action, &response->error);
    if (session->page) {
        response->url = cut_text(page_url(session->page), CUT_URL);
        page_set_logs(session->page, NULL);
    }
}

static void keep_default(json_t **value, const struct br_action *action, const char *name)
{
    json_t *given = json_object_get(action->params, name);
    if (given) {
        json_decref(*value);
        *value = json_incref(given);
    }
}

/* Keeps the parameters of `start` as defaults for later actions without them. */
static void keep_defaults(struct br_session *session, const struct br_action *action)
{
    struct br_session_options *options = &session->options;
    options->timeout_ms = (int)param_integer(action, "timeout", options->timeout_ms);
    options->screenshots = screenshots_of(session, action);
    options->quality = (int)param_integer(action, "quality", options->quality);
    keep_default(&session->retry_options, action, "retryOptions");
    keep_default(&session->log_filter, action, "logFilter");
}

static void run_on_page(struct br_session *session, const struct action_type *type,
                        const struct br_action *action, struct step *step,
                        struct br_response *response, struct log_list *logs)
{
    if (type->opens_page) {
        limits_read(&session->limits, action);
        keep_defaults(session, action);
    }
    struct page_capture picture = {
        .quality = session->options.quality,
        .limits = session->options.limits,
    };
    int64_t timeout_ms = type->runs_steps ? diagnose_timeout_ms(action)
                                          : action_timeout_ms(action, session->options.timeout_ms);
    if (step && deadline_left_ms(step->end) < timeout_ms) {
        timeout_ms = deadline_left_ms(step->end);
    }
    struct run run = {
        .session = session,
        .type = type,
        .action = { .action = action,
                    .response = response,
                    .logs = logs,
                    .snapshots = session->snapshots,
                    .journal = session->journal,
                    .policy = session->policy,
                    .picture = &picture },
        .step = step,
        .screenshots = step ? BR_SCREENSHOTS_NONE : screenshots_of(session, action),
        .end = session_deadline(session, timeout_ms),
        .grace_end = session_deadline(session, timeout_ms + GRACE_MS),
        .began_ms = clock_monotonic_ms(),
    };
    if (type->closes_browser) {
        look_before_closing(&run);
        /* A cancel must not prevent the browser from writing its profile. */
        session_leave_browser(session, (struct deadline){ .at_us = run.end.at_us });
        response->success = true;
        return;
    }
    if (type->reads_journal) {
        run_reading(&run);
    } else if (type->runs_steps) {
        run_steps(&run);
    } else {
        run_and_look(&run);
    }
    free(run.unleft_url);
}

/* Moves the gathered log entries that pass the filter (NULL: all) to the response. */
static void take_logs(struct br_response *response, struct log_list *logs, const json_t *filter)
{
    if (logs->dropped) {
        if (logs->count == LOG_MAX_ENTRIES) {
            log_finish(&logs->items[--logs->count]); /* makes room for the entry that reports the
                                                        dropped ones */
            logs->dropped++;
        }
        log_tool(logs, BR_LOG_WARNING, "browser",
                 "%zu more entries were dropped: the page logs too much", logs->dropped);
    }
    log_list_fold(logs);
    log_filter_apply(filter, logs);
    response->logs = TAKE(logs->items);
    response->log_count = logs->count;
}

/* Closes the page once a failure limit is reached. */
static void enforce_limits(struct br_session *session, struct log_list *logs)
{
    struct br_error reached;
    if (limits_reached(&session->limits, &reached)) {
        log_tool(logs, BR_LOG_ERROR, "session", "%s; %s", reached.message, reached.hint);
        audit_step(session->audit, "limit reached", reached.message, session->generation);
        session_leave_browser(session, deadline_in_ms(SESSION_CLOSE_MS));
    }
}

/*
 * An action's own `debug` parameter may create debug files only where the policy allows files,
 * unless the session already has them.
 */
static bool may_debug(const struct br_session *session, struct br_error *err)
{
    return session->debug || policy_check_file(session->policy, BR_DEBUG_DIR, err);
}

static bool is_permitted(const struct br_session *session, const struct br_action *action,
                         struct br_error *err)
{
    return action_check_policy(action, session->policy, err) &&
           (!param_boolean(action, "debug", false) || may_debug(session, err));
}

/*
 * Decides the response. If a caller was told that the action is cancelled, the response is
 * CANCELLED, even if the action had just completed.
 */
static void conclude(struct br_session *session, const struct step *step,
                     struct br_response *response)
{
    bool is_cancelled = !step && session_conclude_run(session);
    if (!response->success && !is_cancelled) {
        session_explain_end(session, &response->error);
    }
    if (!is_cancelled) {
        return;
    }
    error_set(&response->error, BR_CANCELLED, "the action was cancelled");
    if (response->success) {
        error_hint(&response->error, "it was already complete: its effects on the page remain");
    }
    response->success = false;
}

static void run_in_limits(struct br_session *session, const struct br_action *action,
                          struct step *step, struct br_response *response, struct log_list *logs)
{
    const struct action_type *type = action->kind;
    int failed_before = session->limits.total;
    bool is_accepted = type && (type->opens_page || type->closes_browser);
    struct br_error reached;
    bool is_over = limits_reached(&session->limits, &reached);
    if (is_over && !is_accepted) {
        response->error = reached;
        conclude(session, step, response);
        return;
    }
    if (!type) {
        error_set(&response->error, BR_INVALID_ACTION,
                  action_type_find(action->type) ? "%s: was not validated by br_action_validate()"
                                                 : "unknown action type \"%s\"",
                  action->type);
    } else if (!session_explain_end(session, &response->error) &&
               is_permitted(session, action, &response->error)) {
        run_on_page(session, type, action, step, response, logs);
    }
    /* The steps were counted one by one. */
    bool is_counted =
        type && type->runs_steps && (response->success || session->limits.total > failed_before);
    conclude(session, step, response);
    if (is_over && !response->success && limits_reached(&session->limits, &reached)) {
        session_leave_browser(session, deadline_in_ms(SESSION_CLOSE_MS));
    }
    if (type && type->opens_page && response->success) {
        limits_reset(&session->limits);
    } else if (!is_over && !is_counted && response->error.code != BR_CANCELLED) {
        limits_count(&session->limits, response->success);
        enforce_limits(session, logs);
    }
}

static enum br_wording wording_of(const struct br_session *session)
{
    return browser_options(session->browser)->wording;
}

/* Adds the hint, in the words of the front end. */
static void explain(const struct br_session *session, struct br_response *response)
{
    if (!response->success) {
        catalogue_explain(&response->error, response->url);
    }
    wording_error(wording_of(session), &response->error);
    for (size_t i = 0; i < response->network_event_count; i++) {
        wording_text(wording_of(session), &response->network_events[i].error);
    }
}

static void add_hints(const struct br_session *session, const struct br_response *response,
                      struct log_list *logs)
{
    log_hints_add(logs, response->error.hint);
    for (size_t i = 0; i < logs->count; i++) {
        wording_log(wording_of(session), &logs->items[i]);
    }
}

static bool wants_debug(const struct br_session *session, const struct br_action *action)
{
    return session->options.debug || param_boolean(action, "debug", false);
}

/* Returns the session's debug files; creates them for the first action that needs them. */
static struct debug *debug_of(struct br_session *session, const struct br_action *action,
                              struct log_list *logs)
{
    struct br_error err;
    if (!wants_debug(session, action)) {
        return NULL;
    }
    if (!session->debug && may_debug(session, &err)) {
        session->debug = debug_open(&session->options, browser_options(session->browser), &err);
    }
    if (!session->debug) {
        wording_error(wording_of(session), &err);
        log_tool(logs, BR_LOG_WARNING, "screenshot", "%s", err.message);
    }
    return session->debug;
}

static void record(struct br_session *session, const struct br_action *action,
                   struct log_list *logs, struct br_response *response)
{
    struct br_error err;
    struct debug *debug = debug_of(session, action, logs);
    const struct action_type *type = action->kind;
    const struct page *page = session->page;
    const struct page_trace *trace = page ? page_trace(page) : NULL;
    struct debug_scene scene = {
        .action = action,
        .logs = logs,
        .secrets = session->secrets,
        .trace = trace,
        .is_new_document = !page || page_mark(page).documents != trace->documents,
        .is_viewport = type && !type->is_capture,
    };
    if (debug && !debug_record(debug, &scene, response, &err)) {
        wording_error(wording_of(session), &err);
        log_tool(logs, BR_LOG_WARNING, "screenshot", "%s", err.message);
    }
}

/* The action that runs the steps counts them. */
static void count_totals(struct br_session *session, bool is_step, struct br_response *response)
{
    struct br_metrics *metrics = &response->metrics;
    struct totals *totals = &session->totals;
    if (!is_step) {
        totals->actions++;
        totals->js_errors += metrics->js_errors;
        totals->network_errors += metrics->network_errors;
        totals->failures[response->error.code] += !response->success;
    }
    metrics->total_errors = session->limits.total;
    metrics->consecutive_errors = session->limits.consecutive;
    metrics->total_actions = totals->actions;
    metrics->total_js_errors = totals->js_errors;
    metrics->total_network_errors = totals->network_errors;
    memcpy(metrics->failures, totals->failures, sizeof(totals->failures));
}

/* Fills in the fields that every response has, and writes the audit line. */
static void complete(struct br_session *session, const struct br_action *action,
                     const json_t *filter, uint64_t generation, struct log_list *logs,
                     struct br_response *response)
{
    struct br_error err;
    const struct action_type *type = action->kind;
    explain(session, response);
    events_end_action(session, response);
    log_list_sort(logs);
    logs->stream = NULL; /* later entries are added to the response only: their events already
                            have hints */
    add_hints(session, response, logs);
    response->metrics.session_duration_ms = (double)(clock_monotonic_ms() - session->opened_at_ms);
    masking_logs(session->secrets, logs); /* a text may have become secret after its event was
                                             recorded */
    masking_response(session->secrets, response, !type || !type->answers_raw);
    response_write_values(response);
    audit_action(session->audit, action, response, session->secrets, generation);
    if (audit_take_error(session->audit, &err)) {
        log_tool(logs, BR_LOG_WARNING, "session", "%s", err.message);
    }
    record(session, action, logs, response);
    take_logs(response, logs, filter);
    secrets_age(session->secrets);
}

/* The filter of a `start` applies to all later actions. */
static enum br_network_filter network_filter_of(struct br_session *session,
                                                const struct br_action *action)
{
    const struct action_type *type = action->kind;
    enum br_network_filter filter = (enum br_network_filter)param_choice(
        action, "networkFilter", network_filter_names, (int)session->network_filter);
    if (type && type->opens_page) {
        session->network_filter = filter;
    }
    return filter;
}

static struct br_response *begin_response(struct br_session *session, uint64_t id,
                                          const struct br_action *action)
{
    if (session->page) {
        page_reset_acted(session->page);
    }
    return response_create(id, action->type);
}

static struct br_response *run_numbered(struct br_session *session, uint64_t id,
                                        const struct br_action *action, struct step *step)
{
    int64_t began_ms = clock_monotonic_ms();
    uint64_t generation = session->generation;
    waits_restart(session->waits);
    struct br_response *response = begin_response(session, id, action);
    struct log_list logs = session->idle_logs;
    session->idle_logs = (struct log_list){ 0 };
    struct log_list *before = events_collect(session, &logs);
    events_begin_action(session, id, action);
    response->label = xstrdup(param_text(action, "label", NULL));
    response->session_id = xstrdup(session->options.session_id);
    run_in_limits(session, action, step, response, &logs);
    response->duration_ms = clock_monotonic_ms() - began_ms;
    response->network_filter = network_filter_of(session, action);
    response->values->shows_timings = param_boolean(action, "timings", false);
    if (response->values->shows_timings || wants_debug(session, action)) {
        response->values->timings = waits_json(session->waits);
    }
    count_totals(session, step, response);
    const json_t *filter = json_object_get(action->params, "logFilter");
    complete(session, action, filter ? filter : session->log_filter,
             session->generation ? session->generation : generation, &logs, response);
    events_collect(session, before);
    stream_set_action(session->stream, step ? id : 0);
    if (!step && !response->post.bytes && response->tile_count == 0) {
        capture_finish(&response->pre); /* clients expect it only together with a picture after
                                           the action */
    }
    return response;
}

struct br_response *session_run(struct br_session *session, const struct br_action *action)
{
    uint64_t id = session_next_id(session);
    session_begin_run(session, id);
    struct br_response *response = run_numbered(session, id, action, NULL);
    session_end_run(session);
    return response;
}

struct br_response *session_run_step(struct br_session *session, const struct br_action *action,
                                     struct step *step)
{
    return run_numbered(session, session->last_id, action, step);
}

struct br_response *session_refuse(struct br_session *session, const struct br_action *action,
                                   const struct br_error *why)
{
    uint64_t id = session_next_id(session);
    struct br_response *response = begin_response(session, id, action);
    struct log_list logs = { 0 };
    events_begin_action(session, id, action);
    response->error = *why;
    response->session_id = xstrdup(session->options.session_id);
    response->label = xstrdup(param_text(action, "label", NULL));
    count_totals(session, false, response);
    /* The action's logFilter may itself be the invalid parameter, so it is not applied. */
    complete(session, action, NULL, session->generation, &logs, response);
    stream_set_action(session->stream, 0);
    return response;
}

bool session_cancel_ahead(struct br_session *session, uint64_t id)
{
    pthread_mutex_lock(&session->mutex);
    bool is_cancelled = session_cancel_running(session, id ? &id : NULL);
    if (!is_cancelled && (id == 0 || id > session->last_id)) {
        session->cancelled_id = id ? id : session->last_id + 1;
        is_cancelled = id != 0;
    }
    pthread_mutex_unlock(&session->mutex);
    return is_cancelled;
}

void session_forget_cancel(struct br_session *session)
{
    pthread_mutex_lock(&session->mutex);
    session->cancelled_id = 0;
    pthread_mutex_unlock(&session->mutex);
}
