#include <browser_runner/session.h>

#include "runner/actions/actions.h"
#include "runner/base/json.h"
#include "runner/chrome/browser.h"
#include "runner/session/log_filter.h"

#include <pthread.h>
#include <string.h>

enum {
    REUSE_MS = 5000,        /* for a browser that runs already to open a page */
    START_MS = 30000,       /* for the browser to start, beside the action's own time */
    POST_CAPTURE_MS = 1000, /* for the picture after an action that used its time up */
};

struct br_session {
    struct br_session_options options; /* its strings are copies */
    char **chrome_args;
    struct loop *loop;
    struct browser *browser; /* NULL before the first action and after `stop` */
    pthread_mutex_t mutex;   /* guards `page` against br_session_interrupt */
    struct page *page;
    bool is_interrupted;
    struct br_error lost; /* why there is no page any more; code BR_OK before the first one */
    uint64_t last_id;
    int64_t opened_at_ms;
};

static char **copy_strings(const char *const *strings)
{
    size_t count = 0;
    while (strings && strings[count]) {
        count++;
    }
    char **copies = xcalloc(count + 1, sizeof(*copies));
    for (size_t i = 0; i < count; i++) {
        copies[i] = xstrdup(strings[i]);
    }
    return copies;
}

static bool check_options(const struct br_session_options *options, struct br_error *err)
{
    if (options->viewport_width < 1 || options->viewport_height < 1 ||
        options->viewport_width > 10000 || options->viewport_height > 10000) {
        return error_set(err, BR_INVALID_ACTION, "a viewport of %dx%d: 1 to 10000 each way",
                         options->viewport_width, options->viewport_height);
    }
    if (!(options->device_pixel_ratio >= 0.1 && options->device_pixel_ratio <= 10)) {
        return error_set(err, BR_INVALID_ACTION, "a device pixel ratio of %g: 0.1 to 10",
                         options->device_pixel_ratio);
    }
    if (options->quality < 1 || options->quality > 100) {
        return error_set(err, BR_INVALID_ACTION, "a quality of %d: 1 to 100", options->quality);
    }
    if (options->timeout_ms < 1) {
        return error_set(err, BR_INVALID_ACTION, "a timeout of %d ms", options->timeout_ms);
    }
    if (options->limits.max_edge < 0 || options->limits.max_pixels < 0) {
        return error_set(err, BR_INVALID_ACTION, "limits of a picture are not negative");
    }
    return true;
}

struct br_session *br_session_open(const struct br_session_options *options, struct br_error *err)
{
    if (!check_options(options, err)) {
        return NULL;
    }
    bool with_tls = options->connect && (strncmp(options->connect, "wss:", 4) == 0 ||
                                         strncmp(options->connect, "https:", 6) == 0);
    struct loop *loop = loop_create(with_tls, err);
    if (!loop) {
        return NULL;
    }
    struct br_session *session = xcalloc(1, sizeof(*session));
    session->loop = loop;
    session->opened_at_ms = clock_monotonic_ms();
    session->options = *options;
    session->options.chrome = xstrdup(options->chrome);
    session->options.connect = xstrdup(options->connect);
    session->options.project = xstrdup(options->project);
    session->options.profile = xstrdup(options->profile);
    session->chrome_args = copy_strings(options->chrome_args);
    session->options.chrome_args = (const char *const *)session->chrome_args;
    pthread_mutex_init(&session->mutex, NULL);
    return session;
}

static void set_page(struct br_session *session, struct page *page)
{
    pthread_mutex_lock(&session->mutex);
    session->page = page;
    if (page && session->is_interrupted) {
        page_interrupt(page);
    }
    pthread_mutex_unlock(&session->mutex);
}

static void close_page(struct br_session *session)
{
    struct page *page = session->page;
    set_page(session, NULL);
    page_close(page);
}

static void close_browser(struct br_session *session)
{
    close_page(session);
    browser_close(TAKE(session->browser));
}

static bool is_interrupted(struct br_session *session)
{
    pthread_mutex_lock(&session->mutex);
    bool result = session->is_interrupted;
    pthread_mutex_unlock(&session->mutex);
    return result;
}

