#include <browser_runner/session.h>

#include "profiles/preset.h"
#include "runner/actions/actions.h"
#include "runner/base/action.h"
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/options.h"
#include "runner/hints/wording.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/highlight.h"
#include "runner/page/page.h"
#include "runner/page/world/agent.h"
#include "runner/session/events.h"
#include "runner/session/recovery.h"
#include "runner/session/run.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_POLLED = 8,
    MAX_ID = 64,
};

static const struct options_text texts[] = {
    { offsetof(struct br_session_options, session_id), OPTIONS_TEXT },
    { offsetof(struct br_session_options, context), OPTIONS_TEXT },
    { offsetof(struct br_session_options, tab), OPTIONS_TEXT },
    { offsetof(struct br_session_options, downloads), OPTIONS_TEXT },
    { offsetof(struct br_session_options, preset), OPTIONS_TEXT },
    { offsetof(struct br_session_options, debug_dir), OPTIONS_TEXT },
    { offsetof(struct br_session_options, log_filter), OPTIONS_TEXT },
    { offsetof(struct br_session_options, retry), OPTIONS_TEXT },
    { offsetof(struct br_session_options, audit), OPTIONS_TEXT },
};

static bool check_id(const char *id, struct br_error *err)
{
    static const char known[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    if (!id || (*id && strlen(id) <= MAX_ID && id[strspn(id, known)] == '\0')) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "\"%.*s\" is not a session id", MAX_ID, id);
    return error_hint(err, "1 to %d letters, digits, \".\", \"_\" and \"-\"", MAX_ID);
}

static bool check_options(const struct br_session_options *options, struct br_error *err)
{
    if (!check_id(options->session_id, err)) {
        return false;
    }
    if (options->isolated && options->context) {
        return error_set(err, BR_INVALID_ACTION,
                         "a session is either isolated or in a shared context, not both");
    }
    if (options->tab && (options->isolated || options->context)) {
        return error_set(
            err, BR_INVALID_ACTION,
            "an open tab is already in a context: it does not go with isolated or context");
    }
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
    if (options->idle_detach_ms < 0) {
        return error_set(err, BR_INVALID_ACTION, "an idle time of %d ms", options->idle_detach_ms);
    }
    if (options->timeout_ms < 1) {
        return error_set(err, BR_INVALID_ACTION, "a timeout of %d ms", options->timeout_ms);
    }
    if (options->max_consecutive_errors < 0 || options->total_error_threshold < 0) {
        return error_set(err, BR_INVALID_ACTION, "limits of errors are not negative");
    }
    if (options->limits.max_edge < 0 || options->limits.max_pixels < 0) {
        return error_set(err, BR_INVALID_ACTION, "limits of a picture are not negative");
    }
    return true;
}

/* Resolves each option: the given value, else the preset's, else the default. */
static struct br_session_options with_preset(const struct br_session_options *given,
                                             const json_t *preset)
{
    struct br_session_options options = *given;
    const json_t *viewport = json_object_get(preset, "viewport");
    if (!options.viewport_width && !options.viewport_height) {
        options.viewport_width = (int)json_member_number(viewport, "width", 1280);
        options.viewport_height = (int)json_member_number(viewport, "height", 720);
    }
    if (options.device_pixel_ratio == 0) {
        options.device_pixel_ratio = json_member_number(viewport, "deviceScaleFactor", 1);
    }
    return options;
}

/*
 * Returns the initial settings of pages: the preset, with the given viewport. The caller decrefs.
 */
static json_t *first_settings(json_t *preset, const struct br_session_options *given,
                              const struct br_session_options *resolved)
{
    json_t *viewport = json_object_get(preset, "viewport");
    json_object_set_new(viewport, "width", json_integer(resolved->viewport_width));
    json_object_set_new(viewport, "height", json_integer(resolved->viewport_height));
    json_object_set_new(viewport, "deviceScaleFactor", json_real(resolved->device_pixel_ratio));
    if (given->viewport_width) {
        json_object_del(viewport, "screenWidth");
        json_object_del(viewport, "screenHeight");
    }
    return json_incref(preset);
}

