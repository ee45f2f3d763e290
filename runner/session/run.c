#include "runner/session/run.h"

#include "runner/base/catalogue.h"
#include "runner/base/cut.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/session/diagnose.h"
#include "runner/session/log_filter.h"
#include "runner/session/masking.h"
#include "runner/session/recovery.h"
#include "runner/session/retry.h"

#include <stdlib.h>
#include <string.h>

enum {
    GRACE_MS = 800,         /* after the action's time, for what tells how it ended */
    PRE_CAPTURE_MS = 3000,  /* of the action's time, for the picture before it */
    POST_CAPTURE_MS = 1000, /* for the picture after an action that used its time up */
    DOWNLOAD_MS = 1000,     /* for what an action has begun to download */
};

/* What one action's run needs beside the session. */
struct run {
    struct br_session *session;
    const struct action_type *type;
    struct action_run action;
    struct step *step; /* NULL: the action is by itself */
    enum br_screenshots screenshots;
    struct deadline end, grace_end; /* of the action; of what comes behind it */
    int64_t began_ms;
    bool was_lost;    /* the page, during the action */
    bool is_blank;    /* the page is a new one that has not been anywhere */
    char *unleft_url; /* see struct action_run */
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

/* A picture that goes along: when it fails that is logged, and the run goes on. */
static bool capture_along(struct run *run, enum br_log_type severity, const char *which,
                          struct deadline deadline, struct br_capture *ret_capture)
{
    struct br_error err;
    struct page *page = run->session->page;
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline);
    bool is_done = page_capture(page, run->action.picture, ret_capture, &err);
    if (!is_done) {
        log_tool(run->action.logs, severity, "screenshot", "the %s picture could not be taken: %s",
                 which, err.message);
    }
    page_set_deadline(page, before);
    return is_done;
}

/* The picture before the action: the one after the last action, if that has just been. */
static void take_pre(struct run *run, struct deadline deadline)
{
    struct br_capture *pre = &run->action.response->pre;
    if (!page_take_look(run->session->page, run->action.picture, pre)) {
        capture_along(run, BR_LOG_WARNING, "pre", deadline, pre);
    }
}

/*
 * Brings the page back; for an action that goes elsewhere anyway, and is about to be tried, any
 * page will do.
 */
static bool recover(struct run *run, bool is_tried, const struct br_error *why,
                    struct br_error *err)
{
    run->is_blank = is_tried && (run->type->leaves_page || run->unleft_url);
    bool is_back = run->is_blank
                       ? session_replace_page(run->session, why, run->action.logs, run->end, err)
                       : session_recover(run->session, why, run->action.logs, run->end, err);
    run->action.response->recovered |= is_back;
    return is_back;
}

/* The page of before the action, brought back if it is gone. */
static bool ensure_old_page(struct run *run, struct br_error *err)
{
    struct br_session *session = run->session;
    struct br_error why = { 0 };
    if (session->page) {
        page_set_logs(session->page, run->action.logs);
        page_set_deadline(session->page, run->end);
        if (session_check_page(session, run->end, &why)) {
            return true;
        }
        if (session_is_interrupted(session) || page_is_alive(session->page)) {
            *err = why;
            return false;
        }
        session_judge_failure(session, run->began_ms, &why);
    } else {
        error_set(&why, BR_PAGE_CRASHED, "the page was not back yet");
    }
    return recover(run, true, &why, err);
}

/* The page that the action needs: a new one, or the one that is there. */
static bool ensure_page(struct run *run, struct br_error *err)
{
    struct br_session *session = run->session;
    if (run->type->opens_page) {
        session->is_started = true;
        uint64_t before = session->filled_generation;
        page_backup_set_url(&session->backup, param_text(run->action.action, "url", NULL));
        bool is_open = session_open_page(session, run->action.logs, run->end, err);
        bool is_new_browser = before != 0 && before != session->filled_generation;
        run->action.response->recovered |= is_open && (run->was_lost || is_new_browser);
        return is_open;
    }
    if (!session->is_started) {
        error_set(err, BR_INVALID_ACTION, "no page is open");
        return error_hint(err, "begin with a `start` action and its url");
    }
    return ensure_old_page(run, err);
}

/* Input that made its own tab close did what it was to do; another tab is the page then. */
static bool has_closed_tab(struct run *run, const struct br_error *err)
{
    struct page *page = run->session->page;
    struct br_error ignored;
    return err->code == BR_PAGE_CRASHED && page_leave_closed_tab(page, &ignored) &&
           page_has_acted(page);
}

/* What a try has delivered stays told when the next one delivers nothing. */
static void take_delivered(const struct page *page, struct br_response *response)
{
    json_auto_t *delivered = page_delivered(page);
    if (delivered) {
        free(response->delivered);
        response->delivered = json_dumps(delivered, JSON_COMPACT);
    }
}

