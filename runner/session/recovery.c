#include "runner/session/recovery.h"

#include "runner/base/error.h"

enum {
    REUSE_MS = 5000,   /* for a browser that runs already to open a page */
    MAX_STARTS = 3,    /* of a browser that ends again and again */
    RESTART_MS = 100,  /* between them; doubled each time */
    PROBE_MS = 300,    /* for a sign of life of the page */
    STUCK_MS = 5000,   /* without one: the page is stuck */
};

static void set_page(struct br_session *session, struct page *page)
{
    pthread_mutex_lock(&session->mutex);
    session->page = page;
    if (page && session->is_interrupted) {
        page_interrupt(page);
    }
    pthread_mutex_unlock(&session->mutex);
}

static void audit(struct br_session *session, const char *step, const char *detail)
{
    audit_step(session->audit, step, detail, session->generation);
}

void session_close_page(struct br_session *session)
{
    struct page *page = session->page;
    if (page && session->silent_since_ms && page_is_alive(page)) {
        page_crash(page); /* one that is stuck does not close, and may hold others up */
    }
    session->silent_since_ms = 0;
    set_page(session, NULL);
    page_close(page);
    browser_life_release(TAKE(session->life));
}

void session_close_browser(struct br_session *session, struct deadline deadline)
{
    session_close_page(session);
    browser_close(TAKE(session->browser), deadline);
    session->is_started = false;
    session->generation = 0;
    session->lost_generation = 0;
    page_backup_finish(&session->backup);
}

static bool open_page(struct br_session *session, struct log_list *logs, struct deadline deadline,
                      struct br_error *err)
{
    struct page_options options = {
        .viewport_width = session->options.viewport_width,
        .viewport_height = session->options.viewport_height,
        .device_pixel_ratio = session->options.device_pixel_ratio,
        .is_alone = !session->options.connect,
    };
    if (!session->browser) {
        session->browser = browser_create(session->loop, &session->options);
    }
    session->life =
        browser_ensure(session->browser, session->lost_generation, logs, deadline, err);
    if (!session->life) {
        return false;
    }
    uint64_t generation = browser_life_generation(session->life);
    bool is_used = generation == session->generation;
    struct deadline end =
        is_used ? deadline_earlier(deadline, deadline_in_ms(REUSE_MS)) : deadline;
    session->generation = generation;
    set_page(session, page_create(browser_life_connection(session->life), &options));
    page_set_logs(session->page, logs);
    int64_t began_ms = clock_monotonic_ms();
    if (page_open(session->page, end, err)) {
        return true;
    }
    if (!browser_life_explain(session->life, err) && err->code == BR_TIMEOUT) {
        error_set(err, BR_BROWSER_CRASHED, "the browser did not answer within %lld ms",
                  (long long)(clock_monotonic_ms() - began_ms));
        error_hint(err, "raise `timeout` if this machine is slow");
    }
    session->lost_generation = generation;
    session_close_page(session);
    return false;
}

/* Tries again with a browser that ends at once: it may have been an accident. */
static bool open_page_stubbornly(struct br_session *session, struct log_list *logs,
                                 struct deadline deadline, struct br_error *err)
{
    int64_t pause_ms = RESTART_MS;
    session_close_page(session);
    for (int i = 1; !open_page(session, logs, deadline, err); i++) {
        bool may_help = err->code == BR_BROWSER_CRASHED || err->code == BR_DISCONNECTED;
        if (!may_help || session_is_interrupted(session) ||
            deadline_left_ms(deadline) <= pause_ms) {
            return false;
        }
        audit(session, "browser start failed", err->message);
        if (i == MAX_STARTS) {
            return error_context(err, "%d starts failed in a row", MAX_STARTS);
        }
        log_tool(logs, BR_LOG_WARNING, "browser", "start %d of %d failed: %s", i, MAX_STARTS,
                 err->message);
        session_pause(session, pause_ms);
        pause_ms *= 2;
    }
    return true;
}