/*
 * Returns the directory for downloads as an absolute path, which Chrome requires; creates it if
 * missing.
 */
static bool resolve_downloads(const char *given, char **ret_directory, struct br_error *err)
{
    struct stat info;
    if (!given) {
        return true;
    }
    if (mkdir(given, 0700) != 0 && errno != EEXIST) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot make %s", given);
    }
    char *directory = realpath(given, NULL);
    bool is_usable =
        directory && stat(directory, &info) == 0 && access(directory, W_OK | X_OK) == 0;
    if (!is_usable || !S_ISDIR(info.st_mode)) {
        free(directory);
        return is_usable
                   ? error_set(err, BR_INVALID_ACTION, "%s is not a directory", given)
                   : error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write to %s", given);
    }
    *ret_directory = directory;
    return true;
}

/* The options after checking. On failure everything in it is freed. */
struct opened {
    struct br_session_options options; /* merged with the preset; texts are borrowed */
    json_t *settings, *log_filter, *retry_options;
    char *downloads;
    struct audit *audit;
    struct debug *debug;
    struct policy *policy;
    char made_id[17];
};

static void make_id(char *id, size_t size)
{
    snprintf(id, size, "%08" PRIx32 "%08" PRIx32, arc4random(), arc4random());
}

static void close_opened(struct opened *opened)
{
    json_decref(opened->settings);
    json_decref(opened->log_filter);
    json_decref(opened->retry_options);
    free(opened->downloads);
    audit_close(opened->audit);
    debug_close(opened->debug);
    policy_destroy(opened->policy);
}

/* Opens the audit trail and the debug files. */
static bool open_trails(struct opened *opened, const struct br_browser *browser,
                        struct br_error *err)
{
    const struct br_session_options *options = &opened->options;
    bool wants_debug = options->debug || options->debug_dir;
    opened->audit = options->audit ? audit_open(options->audit, options->session_id, err) : NULL;
    if (options->audit && !opened->audit) {
        return false;
    }
    opened->debug = wants_debug ? debug_open(options, browser_options(browser), err) : NULL;
    return opened->debug || !wants_debug;
}

/* Directories for output have to obey the rule for files, too. */
static bool check_directory(const struct policy *policy, const char *option, const char *directory,
                            struct br_error *err)
{
    if (!directory || policy_check_file(policy, directory, err)) {
        return true;
    }
    err->code = BR_INVALID_ACTION;
    error_context(err, "%s", option);
    return error_hint(err, "name a directory below that of ⟨files⟩");
}

static bool open_policy(struct opened *opened, struct br_error *err)
{
    const struct br_session_options *options = &opened->options;
    const char *debug_dir =
        options->debug && !options->debug_dir ? BR_DEBUG_DIR : options->debug_dir;
    return policy_create(&options->policy, &opened->policy, err) &&
           check_directory(opened->policy, "⟨downloads⟩", opened->downloads, err) &&
           check_directory(opened->policy, "⟨debug-dir⟩", debug_dir, err);
}

static bool open_rules(struct opened *opened, struct br_error *err)
{
    if (!open_policy(opened, err)) {
        return false;
    }
    policy_set_saved(opened->policy, opened->downloads);
    return true;
}

/* Parses and validates the default for actions without the parameter `name`. NULL: no default. */
static bool read_default(const char *name, const char *text, json_t **ret_value,
                         struct br_error *err)
{
    struct br_error broken;
    json_t *value = text ? json_parse(text, strlen(text), name, &broken) : NULL;
    if (!text) {
        return true;
    }
    if (!value) {
        return error_set(err, BR_INVALID_ACTION, "%s", broken.message);
    }
    /* Every type accepts these parameters; the type's name in the message would only confuse. */
    CLEANUP_ACTION struct br_action *action = action_create("stop", (struct source_position){ 0 });
    action_add(action, name, value, (struct source_position){ 0 });
    if (action_validate(action, err)) {
        *ret_value = json_incref(json_object_get(action->params, name));
        return true;
    }
    const char *path = strstr(err->message, name);
    memmove(err->message, path ? path : err->message, strlen(path ? path : err->message) + 1);
    return false;
}

