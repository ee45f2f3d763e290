#include "runner/session/tries.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/observe/stream.h"
#include "runner/page/activate.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/leave.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/press.h"
#include "runner/page/page.h"
#include "runner/page/picture/look.h"
#include "runner/page/picture/request.h"
#include "runner/page/picture/undrawn.h"
#include "runner/page/world/backup.h"
#include "runner/session/events.h"
#include "runner/session/recovery.h"
#include "runner/session/retry.h"

#include <stdlib.h>
#include <string.h>

enum {
    PRE_CAPTURE_MS = 3000, /* of the action's time, for the picture before it */
    PAINT_MS = 750,        /* for a page that has not painted yet, for both pictures */
};

bool run_capture_along(struct run *run, bool is_post, struct deadline deadline,
                       struct br_capture *ret_capture)
{
    struct br_error err;
    struct page *page = run->session->page;
    struct deadline before = page_deadline(page);
    struct page_capture picture = *run->action.picture;
    picture.describes = is_post;
    page_set_deadline(page, deadline);
    bool is_done = page_await_paint(page, deadline_in_ms(PAINT_MS), &err) &&
                   page_capture(page, &picture, ret_capture, &err);
    if (!is_done) {
        log_tool(run->action.logs, is_post ? BR_LOG_ERROR : BR_LOG_WARNING, "screenshot",
                 "the %s picture could not be taken: %s", is_post ? "post" : "pre", err.message);
    }
    page_set_deadline(page, before);
    return is_done;
}

/* Takes the picture before the action; reuses the one after the previous action if it is recent. */
static void take_pre(struct run *run, struct deadline deadline)
{
    struct br_capture *pre = &run->action.response->pre;
    if (!page_take_look(run->session->page, run->action.picture, pre)) {
        run_capture_along(run, false, deadline, pre);
    }
}

/* Restores the page. Before the try of an action that navigates elsewhere, any page will do. */
static bool recover(struct run *run, bool is_tried, const struct br_error *why,
                    struct br_error *err)
{
    events_tell_page(run->session, why->message);
    events_tell_progress(run->session, BR_PROGRESS_RECOVERING, why->message);
    run->is_blank = is_tried && (run->type->leaves_page || run->unleft_url);
    bool is_back = run->is_blank
                       ? session_replace_page(run->session, why, run->action.logs, run->end, err)
                       : session_recover(run->session, why, run->action.logs, run->end, err);
    run->action.response->recovered |= is_back;
    if (is_back) {
        events_tell_page(run->session, NULL);
    }
    return is_back;
}

/* Ensures the page from before the action; restores it if it is lost. */
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
        if (session_is_called_off(session) || page_is_alive(session->page)) {
            *err = why;
            return false;
        }
        session_judge_failure(session, run->began_ms, &why);
    } else {
        error_set(&why, BR_PAGE_CRASHED, "the page was not restored yet");
    }
    return recover(run, true, &why, err);
}

/*
 * Returns the tab to adopt in a browser that was not launched here: for the first page, or in place
 * of one that a person has closed. NULL: neither.
 */
static const char *tab_to_open(const struct run *run)
{
    const struct br_session *session = run->session;
    bool may_adopt = run->type->may_adopt && browser_options(session->browser)->connect;
    const char *tab = may_adopt ? param_text(run->action.action, "tab", NULL) : NULL;
    if (session->is_started && !session->is_detached &&
        !(session->page && page_has_lost_adopted(session->page))) {
        return NULL;
    }
    return tab ? tab : session->is_started ? NULL : session->options.tab;
}

/* Ensures the page that the action needs: a new one, or the current one. */
static bool ensure_page(struct run *run, struct br_error *err)
{
    struct br_session *session = run->session;
    if (run->type->opens_page) {
        session->is_started = true;
        uint64_t before = session->filled_generation;
        size_t log_count = run->action.logs->count;
        page_backup_set_url(&session->backup, param_text(run->action.action, "url", NULL));
        bool is_open =
            session_open_page(session, session->options.tab, run->action.logs, run->end, err);
        if (is_open) {
            page_forget_history(session->page, log_count); /* it opens another document */
        }
        bool is_new_browser = before != 0 && before != session->filled_generation;
        run->action.response->recovered |= is_open && (run->was_lost || is_new_browser);
        return is_open;
    }
    const char *tab = tab_to_open(run);
    if (tab) {
        session->is_started |= session_open_page(session, tab, run->action.logs, run->end, err);
        return session->page;
    }
    if (!session->is_started) {
        error_set(err, BR_INVALID_ACTION, "no page is open");
        return error_hint(err, "begin with a `start` action and its url");
    }
    return session->is_detached ? session_attach(session, run->action.logs, run->end, err)
                                : ensure_old_page(run, err);
}