/* A page, with what the one before had and a new one lacks. */
static bool open_filled_page(struct br_session *session, bool is_return, struct log_list *logs,
                             struct deadline deadline, struct br_error *err)
{
    uint64_t before = session->generation;
    if (!open_page_stubbornly(session, logs, deadline, err)) {
        return false;
    }
    bool is_new_browser = before != 0 && before != session->generation;
    bool is_ours = !session->options.connect;
    struct page_refill parts = {
        .has_cookies = is_new_browser && is_ours,
        .has_local = is_new_browser && is_ours,
        .has_session = is_return,
    };
    if (is_new_browser) {
        log_tool(logs, BR_LOG_INFO, "browser", "the browser was %s again",
                 is_ours ? "started" : "connected");
    }
    if (before != session->generation) {
        audit(session, is_ours ? "browser started" : "browser connected", NULL);
    }
    if (is_new_browser || is_return) {
        page_backup_refill(session->page, &session->backup, &parts);
    }
    return true;
}

bool session_open_page(struct br_session *session, struct log_list *logs, struct deadline deadline,
                       struct br_error *err)
{
    if (!open_filled_page(session, false, logs, deadline, err)) {
        return false;
    }
    session->is_started = true;
    return true;
}

bool session_recover(struct br_session *session, const struct br_error *why,
                     struct log_list *logs, struct deadline deadline, struct br_error *err)
{
    CLEANUP_FREE char *tab =
        session->page ? xstrdup(page_target_id(session->page)) : NULL;
    log_tool(logs, BR_LOG_WARNING, "browser", "%s", why->message);
    audit(session, "page lost", why->message);
    if (!open_filled_page(session, true, logs, deadline, err)) {
        return false;
    }
    if (tab && session->options.connect) {
        /* When only the connection broke, the page is still there: there shall be one of it. */
        page_close_target(session->page, tab);
    }
    page_set_deadline(session->page, deadline);
    if (!page_backup_reopen(session->page, &session->backup, err)) {
        error_context(err, "the page could not be opened again");
        audit(session, "page not reopened", err->message);
        browser_life_explain(session->life, err);
        session_close_page(session);
        return false;
    }
    audit(session, "page reopened", session->backup.url);
    return true;
}

void session_give_up_page(struct br_session *session)
{
    audit(session, "page ended", "it was stuck");
    page_crash(session->page);
    session->silent_since_ms = 0;
}

/* Whether a page that let an action time out is stuck for good; it is given up then. */
static bool is_stuck(struct br_session *session, int64_t action_began_ms)
{
    if (page_answers(session->page, PROBE_MS)) {
        session->silent_since_ms = 0;
        return false;
    }
    int64_t answered_ms = page_answered_at_ms(session->page);
    session->silent_since_ms = answered_ms > action_began_ms ? answered_ms : action_began_ms;
    return clock_monotonic_ms() - session->silent_since_ms >= STUCK_MS;
}

bool session_judge_failure(struct br_session *session, int64_t action_began_ms,
                           struct br_error *err)
{
    struct page *page = session->page;
    if (!page || session_is_interrupted(session)) {
        return false;
    }
    if (err->code == BR_TIMEOUT && page_is_alive(page) && is_stuck(session, action_began_ms)) {
        session_give_up_page(session);
        error_hint(err, "the page's scripts do not come to an end: it was ended, and is opened "
                        "again for the next action");
    }
    /* A write may fail before the end of the pipe is seen. */
    if (err->code != BR_DISCONNECTED && page_is_alive(page)) {
        return false;
    }
    struct br_error end = *err;
    if (browser_life_explain(session->life, &end)) {
        session->lost_generation = session->generation;
        if (err->code == BR_DISCONNECTED || err->code == BR_PAGE_CRASHED) {
            *err = end;
        }
    }
    return true;
}

bool session_await_answer(struct br_session *session, struct deadline deadline,
                          struct br_error *err)
{
    if (!session->silent_since_ms) {
        return true;
    }
    int64_t silent_ms = clock_monotonic_ms() - session->silent_since_ms;
    int64_t left_ms = deadline_left_ms(deadline);
    int64_t wait_ms = STUCK_MS - silent_ms > PROBE_MS ? STUCK_MS - silent_ms : PROBE_MS;
    if (page_answers(session->page, wait_ms < left_ms ? wait_ms : left_ms)) {
        session->silent_since_ms = 0;
        return true;
    }
    if (!page_check_alive(session->page, err)) {
        return false;
    }
    silent_ms = clock_monotonic_ms() - session->silent_since_ms;
    error_set(err, silent_ms >= STUCK_MS ? BR_PAGE_CRASHED : BR_TIMEOUT,
              "the page has not answered for %lld ms", (long long)silent_ms);
    if (silent_ms >= STUCK_MS) {
        session_give_up_page(session);
    }
    return false;
}