static bool start_browser(struct br_session *session, struct log_list *logs, struct br_error *err)
{
    session->browser =
        browser_start(session->loop, &session->options, logs, deadline_in_ms(START_MS), err);
    if (!session->browser) {
        /* Whatever it was, a profile that cannot be written or a lack of descriptors. */
        err->code = err->code == BR_UNKNOWN_ERROR ? BR_BROWSER_CRASHED : err->code;
    }
    return session->browser;
}

/* A fresh page in the browser that there is; the browser ends if it has none to give. */
static bool open_page_in(struct br_session *session, int64_t limit_ms, struct br_error *err)
{
    struct page_options options = {
        .viewport_width = session->options.viewport_width,
        .viewport_height = session->options.viewport_height,
        .device_pixel_ratio = session->options.device_pixel_ratio,
        .is_alone = !session->options.connect,
    };
    set_page(session, page_create(browser_connection(session->browser), &options));
    if (page_open(session->page, deadline_in_ms(limit_ms), err)) {
        session->lost.code = BR_OK;
        return true;
    }
    if (!browser_explain(session->browser, err) && err->code == BR_TIMEOUT) {
        error_set(err, BR_BROWSER_CRASHED, "the browser did not answer within %d s",
                  (int)(limit_ms / 1000));
    }
    close_browser(session);
    return false;
}

/* A browser that lives, started if need be, with a fresh page in it. */
static bool open_page(struct br_session *session, struct log_list *logs, struct br_error *err)
{
    close_page(session);
    /* One that was used before may have died or be stuck since: then another one is started. */
    if (session->browser && open_page_in(session, REUSE_MS, err)) {
        return true;
    }
    return !is_interrupted(session) && start_browser(session, logs, err) &&
           open_page_in(session, START_MS, err);
}

/* The page that the action needs: a new one, or the one that is there. */
static bool ensure_page(struct br_session *session, const struct action_type *type,
                        struct log_list *logs, struct br_error *err)
{
    if (type->opens_page) {
        return open_page(session, logs, err);
    }
    if (session->page) {
        return true;
    }
    if (session->lost.code != BR_OK) {
        *err = session->lost;
        error_context(err, "no page is open any more");
        return error_hint(err, "a `start` action opens one again");
    }
    error_set(err, BR_INVALID_ACTION, "no page is open");
    return error_hint(err, "begin with a `start` action and its url");
}

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
static void capture_along(struct br_session *session, const struct page_capture *picture,
                          enum br_log_type severity, const char *which, struct log_list *logs,
                          struct br_capture *ret_capture)
{
    struct br_error err;
    if (!page_capture(session->page, picture, ret_capture, &err)) {
        log_tool(logs, severity, "screenshot", "the %s picture could not be taken: %s", which,
                 err.message);
    }
}

/* Whether a picture after the action can show anything. */
static bool can_capture_after(struct br_session *session, const struct action_type *type,
                              enum br_screenshots screenshots)
{
    bool is_wanted = screenshots == BR_SCREENSHOTS_BOTH || screenshots == BR_SCREENSHOTS_POST;
    return is_wanted && !type->is_capture && !type->closes_browser && session->page &&
           page_is_alive(session->page) && !is_interrupted(session);
}

static bool run_on_page(struct br_session *session, const struct action_type *type,
                        struct action_run *run, enum br_screenshots screenshots,
                        struct br_error *err)
{
    bool had_page = session->page && !type->opens_page;
    if (type->closes_browser && !session->page) {
        return true; /* nothing is open: that is what was asked for */
    }
    if (!ensure_page(session, type, run->logs, err)) {
        return false;
    }
    struct page *page = session->page;
    run->page = page;
    page_set_logs(page, run->logs);
    page_set_deadline(page,
                      deadline_in_ms(action_timeout_ms(run->action, session->options.timeout_ms)));
    page_catch_up(page);
    if (had_page && screenshots == BR_SCREENSHOTS_BOTH && page_is_alive(page)) {
        capture_along(session, run->picture, BR_LOG_WARNING, "pre", run->logs, &run->response->pre);
    }
    bool is_done = !type->run || type->run(run, err);
    if (can_capture_after(session, type, screenshots)) {
        struct deadline deadline = page_deadline(page);
        struct deadline least = deadline_in_ms(POST_CAPTURE_MS);
        page_set_deadline(page, deadline.at_us > least.at_us ? deadline : least);
        capture_along(session, run->picture, BR_LOG_ERROR, "post", run->logs, &run->response->post);
    }
    return is_done;
}