static bool open_parts(struct opened *opened, const struct br_browser *browser,
                       const struct br_session_options *given, struct br_error *err)
{
    json_auto_t *preset = given->preset ? preset_load(given->preset, err) : NULL;
    opened->options = with_preset(given, preset);
    opened->settings = preset ? first_settings(preset, given, &opened->options) : NULL;
    if (!opened->options.session_id) {
        make_id(opened->made_id, sizeof(opened->made_id));
        opened->options.session_id = opened->made_id;
    }
    return (!given->preset || preset) &&
           read_default("logFilter", given->log_filter, &opened->log_filter, err) &&
           read_default("retryOptions", given->retry, &opened->retry_options, err) &&
           check_options(&opened->options, err) &&
           resolve_downloads(given->downloads, &opened->downloads, err) &&
           open_rules(opened, err) && open_trails(opened, browser, err);
}

struct br_session *br_session_open(struct br_browser *browser,
                                   const struct br_session_options *options, struct br_error *err)
{
    struct opened opened = { 0 };
    if (!browser) {
        error_set(err, BR_INVALID_ACTION, "a session needs a browser");
        return NULL;
    }
    if (!open_parts(&opened, browser, options, err)) {
        wording_error(browser_options(browser)->wording, err);
        close_opened(&opened);
        return NULL;
    }
    struct br_session *session = xcalloc(1, sizeof(*session));
    session->browser = browser;
    session->opened_at_ms = clock_monotonic_ms();
    session->options = opened.options;
    session->options.downloads = opened.downloads;
    options_own(&session->options, texts, sizeof(texts) / sizeof(texts[0]));
    free(opened.downloads);
    session->log_filter = opened.log_filter;
    session->retry_options = opened.retry_options;
    session->settings = opened.settings;
    session->audit = opened.audit;
    session->debug = opened.debug;
    session->network_filter = options->network_filter;
    session->options.policy = (struct br_policy){ 0 };
    session->policy = opened.policy;
    session->downloads = json_object();
    session->attention_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    session->snapshots = snapshot_store_create();
    session->secrets = secrets_create();
    events_begin(session);
    session->limits.max_consecutive = options->max_consecutive_errors;
    session->limits.max_total = options->total_error_threshold;
    pthread_mutex_init(&session->mutex, NULL);
    condition_init(&session->called_off);
    return session;
}

struct br_response *br_session_run(struct br_session *session, const struct br_action *action)
{
    return session_run(session, action);
}

struct br_response *br_session_refuse(struct br_session *session, const char *type,
                                      const struct br_error *why)
{
    CLEANUP_ACTION struct br_action *action =
        action_create(type ? type : "unknown", (struct source_position){ 0 });
    return session_refuse(session, action, why);
}

/* Processes the page's pending events, and keeps its log entries for the next response. */
static void process_events(struct br_session *session)
{
    eventfd_t count;
    eventfd_read(session->attention_fd, &count);
    page_set_logs(session->page, &session->idle_logs);
    page_catch_up(session->page);
    if (!cdp_connection_is_open(browser_life_connection(session->life))) {
        events_tell_page(session, "the browser is gone");
    }
    page_set_logs(session->page, NULL);
}

/* Does the page's due work; returns when more is due. */
static struct deadline do_due_work(struct br_session *session)
{
    page_set_logs(session->page, &session->idle_logs);
    struct deadline due = deadline_earlier(page_tend(session->page), highlight_tend(session->page));
    page_set_logs(session->page, NULL);
    return due;
}

static const struct deadline never = { .at_us = INT64_MAX };

static int poll_timeout(struct deadline due)
{
    int64_t left_ms = deadline_left_ms(due);
    return due.at_us == never.at_us ? -1 : left_ms < INT_MAX ? (int)left_ms : INT_MAX;
}