/* One try. */
static bool try_action(struct run *run, struct deadline deadline, struct br_error *err)
{
    struct br_session *session = run->session;
    struct br_response *response = run->action.response;
    response->http_status = 0;
    free(TAKE(response->result));
    response->error.hint[0] = '\0';
    if (!ensure_page(run, err)) {
        return false;
    }
    run->action.page = session->page;
    page_set_logs(session->page, run->action.logs);
    page_set_deadline(session->page, deadline);
    page_reset_acted(session->page);
    bool wants_pre = (run->step ? run->step->wants_pre : run->screenshots == BR_SCREENSHOTS_BOTH) &&
                     !run->type->opens_page;
    if (wants_pre && !response->pre.bytes) {
        /* A picture that blocks leaves most of the time to the action. */
        int64_t part_ms = deadline_left_ms(deadline) / 3;
        struct deadline end = deadline_in_ms(part_ms < PRE_CAPTURE_MS ? part_ms : PRE_CAPTURE_MS);
        take_pre(run, end);
    }
    page_forget_look(session->page);
    bool is_done = !run->type->run || run->type->run(&run->action, err) || has_closed_tab(run, err);
    take_delivered(session->page, response);
    if (page_has_acted(session->page)) {
        snapshot_store_invalidate(session->snapshots); /* also when it went wrong */
    }
    return is_done;
}

static bool pause_before_retry(struct run *run, const struct retry_policy *policy, bool is_mended,
                               const struct br_error *err)
{
    int attempt = run->action.response->attempts;
    double chance = arc4random_uniform(1001) / 1000.0;
    /* What a recovery has mended needs no time to pass, once. */
    int64_t delay_ms = is_mended && attempt == 1 ? 0 : retry_delay_ms(policy, attempt, chance);
    if (deadline_left_ms(run->end) <= delay_ms + RETRY_LEAST_MS) {
        return false;
    }
    log_tool(run->action.logs, BR_LOG_WARNING, "retry",
             "attempt %d of %d failed: %s: %s; the next one follows in %lld ms", attempt,
             policy->max_retries + 1, br_code_name(err->code), err->message, (long long)delay_ms);
    session_pause(run->session, delay_ms);
    return !session_is_interrupted(run->session);
}

/* Whether the failure means that the page is lost. */
static bool is_page_lost(struct run *run, struct br_error *err)
{
    struct br_session *session = run->session;
    bool is_blocked_capture = run->type->is_capture && err->code == BR_TIMEOUT && session->page;
    bool is_lost = session_judge_failure(session, run->began_ms, err);
    if (is_blocked_capture && !is_lost && deadline_left_ms(run->end) > RETRY_LEAST_MS) {
        session_give_up_page(session); /* all else was tried */
        is_lost = true;
    }
    return is_lost;
}

/*
 * The page is brought back whether or not the action is repeated: the answer shows where it is
 * now. What the action failed with stays its error, unless only the page's return was missing.
 */
static bool mend(struct run *run, bool is_repeated, struct br_error *err)
{
    struct br_error why = *err;
    struct br_error recovery;
    if (run->type->opens_page || deadline_left_ms(run->end) <= RETRY_LEAST_MS) {
        return true;
    }
    if (recover(run, is_repeated, &why, &recovery)) {
        return true;
    }
    log_tool(run->action.logs, BR_LOG_ERROR, "browser", "%s", recovery.message);
    if (is_repeated) {
        *err = recovery;
    }
    return false;
}

/*
 * Whether the try failed since the page did not let itself be left: going on from a new one is the
 * same try still, whatever the instruction says about others.
 */
static bool note_unleft(struct run *run)
{
    const char *url = run->session->page ? page_unleft_url(run->session->page) : NULL;
    if (!url || run->unleft_url) {
        return false;
    }
    run->unleft_url = xstrdup(url);
    run->action.unleft_url = run->unleft_url;
    return true;
}

/* Mends what the failed try left, and decides whether there is another one. */
static bool prepare_retry(struct run *run, const struct retry_policy *policy, struct br_error *err)
{
    struct br_session *session = run->session;
    bool has_acted = session->page && page_has_acted(session->page);
    bool is_lost = is_page_lost(run, err);
    if (session_is_interrupted(session) || session->has_no_browser) {
        return false;
    }
    bool is_left_now = note_unleft(run);
    bool is_allowed = is_left_now || retry_is_allowed(policy, err->code, has_acted,
                                                      run->action.response->attempts);
    run->was_lost |= is_lost;
    if (is_lost && has_acted && !policy->is_listed) {
        error_hint(err,
                   "it may have reached the page before, so it was not repeated; list %s in "
                   "retryOptions.retryOnErrors to have that",
                   br_code_name(err->code));
    }
    if (is_lost && !mend(run, is_allowed, err)) {
        return false;
    }
    if (is_left_now) {
        log_tool(run->action.logs, BR_LOG_WARNING, "navigation",
                 "a new page goes to %s; the history of the tab is lost", run->unleft_url);
        return true;
    }
    return is_allowed && pause_before_retry(run, policy, is_lost, err);
}

