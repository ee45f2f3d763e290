#include <browser_runner/session.h>

#include "profiles/preset.h"
#include "runner/base/json.h"
#include "runner/session/log_filter.h"
#include "runner/session/recovery.h"
#include "runner/session/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CLOSE_MS = 10000, /* for the browser to write its profile and end */
    MAX_POLLED = 8,
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
    if (options->max_consecutive_errors < 0 || options->total_error_threshold < 0) {
        return error_set(err, BR_INVALID_ACTION, "limits of errors are not negative");
    }
    if (options->limits.max_edge < 0 || options->limits.max_pixels < 0) {
        return error_set(err, BR_INVALID_ACTION, "limits of a picture are not negative");
    }
    return true;
}

/* What was given; else what the preset says of it, else the default. */
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
    options.stable_pixels |= given->preset && strcmp(given->preset, "ci") == 0;
    return options;
}

/* What pages begin with, the caller's to decref: the preset, with a viewport that was given. */
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

/* What is kept of all actions in files. On failure the caller closes what is open. */
static bool open_trails(const struct br_session_options *options, struct audit **ret_audit,
                        struct debug **ret_debug, struct br_error *err)
{
    bool wants_debug = options->debug || options->debug_dir;
    *ret_audit = options->audit ? audit_open(options->audit, err) : NULL;
    if (options->audit && !*ret_audit) {
        return false;
    }
    *ret_debug = wants_debug ? debug_open(options, err) : NULL;
    return *ret_debug || !wants_debug;
}

