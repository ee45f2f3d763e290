#include "runner/session/recovery.h"

#include "runner/base/error.h"
#include "runner/base/log.h"
#include "runner/base/platform.h"
#include "runner/hints/wording.h"
#include "runner/observe/stream.h"
#include "runner/page/activate.h"
#include "runner/page/core/call.h"
#include "runner/page/core/options.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/wire.h"
#include "runner/page/page.h"
#include "runner/page/world/backup.h"
#include "runner/page/world/downloads.h"
#include "runner/snapshot/snapshot.h"

enum {
    REUSE_MS = 5000,       /* time limit for a running browser to open a page */
    SLOW_REUSE_MS = 20000, /* the same on an overloaded machine, at most */
    LATE_START_MS = 5000, /* a starting browser that has sent nothing for this long is given up … */
    SLOW_START_MS = 60000, /* … after this time, if it is at work */
    MAX_STARTS = 3,        /* starts of a browser that keeps ending */
    RESTART_MS = 100,      /* delay between them; doubled each time */
    MAX_REOPENS = 5,       /* of a page that keeps being lost */
    PROBE_MS = 300,        /* time limit for a page or browser to respond to a probe */
    IDLE_MS = 2,           /* after this long without contact the browser may have died unnoticed */
    STUCK_MS = 5000,       /* without any response for this long, the page is stuck … */
    SLOW_STUCK_MS = 15000, /* … after this time at most, if it hardly gets a processor: an action
                              can still give it up within the usual timeout */
    WORK_PERCENT = 10,     /* of a probe's time: a process that has worked for less is idle */
    PRESSURE_PERCENT = 50, /* above this, the machine is overloaded */
};

static void set_page(struct br_session *session, struct page *page)
{
    pthread_mutex_lock(&session->mutex);
    session->page = page;
    if (page && session->is_interrupted) {
        page_interrupt(page);
    } else if (page && session_is_called_off(session)) {
        page_cancel(page);
    }
    pthread_mutex_unlock(&session->mutex);
}

static bool is_foreign(const struct br_session *session)
{
    return browser_options(session->browser)->connect;
}

static void audit(struct br_session *session, const char *step, const char *detail)
{
    CLEANUP_FREE char *shown = xstrdup(detail);
    secrets_mask_owned(session->secrets, &shown);
    wording_text(browser_options(session->browser)->wording, &shown);
    audit_step(session->audit, step, shown, session->generation);
}

/*
 * Closes the page, and releases its life and context if given. When only the connection to a
 * browser that was not launched here broke, the tab still exists: remembers it, and the next page
 * closes it.
 */
static void end_page(struct br_session *session, struct page *page, struct browser_life *life,
                     struct context *context)
{
    if (page && is_foreign(session) && page_target_id(page) && !page_is_alive(page) &&
        !page_is_adopted(page)) {
        session->left_tabs = array_reserve(session->left_tabs, session->left_tab_count,
                                           &session->left_tab_capacity, sizeof(char *));
        session->left_tabs[session->left_tab_count++] = xstrdup(page_target_id(page));
    }
    page_close(page);
    context_release(context, session->policy);
    browser_life_release(life);
}

static void close_left_tabs(struct br_session *session)
{
    while (session->left_tab_count > 0) {
        CLEANUP_FREE char *tab = session->left_tabs[--session->left_tab_count];
        page_close_target(session->page, tab);
    }
}

static void close_page(struct br_session *session, struct context *context)
{
    struct page *page = session->page;
    session->silent_since_ms = 0;
    set_page(session, NULL);
    end_page(session, page, TAKE(session->life), context);
}

void session_close_page(struct br_session *session)
{
    close_page(session, NULL);
}

void session_leave_browser(struct br_session *session, struct deadline deadline)
{
    close_page(session, TAKE(session->context));
    if (session->has_joined) {
        session->has_joined = false;
        browser_leave(session->browser, deadline);
    }
    while (session->left_tab_count > 0) {
        free(session->left_tabs[--session->left_tab_count]);
    }
    free(TAKE(session->left_tabs));
    session->left_tab_capacity = 0;
    free(TAKE(session->adopted_id));
    page_downloads_abandon(session->options.downloads, session->downloads);
    json_object_clear(session->downloads);
    session->is_started = false;
    session->is_detached = false;
    session->generation = 0;
    session->filled_generation = 0;
    session->lost_generation = 0;
    page_backup_finish(&session->backup);
}