static void run_tries(struct run *run)
{
    struct br_response *response = run->action.response;
    struct retry_policy policy = retry_policy_of(run->action.action);
    struct br_error err = { 0 };
    for (int attempt = 1;; attempt++) {
        response->attempts = attempt;
        run->action.patience_ms = retry_patience_ms(&policy, attempt, run->end);
        response->success = try_action(run, retry_deadline(&policy, attempt, run->end), &err);
        if (response->success || !prepare_retry(run, &policy, &err)) {
            break;
        }
    }
    if (!response->success) {
        response->error = err;
    }
    struct page *page = run->session->page;
    if (run->is_blank && page && page_has_been_nowhere(page)) {
        session_close_page(run->session); /* the next action brings back what was there before */
    }
}

/* Whether the page can show and tell what it is like now. */
static bool can_look(const struct run *run)
{
    struct br_session *session = run->session;
    return session->page && page_is_alive(session->page) && !session->silent_since_ms &&
           !session_is_interrupted(session);
}

static void look_at_page(struct run *run)
{
    struct br_session *session = run->session;
    struct br_response *response = run->action.response;
    bool wants_post =
        run->screenshots == BR_SCREENSHOTS_BOTH || run->screenshots == BR_SCREENSHOTS_POST;
    if (can_look(run)) {
        page_wait_downloads(session->page, deadline_earlier(run->end, deadline_in_ms(DOWNLOAD_MS)));
    }
    if (wants_post && !run->type->is_capture && can_look(run)) {
        struct deadline least = deadline_in_ms(POST_CAPTURE_MS);
        struct deadline end = run->end.at_us > least.at_us ? run->end : least;
        if (capture_along(run, BR_LOG_ERROR, "post", deadline_earlier(end, run->grace_end),
                          &response->post)) {
            page_keep_look(session->page, run->action.picture, &response->post);
        }
    }
    if (can_look(run)) {
        page_describe(session->page, run->grace_end, response);
        page_backup_take(session->page, &session->backup);
    } else if (session->page && page_url(session->page)) {
        response->url = cut_text(page_url(session->page), CUT_URL);
    }
    if (session->page) {
        page_set_logs(session->page, NULL);
    }
}

/* What the page was like in the end. */
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

/* What is asked of a step beside its action is looked at before and after the page is described. */
static void run_and_look(struct run *run)
{
    run_tries(run);
    if (run->step && run->action.response->success) {
        step_wait(run->step, run->session->page, run->action.logs);
    }
    look_at_page(run);
    if (run->step) {
        step_judge(run->step, run->action.logs, run->action.response);
    }
}

static void run_on_page(struct br_session *session, const struct action_type *type,
                        const struct br_action *action, struct step *step,
                        struct br_response *response, struct log_list *logs)
{
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
                    .picture = &picture },
        .step = step,
        .screenshots = step ? BR_SCREENSHOTS_NONE : screenshots_of(session, action),
        .end = deadline_in_ms(timeout_ms),
        .grace_end = deadline_in_ms(timeout_ms + GRACE_MS),
        .began_ms = clock_monotonic_ms(),
    };
    if (type->opens_page) {
        limits_read(&session->limits, action);
    }
    if (type->closes_browser) {
        look_before_closing(&run);
        session_close_browser(session, run.end);
        response->success = true;
        return;
    }
    if (type->runs_steps) {
        run_steps(&run);
    } else {
        run_and_look(&run);
    }
    free(run.unleft_url);
}