/* The directory for downloads, absolute, since Chrome wants it so; made if need be. */
static bool resolve_downloads(const char *given, char **ret_directory, struct br_error *err)
{
    struct stat info;
    if (!given) {
        return true;
    }
    if (mkdir(given, 0777) != 0 && errno != EEXIST) {
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

static struct br_session *open_session(struct br_session *first,
                                       const struct br_session_options *given, struct br_error *err)
{
    json_auto_t *preset = given->preset ? preset_load(given->preset, err) : NULL;
    struct br_session_options resolved = with_preset(given, preset);
    const struct br_session_options *options = &resolved;
    json_auto_t *log_filter = given->log_filter ? log_filter_parse(given->log_filter, err) : NULL;
    CLEANUP_FREE char *downloads = NULL;
    if ((given->preset && !preset) || (given->log_filter && !log_filter) ||
        !check_options(options, err) || !resolve_downloads(given->downloads, &downloads, err)) {
        return NULL;
    }
    bool with_tls = options->connect && (strncmp(options->connect, "wss:", 4) == 0 ||
                                         strncmp(options->connect, "https:", 6) == 0);
    struct audit *audit = NULL;
    struct debug *debug = NULL;
    struct loop *loop = NULL;
    if (open_trails(options, &audit, &debug, err)) {
        loop = first ? first->loop : loop_create(with_tls, err);
    }
    if (!loop) {
        audit_close(audit);
        debug_close(debug);
        return NULL;
    }
    struct br_session *session = xcalloc(1, sizeof(*session));
    session->loop = loop;
    session->first = first;
    session->opened_at_ms = clock_monotonic_ms();
    session->options = *options;
    session->options.chrome = xstrdup(options->chrome);
    session->options.connect = xstrdup(options->connect);
    session->options.project = xstrdup(options->project);
    session->options.profile = xstrdup(options->profile);
    session->options.audit = NULL;
    session->options.log_filter = NULL;
    session->log_filter = TAKE(log_filter);
    session->network_filter = options->network_filter;
    session->options.preset = NULL;
    session->options.downloads = TAKE(downloads);
    session->downloads = json_object();
    session->attention_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    session->settings = preset ? first_settings(preset, given, options) : NULL;
    session->options.debug_dir = NULL;
    session->audit = audit;
    session->snapshots = snapshot_store_create();
    session->secrets = secrets_create();
    session->debug = debug;
    session->limits.max_consecutive = options->max_consecutive_errors;
    session->limits.max_total = options->total_error_threshold;
    session->chrome_args = copy_strings(options->chrome_args);
    session->options.chrome_args = (const char *const *)session->chrome_args;
    pthread_mutex_init(&session->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&session->interrupted, &attributes);
    pthread_condattr_destroy(&attributes);
    return session;
}

struct br_session *br_session_open(const struct br_session_options *options, struct br_error *err)
{
    return open_session(NULL, options, err);
}

static void count_beside(struct br_session *first, int change)
{
    pthread_mutex_lock(&first->mutex);
    first->beside_count += (size_t)change;
    pthread_mutex_unlock(&first->mutex);
}

struct br_session *br_session_open_beside(struct br_session *first,
                                          const struct br_session_options *options,
                                          struct br_error *err)
{
    if (!first->options.isolated && !first->options.connect) {
        error_set(err, BR_INVALID_ACTION, "a session that is not isolated has its browser alone");
        error_hint(err, "open the first session with isolated = true");
        return NULL;
    }
    struct br_session_options own = *options;
    own.isolated = true;
    own.connect = first->options.connect;
    struct br_session *session = open_session(first, &own, err);
    if (session) {
        count_beside(first, 1);
    }
    return session;
}

bool session_is_interrupted(struct br_session *session)
{
    pthread_mutex_lock(&session->mutex);
    bool result = session->is_interrupted;
    pthread_mutex_unlock(&session->mutex);
    return result;
}

void session_pause(struct br_session *session, int64_t ms)
{
    struct timespec until = deadline_timespec(deadline_in_ms(ms));
    int result = 0;
    pthread_mutex_lock(&session->mutex);
    while (!session->is_interrupted && result == 0) {
        result = pthread_cond_timedwait(&session->interrupted, &session->mutex, &until);
    }
    pthread_mutex_unlock(&session->mutex);
}

struct br_response *br_session_run(struct br_session *session, const struct br_action *action)
{
    return session_run(session, action);
}

struct br_response *br_session_refuse(struct br_session *session, const struct br_action *action,
                                      const struct br_error *why)
{
    return session_refuse(session, action, why);
}

/* Takes in what came for the page, and keeps its logs for the next response. */
static void attend(struct br_session *session)
{
    eventfd_t count;
    eventfd_read(session->attention_fd, &count);
    page_set_logs(session->page, &session->idle_logs);
    page_catch_up(session->page);
    page_set_logs(session->page, NULL);
}

int br_session_poll(struct br_session *session, struct pollfd *fds, size_t count, int timeout_ms)
{
    struct pollfd all[MAX_POLLED + 1];
    struct deadline end = deadline_in_ms(timeout_ms);
    if (!session || !session->page || session->attention_fd < 0 || count > MAX_POLLED) {
        return poll(fds, count, timeout_ms);
    }
    memcpy(all, fds, count * sizeof(*fds));
    all[count] = (struct pollfd){ .fd = session->attention_fd, .events = POLLIN };
    page_watch(session->page, session->attention_fd);
    attend(session); /* what came before it was watched */
    int ready = 0;
    do {
        ready = poll(all, count + 1, timeout_ms < 0 ? -1 : (int)deadline_left_ms(end));
        if (ready > 0 && all[count].revents) {
            attend(session);
            ready--;
        }
    } while (ready == 0 && (timeout_ms < 0 || !deadline_passed(end)));
    page_watch(session->page, -1);
    memcpy(fds, all, count * sizeof(*fds));
    return ready;
}

const char *br_session_browser(struct br_session *session)
{
    struct br_error ignored;
    return session->page ? page_browser(session->page, &ignored) : NULL;
}

void br_session_interrupt(struct br_session *session)
{
    pthread_mutex_lock(&session->mutex);
    session->is_interrupted = true;
    pthread_cond_broadcast(&session->interrupted);
    if (!session->first) {
        loop_give_up(session->loop);
    }
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
    session_close_browser(session, deadline_in_ms(CLOSE_MS));
    log_list_finish(&session->idle_logs);
    if (session->attention_fd >= 0) {
        close(session->attention_fd);
    }
    audit_close(session->audit);
    debug_close(session->debug);
    secrets_destroy(session->secrets);
    json_decref(session->log_filter);
    if (session->first) {
        count_beside(session->first, -1);
    } else {
        loop_destroy(session->loop);
    }
    pthread_cond_destroy(&session->interrupted);
    pthread_mutex_destroy(&session->mutex);
    for (size_t i = 0; session->chrome_args[i]; i++) {
        free(session->chrome_args[i]);
    }
    free(session->chrome_args);
    snapshot_store_destroy(session->snapshots);
    json_decref(session->settings);
    free((char *)session->options.chrome);
    free((char *)session->options.connect);
    free((char *)session->options.project);
    free((char *)session->options.profile);
    free((char *)session->options.downloads);
    json_decref(session->downloads);
    free(session);
}