/* What the browser did during a probe. */
struct probe {
    bool is_answered;
    uint64_t ran_us, waited_us; /* of all its processes */
    bool is_incomplete;         /* see struct platform_work */
};

/* Probes the page, or the browser if there is none or `of_browser`, for PROBE_MS at most. */
static struct probe probe(struct br_session *session, bool of_browser)
{
    struct probe probe = { .is_answered = false };
    struct platform_work before = browser_life_work(session->life);
    if (session->page) {
        probe.is_answered = of_browser ? wire_ping_browser(session->page, PROBE_MS)
                                       : page_answers(session->page, PROBE_MS);
    } else {
        session_pause(session, PROBE_MS);
    }
    struct platform_work after = browser_life_work(session->life);
    if (after.ran_us >= before.ran_us && after.waited_us >= before.waited_us) {
        probe.ran_us = after.ran_us - before.ran_us;
        probe.waited_us = after.waited_us - before.waited_us;
    } /* otherwise one of its processes has ended meanwhile */
    probe.is_incomplete = before.is_incomplete || after.is_incomplete;
    return probe;
}

/* Also if its work could not be read: only a browser that is known to be idle may be given up. */
static bool is_at_work(const struct probe *probe)
{
    return probe->is_incomplete ||
           probe->ran_us + probe->waited_us >= (uint64_t)PROBE_MS * 1000 * WORK_PERCENT / 100;
}

/*
 * Returns whether a browser that has not opened a page in time has to be given up: not if it works,
 * or waits for a processor. If it hangs nevertheless, cdp_connection_check() notices that. A
 * running browser that answers, but opens no page, is given up by its only session.
 */
static bool is_given_up(struct br_session *session, bool is_used, bool is_shared)
{
    if (is_foreign(session) && !is_shared) {
        return true; /* what its processes do is unknown */
    }
    const struct probe probed = probe(session, true);
    if (probed.is_answered && (is_used || is_shared)) {
        return !is_shared;
    }
    return !is_at_work(&probed) || browser_life_start_ms(session->life) >= SLOW_START_MS;
}

/*
 * Explains why there is no page yet. A browser that is slow to start is not given up at once. One
 * that was already running is, unless it is slow, too, or other sessions use it: then only if it
 * does not respond either.
 */
static void explain_no_page(struct br_session *session, bool is_used, int64_t began_ms,
                            struct br_error *err)
{
    int64_t waited_ms = clock_monotonic_ms() - began_ms;
    bool is_shared = browser_is_shared(session->browser);
    bool is_lost = browser_life_explain(session->life, err);
    if (!is_lost && err->code == BR_TIMEOUT) {
        is_lost = ((is_used && !is_shared) || waited_ms >= LATE_START_MS) &&
                  is_given_up(session, is_used, is_shared);
        error_set(err, is_lost ? BR_BROWSER_CRASHED : BR_TIMEOUT,
                  "the browser did not answer within %lld ms", (long long)waited_ms);
        error_hint(err, "raise `timeout` if this machine is slow");
    }
    if (is_lost) {
        session->lost_generation = session->generation;
    }
}

static bool explain_refusal(void *data, const char *url, struct br_error *ret_why)
{
    return context_explain(data, url, ret_why);
}

static struct page_options page_options(const struct br_session *session)
{
    return (struct page_options){
        .viewport_width = session->options.viewport_width,
        .viewport_height = session->options.viewport_height,
        .device_pixel_ratio = session->options.device_pixel_ratio,
        .settings = session->settings,
        .origins = session->backup.origins,
        .downloads = session->options.downloads,
        .read_role = snapshot_read_role,
        .secrets = session->secrets,
        .policy = session->policy,
        .way_out_port = context_way_out(session->context),
        .explain = explain_refusal,
        .explain_data = session->context,
        .stream = session->stream,
        .waits = session->waits,
        .download_list = session->downloads,
        .is_foreign = is_foreign(session),
        .has_virtual_time = browser_has_virtual_clock(session->browser),
        .draws_whole = session->options.whole_pages,
        .targets = browser_life_targets(session->life),
        .tab = session->adopted_id,
        .drops_externals = browser_life_drops_externals(session->life),
        .keeps_headers = session->options.keeps_headers,
        .shows_actions = session->options.show_actions,
    };
}