/* Hands the gathered logs over, as far as the filter (NULL: none) lets them through. */
static void take_logs(struct br_response *response, struct log_list *logs, const json_t *filter)
{
    if (logs->dropped) {
        if (logs->count == LOG_MAX_ENTRIES) {
            log_finish(&logs->items[--logs->count]); /* for the one that says so */
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

/* After too many failures nothing more is done with the browser. */
static void obey_limits(struct br_session *session, struct log_list *logs)
{
    struct br_error reached;
    if (limits_reached(&session->limits, &reached)) {
        log_tool(logs, BR_LOG_ERROR, "session", "%s; %s", reached.message, reached.hint);
        audit_step(session->audit, "limit reached", reached.message, session->generation);
        session_close_browser(session, deadline_in_ms(GRACE_MS));
    }
}

static void run_in_limits(struct br_session *session, const struct br_action *action,
                          struct step *step, struct br_response *response, struct log_list *logs)
{
    const struct action_type *type = action_type_find(action->type);
    int failed_before = session->limits.total;
    if (limits_reached(&session->limits, &response->error)) {
        return;
    }
    if (!type) {
        error_set(&response->error, BR_INVALID_ACTION, "unknown action type \"%s\"", action->type);
    } else if (session_is_interrupted(session)) {
        error_set(&response->error, BR_UNKNOWN_ERROR, "interrupted");
    } else {
        run_on_page(session, type, action, step, response, logs);
    }
    /* Steps were counted each. */
    bool is_counted =
        type && type->runs_steps && (response->success || session->limits.total > failed_before);
    if (!is_counted) {
        limits_count(&session->limits, response->success);
        obey_limits(session, logs);
    }
}

static void add_hints(struct br_response *response, struct log_list *logs)
{
    if (!response->success) {
        catalogue_explain(&response->error, response->url);
    }
    if (*response->error.hint && !catalogue_is_told(logs, response->error.hint)) {
        log_tool(logs, BR_LOG_INFO, "hint", "%s", response->error.hint);
    }
    catalogue_hint_logs(logs);
}

/* The session's debug files; made when the first action asks for them. */
static struct debug *debug_of(struct br_session *session, const struct br_action *action,
                              struct log_list *logs)
{
    struct br_error err;
    if (!session->options.debug && !param_boolean(action, "debug", false)) {
        return NULL;
    }
    if (!session->debug) {
        session->debug = debug_open(&session->options, &err);
    }
    if (!session->debug) {
        log_tool(logs, BR_LOG_WARNING, "screenshot", "%s", err.message);
    }
    return session->debug;
}

static void record(struct br_session *session, const struct br_action *action,
                   struct log_list *logs, struct br_response *response)
{
    struct br_error err;
    struct debug *debug = debug_of(session, action, logs);
    const struct action_type *type = action_type_find(action->type);
    const struct page *page = session->page;
    const struct page_trace *trace = page ? page_trace(page) : NULL;
    struct debug_scene scene = {
        .action = action,
        .logs = logs,
        .secrets = session->secrets,
        .trace = trace,
        .is_new_document = !page || page_mark(page).documents != trace->documents,
        .is_viewport = type && !type->is_capture,
        .quality = (int)param_integer(action, "quality", session->options.quality),
    };
    if (debug && !debug_record(debug, &scene, response, &err)) {
        log_tool(logs, BR_LOG_WARNING, "screenshot", "%s", err.message);
    }
}

/* What every response has, and the audit line of it. */
static void complete(struct br_session *session, const struct br_action *action,
                     const json_t *filter, uint64_t generation, struct log_list *logs,
                     struct br_response *response)
{
    struct br_error err;
    const struct action_type *type = action_type_find(action->type);
    add_hints(response, logs);
    response->metrics.session_duration_ms = (double)(clock_monotonic_ms() - session->opened_at_ms);
    response->metrics.total_errors = session->limits.total;
    response->metrics.consecutive_errors = session->limits.consecutive;
    masking_logs(session->secrets, logs);
    masking_response(session->secrets, response, !type || !type->answers_raw);
    audit_action(session->audit, action, response, session->secrets, generation);
    if (audit_take_error(session->audit, &err)) {
        log_tool(logs, BR_LOG_WARNING, "session", "%s", err.message);
    }
    record(session, action, logs, response);
    take_logs(response, logs, filter);
    secrets_age(session->secrets);
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
    struct br_response *response = begin_response(session, id, action);
    struct log_list logs = session->idle_logs;
    session->idle_logs = (struct log_list){ 0 };
    response->label = xstrdup(param_text(action, "label", NULL));
    run_in_limits(session, action, step, response, &logs);
    response->duration_ms = clock_monotonic_ms() - began_ms;
    const json_t *filter = json_object_get(action->params, "logFilter");
    complete(session, action, filter ? filter : session->log_filter,
             session->generation ? session->generation : generation, &logs, response);
    if (!step && !response->post.bytes && response->tile_count == 0) {
        capture_finish(&response->pre); /* clients know it only beside one of after */
    }
    return response;
}

struct br_response *session_run(struct br_session *session, const struct br_action *action)
{
    return run_numbered(session, ++session->last_id, action, NULL);
}

struct br_response *session_run_step(struct br_session *session, const struct br_action *action,
                                     struct step *step)
{
    return run_numbered(session, session->last_id, action, step);
}

struct br_response *session_refuse(struct br_session *session, const struct br_action *action,
                                   const struct br_error *why)
{
    struct br_response *response = begin_response(session, ++session->last_id, action);
    struct log_list logs = { 0 };
    response->error = *why;
    response->label = xstrdup(param_text(action, "label", NULL));
    /* What the action says about its logs may be what is wrong with it. */
    complete(session, action, NULL, session->generation, &logs, response);
    return response;
}