/* Input that made its own tab close has succeeded; another tab is the page then. */
static bool has_closed_tab(struct run *run, const struct br_error *err)
{
    struct page *page = run->session->page;
    struct br_error ignored;
    return err->code == BR_PAGE_CRASHED && page_leave_closed_tab(page, &ignored) &&
           page_has_acted(page);
}

/* Keeps what an earlier try delivered when this one delivered nothing. */
static void take_delivered(const struct page *page, struct br_response *response)
{
    json_t *delivered = page_delivered(page);
    if (delivered) {
        response_set_delivered(response, delivered);
    }
}

/* Tabs may be listed before there is a page, to choose the first one. */
static bool lists_first(const struct run *run)
{
    const struct br_session *session = run->session;
    return run->type->may_adopt && !session->is_started && !session->options.tab &&
           browser_options(session->browser)->connect &&
           strcmp(param_text(run->action.action, "op", ""), "list") == 0;
}

/* Runs the action's type on the page. */
static bool act(struct run *run, struct deadline deadline, struct br_error *err)
{
    struct br_session *session = run->session;
    struct br_response *response = run->action.response;
    run->action.page = session->page;
    page_set_logs(session->page, run->action.logs);
    page_set_deadline(session->page, deadline);
    page_reset_acted(session->page);
    bool wants_pre = (run->step ? run->step->wants_pre : run->screenshots == BR_SCREENSHOTS_BOTH) &&
                     !run->type->opens_page;
    if (wants_pre && !response->pre.bytes) {
        /* A picture that blocks must leave most of the time for the action. */
        int64_t part_ms = deadline_left_ms(deadline) / 3;
        struct deadline end = deadline_in_ms(part_ms < PRE_CAPTURE_MS ? part_ms : PRE_CAPTURE_MS);
        take_pre(run, end);
    }
    page_forget_look(session->page);
    struct page_mark before = page_mark(session->page);
    bool is_done = !run->type->run || run->type->run(&run->action, err) ||
                   (!wire_is_untouched(session->page) && has_closed_tab(run, err));
    take_delivered(session->page, response);
    if ((!is_done && err->code == BR_CANCELLED) || session_is_called_off(session)) {
        page_stop_since(session->page, before);
    }
    page_end_action(session->page);
    return is_done;
}

static bool try_action(struct run *run, struct deadline deadline, struct br_error *err)
{
    struct br_response *response = run->action.response;
    bool is_done = false;
    bool is_untouched = false;
    response->http_status = 0;
    response->error.hint[0] = '\0';
    if (lists_first(run)) {
        json_t *tabs = session_list_tabs(run->session, run->action.logs, deadline, err);
        response_set_result(response, tabs);
        return tabs;
    }
    /* A page that had ended before the action began is restored, and the action begins again. */
    do {
        response_set_result(response, NULL);
        if (!ensure_page(run, err)) {
            return false;
        }
        is_done = act(run, deadline, err);
        if (is_done) {
            wire_await_fence(run->session->page); /* the action may not have waited for anything */
        }
        is_untouched = wire_is_untouched(run->session->page);
        if (is_untouched) {
            page_forget_acts(run->session->page);
        }
    } while (is_untouched);
    return is_done;
}

static bool pause_before_retry(struct run *run, const struct retry_policy *policy, bool is_mended,
                               const struct br_error *err)
{
    int attempt = run->action.response->attempts;
    double chance = arc4random_uniform(1001) / 1000.0;
    /* The first retry after a successful recovery needs no delay. */
    int64_t delay_ms = is_mended && attempt == 1 ? 0 : retry_delay_ms(policy, attempt, chance);
    if (deadline_left_ms(run->end) <= delay_ms + RETRY_LEAST_MS) {
        if (policy->is_listed) {
            log_tool(run->action.logs, BR_LOG_WARNING, "retry",
                     "no time is left for attempt %d of %d after a pause of %lld ms: raise "
                     "`timeout`, or lower `retryDelay`",
                     attempt + 1, policy->max_retries + 1, (long long)delay_ms);
        }
        return false;
    }
    log_tool(run->action.logs, BR_LOG_WARNING, "retry",
             "attempt %d of %d failed: %s: %s; the next one follows in %lld ms", attempt,
             policy->max_retries + 1, br_code_name(err->code), err->message, (long long)delay_ms);
    events_tell_progress(run->session, BR_PROGRESS_RETRYING, err->message);
    session_pause(run->session, delay_ms);
    return !session_is_called_off(run->session);
}