static bool ensure_life(struct br_session *session, struct log_list *logs, struct deadline deadline,
                        struct br_error *err)
{
    session->life = browser_ensure(session->browser, session->lost_generation, logs, deadline, err);
    /* A cause that prevents a launch, such as a full disk, does not go away by itself. */
    session->has_no_browser =
        !session->life && !is_foreign(session) && !session_is_called_off(session);
    return session->life;
}

static void warn_of_other_ways(struct br_session *session, struct log_list *logs)
{
    bool is_new = browser_life_generation(session->life) != session->generation;
    if (is_new && policy_judges_hosts(session->policy) && !context_way_out(session->context)) {
        log_tool(logs, BR_LOG_WARNING, "network",
                 "the rules apply to requests of existing pages and workers, not to requests in "
                 "the background: Chrome uses another proxy, or was started without rules");
    }
}

/*
 * Returns until when a running browser may open a page. The rest of the time is for a restart. On
 * an overloaded machine both take longer, and a browser that others use is not restarted for it.
 */
static struct deadline reuse_end(struct br_session *session, struct deadline deadline)
{
    int64_t ms = REUSE_MS;
    if (platform_processor_pressure() >= PRESSURE_PERCENT) {
        int64_t half_ms = deadline_left_ms(deadline) / 2;
        int64_t longer_ms = half_ms < SLOW_REUSE_MS ? half_ms : SLOW_REUSE_MS;
        ms = browser_is_shared(session->browser) ? INT64_MAX : longer_ms > ms ? longer_ms : ms;
    }
    return deadline_earlier(deadline, deadline_in_ms(ms));
}

static bool open_page(struct br_session *session, struct log_list *logs, struct deadline deadline,
                      struct br_error *err)
{
    if (!ensure_life(session, logs, deadline, err)) {
        return false;
    }
    warn_of_other_ways(session, logs);
    uint64_t generation = browser_life_generation(session->life);
    bool is_used = generation == session->generation;
    struct deadline end = is_used ? reuse_end(session, deadline) : deadline;
    session->generation = generation;
    int64_t began_ms = clock_monotonic_ms();
    CLEANUP_FREE char *context_id = NULL;
    bool is_open = context_enter(session->context, session->life, end, &context_id, err);
    if (is_open) {
        struct page_options options = page_options(session);
        options.context_id = context_id;
        set_page(session, page_create(browser_life_connection(session->life), &options));
        page_set_logs(session->page, logs);
        is_open = page_open(session->page, end, err);
    }
    if (!is_open) {
        if (!session_is_called_off(session)) {
            explain_no_page(session, is_used, began_ms, err);
        }
        session_close_page(session);
    }
    return is_open;
}

/* Tries again if the browser ends right after its start, which may be an accident. */
static bool open_page_stubbornly(struct br_session *session, struct log_list *logs,
                                 struct deadline deadline, struct br_error *err)
{
    int64_t pause_ms = RESTART_MS;
    for (int i = 1; !open_page(session, logs, deadline, err); i++) {
        bool may_help = err->code == BR_BROWSER_CRASHED || err->code == BR_DISCONNECTED;
        audit(session, "browser start failed", err->message);
        if (!may_help || session->has_no_browser || session_is_called_off(session) ||
            deadline_left_ms(deadline) <= pause_ms) {
            return false;
        }
        if (i == MAX_STARTS) {
            session->has_no_browser = true;
            return error_context(err, "%d starts failed in a row", MAX_STARTS);
        }
        log_tool(logs, BR_LOG_WARNING, "browser", "start %d of %d failed: %s", i, MAX_STARTS,
                 err->message);
        session_pause(session, pause_ms);
        pause_ms *= 2;
    }
    return true;
}

/* The new page uses the same context, except for a session that starts isolated. */
static bool choose_context(struct br_session *session, bool is_return, struct br_error *err)
{
    if (session->context && (!session->options.isolated || is_return)) {
        return true;
    }
    if (!session->has_joined) {
        session->has_joined = true;
        browser_join(session->browser);
    }
    session->context = context_acquire(browser_contexts(session->browser), session->options.context,
                                       session->options.isolated, session->policy, err);
    return session->context;
}

/*
 * A new page adopts the tab, if one is given. A restored page adopts its tab again if only the
 * connection to the browser was lost.
 */