/* Returns when to detach from the tab. */
static struct deadline detach_due(const struct br_session *session)
{
    int64_t idle_ms = clock_monotonic_ms() - session->idle_since_ms;
    bool may_detach = session->options.idle_detach_ms > 0 && page_is_adopted(session->page) &&
                      page_count_tabs(session->page) == 1;
    return may_detach ? deadline_in_ms(session->options.idle_detach_ms - idle_ms) : never;
}

int br_session_poll(struct br_session *session, struct pollfd *fds, size_t count, int timeout_ms)
{
    struct pollfd all[MAX_POLLED + 1];
    struct deadline end = timeout_ms < 0 ? never : deadline_in_ms(timeout_ms);
    if (!session || !session->page || session->attention_fd < 0 || count > MAX_POLLED) {
        return poll(fds, count, timeout_ms);
    }
    for (size_t i = 0; i < count; i++) { /* fds may be NULL when count is 0 */
        all[i] = fds[i];
    }
    all[count] = (struct pollfd){ .fd = session->attention_fd, .events = POLLIN };
    page_watch(session->page, session->attention_fd);
    process_events(session); /* handles what came before the descriptor was watched */
    int ready = 0;
    do {
        struct deadline detach = detach_due(session);
        struct deadline due = deadline_earlier(deadline_earlier(end, detach), do_due_work(session));
        if (deadline_passed(detach)) {
            page_watch(session->page, -1);
            session_detach(session);
            return poll(fds, count, poll_timeout(end));
        }
        ready = poll(all, count + 1, poll_timeout(due));
        if (ready > 0 && all[count].revents) {
            process_events(session);
            ready--;
        }
    } while (ready == 0 && !deadline_passed(end));
    page_watch(session->page, -1);
    for (size_t i = 0; i < count; i++) {
        fds[i] = all[i];
    }
    return ready;
}

const char *br_session_browser(struct br_session *session)
{
    struct br_error ignored;
    if (!session->page) {
        return NULL;
    }
    page_set_logs(session->page, &session->idle_logs); /* events may arrive together with the
                                                          reply */
    const char *browser = page_browser(session->page, &ignored);
    page_set_logs(session->page, NULL);
    return browser;
}

bool br_session_cancel(struct br_session *session)
{
    pthread_mutex_lock(&session->mutex);
    bool is_running = session_cancel_running(session, NULL);
    pthread_mutex_unlock(&session->mutex);
    return is_running;
}

bool br_session_cancel_action(struct br_session *session, uint64_t action_id)
{
    pthread_mutex_lock(&session->mutex);
    bool is_running = action_id && session_cancel_running(session, &action_id);
    pthread_mutex_unlock(&session->mutex);
    return is_running;
}

void br_session_interrupt(struct br_session *session)
{
    pthread_mutex_lock(&session->mutex);
    session->is_interrupted = true;
    if (session->page) {
        page_interrupt(session->page);
    }
    atomic_store(&session->is_called_off, true);
    pthread_cond_broadcast(&session->called_off);
    pthread_mutex_unlock(&session->mutex);
}

void br_session_close(struct br_session *session)
{
    if (!session) {
        return;
    }
    session_leave_browser(session, deadline_in_ms(SESSION_CLOSE_MS));
    events_finish(session);
    log_list_finish(&session->idle_logs);
    if (session->attention_fd >= 0) {
        close(session->attention_fd);
    }
    audit_close(session->audit);
    debug_close(session->debug);
    policy_destroy(session->policy);
    secrets_destroy(session->secrets);
    json_decref(session->log_filter);
    json_decref(session->retry_options);
    pthread_cond_destroy(&session->called_off);
    pthread_mutex_destroy(&session->mutex);
    snapshot_store_destroy(session->snapshots);
    json_decref(session->settings);
    json_decref(session->downloads);
    options_free(&session->options, texts, sizeof(texts) / sizeof(texts[0]));
    free(session);
}