/*
 * Returns whether the failure means that the page is lost. A page that has not painted yet is not
 * lost: the wait for its first frame reports why none comes.
 */
static bool is_page_lost(struct run *run, struct br_error *err)
{
    struct br_session *session = run->session;
    bool is_late = err->code == BR_TIMEOUT && session->page;
    bool is_lost = session_judge_failure(session, run->began_ms, err);
    CLEANUP_FREE char *unpainted =
        is_late && !is_lost ? page_unpainted_reason(session->page) : NULL;
    bool is_blocked_capture = run->type->is_capture && is_late && !unpainted;
    if (unpainted && !run->type->is_capture) {
        error_hint(err, "%s", unpainted);
    }
    if (is_blocked_capture && !is_lost && deadline_left_ms(run->end) > RETRY_LEAST_MS) {
        session_give_up_page(session); /* everything else was tried */
        is_lost = true;
    }
    return is_lost;
}

/*
 * Restores the page whether or not the action is repeated: the response shows where the page is
 * now. The error stays that of the action, unless the lost page was the only problem.
 */
static bool repair(struct run *run, bool is_repeated, struct br_error *err)
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
 * Returns whether the try failed because the page refused to be left and was therefore ended. Such
 * an action is tried once more from a new page, even if retryOptions allow no retry. The second
 * time it counts as an ordinary failure.
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

/* Repairs the state after a failed try, and decides whether there is another. */
static bool prepare_retry(struct run *run, const struct retry_policy *policy, struct br_error *err)
{
    struct br_session *session = run->session;
    bool has_acted = session->page && page_has_acted(session->page);
    bool is_lost = is_page_lost(run, err);
    if (session_is_called_off(session) || session->has_no_browser) {
        return false;
    }
    bool is_left_now = note_unleft(run);
    bool is_allowed = is_left_now || retry_is_allowed(policy, err->code, has_acted,
                                                      run->action.response->attempts);
    run->was_lost |= is_lost;
    if (is_lost && has_acted && !policy->is_listed) {
        error_hint(err,
                   "its input may have reached the page, so it was not repeated; list %s in "
                   "retryOptions.retryOnErrors to allow that",
                   br_code_name(err->code));
    }
    if (is_lost && !repair(run, is_allowed, err)) {
        return false;
    }
    if (is_left_now) {
        log_tool(run->action.logs, BR_LOG_WARNING, "navigation",
                 "a new page goes to %s; the history of the tab is lost", run->unleft_url);
        return true;
    }
    return is_allowed && pause_before_retry(run, policy, is_lost, err);
}

/*
 * Input that made the last tab close has succeeded, too. Opens the page again; false with the error
 * of the action if that fails.
 */
static bool outlives_last_tab(struct run *run, struct br_error *err)
{
    struct page *page = run->session->page;
    struct br_error why = *err;
    bool has_closed = page && err->code == BR_PAGE_CRASHED && tabs_have_ended(page) &&
                      !page_has_lost_adopted(page) && page_has_acted(page);
    if (!has_closed || session_is_called_off(run->session) || !is_page_lost(run, &why)) {
        return false;
    }
    run->was_lost = true;
    if (!repair(run, false, &why)) {
        return false;
    }
    log_tool(run->action.logs, BR_LOG_WARNING, "browser",
             "the last tab closed itself: its page was opened again");
    return true;
}

void run_tries(struct run *run)
{
    struct br_response *response = run->action.response;
    struct retry_policy policy = retry_policy_of(run->action.action, run->session->retry_options);
    struct br_error err = { 0 };
    uint64_t filled_before = run->session->filled_generation;
    for (int attempt = 1;; attempt++) {
        response->attempts = attempt;
        int64_t left_ms = deadline_left_ms(run->end);
        struct deadline limit = deadline_in_ms(retry_limit_ms(&policy, attempt, left_ms));
        run->action.patience_ms = retry_patience_ms(&policy, attempt, left_ms);
        response->success = try_action(run, deadline_earlier(run->end, limit), &err) ||
                            outlives_last_tab(run, &err);
        if (response->success || !prepare_retry(run, &policy, &err)) {
            break;
        }
    }
    if (!response->success) {
        response->error = err;
    }
    struct page *page = run->session->page;
    if (run->is_blank && page && page_has_been_nowhere(page)) {
        session_close_page(run->session); /* the next action restores it */
        run->session->filled_generation = filled_before;
    }
}