static void choose_tab(struct br_session *session, bool is_return, const char *tab,
                       const struct page *old_page, const struct browser_life *old_life)
{
    bool is_same = old_page && page_is_adopted(old_page) &&
                   !cdp_connection_is_open(browser_life_connection(old_life));
    if (is_return && !old_page) {
        return; /* the last attempt to restore the page failed */
    }
    free(session->adopted_id);
    session->adopted_id = xstrdup(!is_return ? tab : is_same ? page_target_id(old_page) : NULL);
}

/*
 * Closes the previous page only after the new one is open: a browser without pages forgets session
 * cookies.
 */
static bool replace_page(struct br_session *session, bool is_return, const char *tab,
                         struct log_list *logs, struct deadline deadline, struct br_error *err)
{
    struct page *old_page = session->page;
    struct browser_life *old_life = TAKE(session->life);
    struct context *old_context = session->context;
    choose_tab(session, is_return, tab, old_page, old_life);
    if (old_page && session->silent_since_ms) {
        page_crash(old_page); /* a stuck page does not close, and may block other sessions */
    }
    session->silent_since_ms = 0;
    session->has_no_browser = false;
    set_page(session, NULL);
    bool is_open = choose_context(session, is_return, err) &&
                   open_page_stubbornly(session, logs, deadline, err);
    end_page(session, old_page, old_life, old_context != session->context ? old_context : NULL);
    if (is_open) {
        session->is_detached = false;
        close_left_tabs(session);
    }
    return is_open;
}

/* Restores the cookies that the browser lost when it died, unless another session has done so. */
static void refill_cookies(struct br_session *session, struct deadline deadline)
{
    json_auto_t *cookies = NULL;
    if (context_begin_refill(session->context, session->life, deadline, &cookies)) {
        bool is_done = !cookies || page_restore_cookies(session->page, cookies);
        context_end_refill(session->context, is_done);
    }
}

/* `has_local`: the browser lost localStorage. `has_session`: the tab is a different one. */
static void refill_storage(struct br_session *session, bool has_local, bool has_session)
{
    struct page_backup *backup = &session->backup;
    bool is_first = false;
    CLEANUP_FREE char *newest =
        has_local && backup->origin
            ? context_storage(session->context, session->life, backup->origin, &is_first)
            : NULL;
    struct page_refill parts = {
        .newest = newest,
        .local = !has_local ? PAGE_REFILL_NOTHING
                 : is_first ? PAGE_REFILL_ALL
                            : PAGE_REFILL_MISSING,
        .has_session = has_session,
    };
    page_backup_refill(session->page, backup, &parts);
}

/* Opens a page and restores what the previous page had and the new one lacks. */
static bool open_filled_page(struct br_session *session, bool is_return, const char *tab,
                             struct log_list *logs, struct deadline deadline, struct br_error *err)
{
    if (!replace_page(session, is_return, tab, logs, deadline, err)) {
        return false;
    }
    bool is_other_browser = session->filled_generation != session->generation;
    bool is_new_browser = session->filled_generation != 0 && is_other_browser;
    bool is_ours = !is_foreign(session);
    if (is_new_browser) {
        page_downloads_abandon(session->options.downloads, session->downloads);
        log_tool(logs, BR_LOG_INFO, "browser", "the browser was %s again",
                 is_ours ? "started" : "connected");
    }
    if (is_other_browser) {
        audit(session, is_ours ? "browser started" : "browser connected", NULL);
    }
    if (is_ours) {
        refill_cookies(session, deadline);
    }
    if ((is_new_browser || is_return) && !page_is_adopted(session->page)) {
        refill_storage(session, is_new_browser && is_ours, is_return);
    }
    return true;
}

bool session_open_page(struct br_session *session, const char *tab, struct log_list *logs,
                       struct deadline deadline, struct br_error *err)
{
    if (!open_filled_page(session, false, tab, logs, deadline, err)) {
        return false;
    }
    session->filled_generation = session->generation;
    return true;
}

json_t *session_list_tabs(struct br_session *session, struct log_list *logs,
                          struct deadline deadline, struct br_error *err)
{
    if (!ensure_life(session, logs, deadline, err)) {
        return NULL;
    }
    const struct page_options options = {
        .policy = session->policy,
        .stream = session->stream,
        .is_foreign = true,
        .targets = browser_life_targets(session->life),
    };
    struct page *page = page_create(browser_life_connection(session->life), &options);
    page_set_deadline(page, deadline);
    json_t *tabs = page_list_tabs(page, true, err);
    page_close(page);
    browser_life_release(TAKE(session->life));
    return tabs;
}