/* What the browser's end means for an action that failed by it. */
static void explain_failure(struct br_session *session, struct br_error *err)
{
    if (err->code == BR_PAGE_CRASHED) {
        error_hint(err, "a `start` action opens a new page");
    }
    if (session->browser && err->code == BR_DISCONNECTED) {
        browser_explain(session->browser, err);
        close_browser(session);
        session->lost = *err;
    }
}

static void run_checked(struct br_session *session, const struct action_type *type,
                        const struct br_action *action, struct br_response *response,
                        struct log_list *logs)
{
    struct page_capture picture = {
        .quality = session->options.quality,
        .limits = session->options.limits,
    };
    struct action_run run = {
        .action = action,
        .response = response,
        .logs = logs,
        .picture = &picture,
    };
    struct br_error err = { 0 };
    response->success = run_on_page(session, type, &run, screenshots_of(session, action), &err);
    if (!response->success) {
        explain_failure(session, &err);
        response->error = err;
    }
    if (session->page) {
        page_describe(session->page, response);
        page_set_logs(session->page, NULL);
    }
    if (type->closes_browser) {
        close_browser(session);
    }
}

/* Hands the gathered logs over, as far as the action's filter lets them through. */
static void take_logs(struct br_response *response, struct log_list *logs,
                      const struct br_action *action)
{
    if (logs->dropped) {
        struct br_log *last = &logs->items[logs->count - 1];
        free(last->message);
        last->message =
            xasprintf("%zu more entries were dropped: the page logs too much", logs->dropped + 1);
        last->type = BR_LOG_WARNING;
        last->source = BR_SOURCE_TOOL;
    }
    log_filter_apply(json_object_get(action->params, "logFilter"), logs);
    response->logs = TAKE(logs->items);
    response->log_count = logs->count;
}

struct br_response *br_session_run(struct br_session *session, const struct br_action *action)
{
    int64_t started_ms = clock_monotonic_ms();
    struct br_response *response = response_create(++session->last_id, action->type);
    struct log_list logs = { 0 };
    const struct action_type *type = action_type_find(action->type);
    response->label = xstrdup(param_text(action, "label", NULL));
    if (!type) {
        error_set(&response->error, BR_INVALID_ACTION, "unknown action type \"%s\"", action->type);
    } else if (is_interrupted(session)) {
        error_set(&response->error, BR_UNKNOWN_ERROR, "interrupted");
    } else {
        run_checked(session, type, action, response, &logs);
    }
    take_logs(response, &logs, action);
    response->duration_ms = clock_monotonic_ms() - started_ms;
    response->metrics.session_duration_ms = (double)(clock_monotonic_ms() - session->opened_at_ms);
    return response;
}

void br_session_interrupt(struct br_session *session)
{
    pthread_mutex_lock(&session->mutex);
    session->is_interrupted = true;
    if (session->page) {
        page_interrupt(session->page);
    }
    pthread_mutex_unlock(&session->mutex);
}

void br_session_close(struct br_session *session)
{
    if (!session) {
        return;
    }
    close_browser(session);
    loop_destroy(session->loop);
    pthread_mutex_destroy(&session->mutex);
    for (size_t i = 0; session->chrome_args[i]; i++) {
        free(session->chrome_args[i]);
    }
    free(session->chrome_args);
    free((char *)session->options.chrome);
    free((char *)session->options.connect);
    free((char *)session->options.project);
    free((char *)session->options.profile);
    free(session);
}