static void report_loss(struct br_session *session, const struct br_error *why,
                        struct log_list *logs)
{
    size_t tabs = session->page ? page_count_tabs(session->page) : 0;
    log_tool(logs, BR_LOG_WARNING, "browser", "%s", why->message);
    if (tabs > 1) {
        log_tool(logs, BR_LOG_WARNING, "browser",
                 "the other tabs are lost, too (%zu): only the page comes back", tabs - 1);
    }
    audit(session, "page lost", why->message);
}

static void explain_lost_adopted(struct br_error *err)
{
    error_set(err, BR_TARGET_NOT_FOUND, "the adopted tab was closed");
    error_hint(err, "a person, or the page itself, has closed it: use `tab` with the op adopt to "
                    "continue with another one");
}

/* When a person has closed the tab that was adopted from them, does not open another one. */
static bool has_lost_adopted(const struct br_session *session, struct br_error *err)
{
    const struct page *page = session->page;
    if (!page || !page_has_lost_adopted(page) ||
        !cdp_connection_is_open(browser_life_connection(session->life))) {
        return false;
    }
    explain_lost_adopted(err);
    return true;
}

void session_detach(struct br_session *session)
{
    free(session->adopted_id);
    session->adopted_id = xstrdup(page_target_id(session->page));
    audit(session, "detached", "no action for a while");
    close_page(session, TAKE(session->context));
    session->has_joined = false;
    session->is_detached = true;
    browser_leave(session->browser, deadline_in_ms(SESSION_CLOSE_MS));
}

bool session_attach(struct br_session *session, struct log_list *logs, struct deadline deadline,
                    struct br_error *err)
{
    size_t log_count = logs->count;
    if (open_filled_page(session, true, NULL, logs, deadline, err)) {
        session->filled_generation = session->generation;
        page_set_deadline(session->page, deadline);
        page_forget_history(session->page, log_count); /* earlier actions have reported it */
        return true;
    }
    if (err->code == BR_TARGET_NOT_FOUND) {
        explain_lost_adopted(err);
    }
    return false;
}

bool session_replace_page(struct br_session *session, const struct br_error *why,
                          struct log_list *logs, struct deadline deadline, struct br_error *err)
{
    if (has_lost_adopted(session, err)) {
        return false;
    }
    report_loss(session, why, logs);
    if (!open_filled_page(session, true, NULL, logs, deadline, err)) {
        return false;
    }
    session->filled_generation = session->generation;
    return true;
}

/* Opens a new page and navigates back to where the session was. */
static bool reopen(struct br_session *session, struct log_list *logs, struct deadline deadline,
                   struct br_error *err)
{
    if (!open_filled_page(session, true, NULL, logs, deadline, err)) {
        return false;
    }
    page_set_deadline(session->page, deadline);
    if (page_is_adopted(session->page) ||
        page_backup_reopen(session->page, &session->backup, err)) {
        return true;
    }
    session_judge_failure(session, clock_monotonic_ms(), err);
    audit(session, "page not reopened", err->message);
    session_close_page(session);
    return false;
}

/*
 * Many pages that load at once make a slow browser silent: after a restart they come back one after
 * the other, though no session waits for longer than a part of its time.
 */
static bool reopen_in_turn(struct br_session *session, struct log_list *logs,
                           struct deadline deadline, struct br_error *err)
{
    int64_t wait_ms = deadline_left_ms(deadline) / 3;
    browser_begin_return(session->browser, deadline_earlier(deadline, deadline_in_ms(wait_ms)));
    bool is_open = reopen(session, logs, deadline, err);
    browser_end_return(session->browser);
    return is_open;
}

bool session_recover(struct br_session *session, const struct br_error *why, struct log_list *logs,
                     struct deadline deadline, struct br_error *err)
{
    if (has_lost_adopted(session, err)) {
        return false;
    }
    report_loss(session, why, logs);
    for (int i = 1; !reopen_in_turn(session, logs, deadline, err); i++) {
        bool was_lost = err->code == BR_BROWSER_CRASHED || err->code == BR_PAGE_CRASHED ||
                        err->code == BR_DISCONNECTED;
        if (!was_lost || session->has_no_browser || i == MAX_REOPENS ||
            session_is_called_off(session) || deadline_passed(deadline)) {
            return error_context(err, "the page could not be opened again");
        }
        log_tool(logs, BR_LOG_WARNING, "browser", "lost again: %s", err->message);
    }
    session->filled_generation = session->generation;
    audit(session, "page reopened", session->backup.url);
    return true;
}

void session_give_up_page(struct br_session *session)
{
    audit(session, "page ended", "it was stuck");
    page_crash(session->page);
    session->silent_since_ms = 0;
}

/*
 * Returns for how long a silent page may be silent. While the browser's processes wait for
 * processors, a page needs longer for the same work: a slow one would lose what was typed into it.
 */
static int64_t stuck_after_ms(const struct probe *probed)
{
    if (!is_at_work(probed)) {
        return STUCK_MS;
    }
    uint64_t ran_us = probed->ran_us > 0 ? probed->ran_us : 1;
    uint64_t longer_ms = STUCK_MS * (ran_us + probed->waited_us) / ran_us;
    return longer_ms < SLOW_STUCK_MS ? (int64_t)longer_ms : SLOW_STUCK_MS;
}

/* Returns whether a page that let an action time out is permanently stuck; then it is given up. */
static bool is_stuck(struct br_session *session, int64_t action_began_ms)
{
    const struct probe probed = probe(session, false);
    if (probed.is_answered) {
        session->silent_since_ms = 0;
        return false;
    }
    if (session_is_called_off(session)) {
        return false; /* the cancel ended the probe early, so nothing is known */
    }
    int64_t answered_ms = page_answered_at_ms(session->page);
    session->silent_since_ms = answered_ms > action_began_ms ? answered_ms : action_began_ms;
    session->stuck_after_ms = stuck_after_ms(&probed);
    return clock_monotonic_ms() - session->silent_since_ms >= session->stuck_after_ms;
}

bool session_judge_failure(struct br_session *session, int64_t action_began_ms,
                           struct br_error *err)
{
    struct page *page = session->page;
    if (!page || session_is_called_off(session)) {
        return false;
    }
    if (err->code == BR_TIMEOUT && page_is_alive(page) && is_stuck(session, action_began_ms)) {
        session_give_up_page(session);
        error_hint(err, "the page's scripts do not end: it was killed, and is opened again for the "
                        "next action");
    }
    /* A write may fail before the end of the pipe is detected. */
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

/*
 * A page or browser that was just killed is not seen as dead at once, and commands sent meanwhile
 * might have arrived. After an idle period the browser is asked: before it answers, it reports a
 * page that has crashed. Whether a browser that was launched here was killed is read from /proc;
 * any other is asked, and its answer awaited.
 */
static bool check_browser(struct br_session *session, struct br_error *err)
{
    bool is_idle = clock_monotonic_ms() - page_answered_at_ms(session->page) >= IDLE_MS;
    browser_life_check(session->life);
    if (is_idle && is_foreign(session)) {
        wire_ping_browser(session->page, PROBE_MS);
    }
    page_catch_up(session->page);
    if (is_idle && !is_foreign(session)) {
        wire_send_fence(session->page); /* see wire_is_untouched() */
    }
    return page_check_alive(session->page, err);
}

bool session_check_page(struct br_session *session, struct deadline deadline, struct br_error *err)
{
    if (!check_browser(session, err) && !page_leave_closed_tab(session->page, err)) {
        return false;
    }
    if (!session->silent_since_ms) {
        return true;
    }
    int64_t silent_ms = clock_monotonic_ms() - session->silent_since_ms;
    int64_t left_ms = deadline_left_ms(deadline);
    int64_t stuck_ms = session->stuck_after_ms;
    int64_t wait_ms = stuck_ms - silent_ms > PROBE_MS ? stuck_ms - silent_ms : PROBE_MS;
    if (page_answers(session->page, wait_ms < left_ms ? wait_ms : left_ms)) {
        session->silent_since_ms = 0;
        return true;
    }
    if (!page_check_alive(session->page, err)) {
        return false;
    }
    silent_ms = clock_monotonic_ms() - session->silent_since_ms;
    error_set(err, silent_ms >= stuck_ms ? BR_PAGE_CRASHED : BR_TIMEOUT,
              "the page has not answered for %lld ms", (long long)silent_ms);
    if (silent_ms >= stuck_ms) {
        session_give_up_page(session);
    }
    return false;
}
