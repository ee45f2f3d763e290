#include "runner/cli/warm.h"

#include "profiles/profile.h"
#include "runner/base/json.h"
#include "runner/servers/local/client.h"
#include "runner/sessions/settings.h"

#include <string.h>
#include <unistd.h>

const char *warm_session_name(const struct cli_options *options, const char *given)
{
    const char *of_environment = getenv("BROWSER_RUNNER_SESSION");
    if (given) {
        return given;
    }
    if (options->warm) {
        return options->warm;
    }
    return of_environment && *of_environment ? of_environment : "default";
}

/*
 * Makes a path in the options absolute, because the daemon has another working directory. *owned is
 * to be freed.
 */
static bool make_absolute(const char **path, char **owned, struct br_error *err)
{
    if (!*path) {
        return true;
    }
    *owned = profile_directory_absolute(*path, err);
    *path = *owned;
    return *owned;
}

/*
 * Defaults that depend on the client: the project's profile by the current directory, and Chrome's
 * path. Without a place for profiles only an open session can be used.
 */
static void add_defaults(json_t *request, const struct br_browser_options *browser)
{
    struct br_error missing;
    struct br_browser_options browser_defaults = BR_BROWSER_OPTIONS_INIT;
    struct br_session_options session_defaults = BR_SESSION_OPTIONS_INIT;
    CLEANUP_FREE char *profile = NULL;
    session_defaults.screenshots = BR_SCREENSHOTS_NONE;
    if (!browser->connect && !browser->profile && !browser->temp_profile) {
        profile = profile_project_directory(NULL, &missing);
        browser_defaults.profile = profile;
        if (!profile) {
            json_object_set_new(request, "noProfile", json_text(missing.message));
        }
    }
    browser_defaults.chrome = getenv("BROWSER_RUNNER_CHROME");
    json_object_set_new(request, "defaults", settings_write(&browser_defaults, &session_defaults));
}

bool warm_add_settings(json_t *request, const struct cli_options *given, struct br_error *err)
{
    struct br_browser_options browser = given->browser;
    struct br_session_options session = given->session;
    CLEANUP_FREE char *profile = NULL;
    CLEANUP_FREE char *downloads = NULL;
    CLEANUP_FREE char *debug_dir = NULL;
    CLEANUP_FREE char *audit = NULL;
    CLEANUP_FREE char *files = NULL;
    if (browser.project && !browser.profile) {
        profile = profile_project_directory(browser.project, err);
        browser.profile = profile;
        if (!profile) {
            return false;
        }
    } else if (!make_absolute(&browser.profile, &profile, err)) {
        return false;
    }
    browser.project = NULL;
    bool has_files = session.policy.files && strcmp(session.policy.files, "none") != 0;
    if (!make_absolute(&session.downloads, &downloads, err) ||
        !make_absolute(&session.debug_dir, &debug_dir, err) ||
        !make_absolute(&session.audit, &audit, err) ||
        (has_files && !make_absolute(&session.policy.files, &files, err))) {
        return false;
    }
    json_object_set_new(request, "settings", settings_write(&browser, &session));
    add_defaults(request, &browser);
    return true;
}

/* An exchange, and the descriptor of its signals. */
struct asking {
    struct warm_exchange *exchange;
    int signal_fd; /* our own; -1: the exchange has an interrupt */
};

static bool on_line(void *data, json_t *line, const char *text, struct br_error *err)
{
    const struct warm_exchange *exchange = ((struct asking *)data)->exchange;
    return exchange->on_line(exchange->data, line, text, err);
}

/*
 * The first signal cancels; without an interrupt of the program's own, a second one ends the
 * program.
 */
static bool on_cancel(void *data)
{
    const struct asking *asking = data;
    if (asking->exchange->was_interrupted) {
        _exit(EXIT_INTERRUPTED);
    }
    asking->exchange->was_interrupted = true;
    if (asking->signal_fd >= 0) {
        interrupt_take(asking->signal_fd);
    }
    return asking->signal_fd >= 0;
}

bool warm_ask(struct warm_exchange *exchange, json_t *request, struct br_error *err)
{
    sigset_t before;
    struct asking asking = { exchange, exchange->interrupt ? -1 : interrupt_open_signals(&before) };
    const struct local_exchange local = {
        .start = exchange->forbids_start ? LOCAL_NO_START : LOCAL_START,
        .timeout_ms = exchange->timeout_ms,
        .cancel_fd = exchange->interrupt ? interrupt_fd(exchange->interrupt) : asking.signal_fd,
        .data = &asking,
        .on_line = on_line,
        .on_cancel = on_cancel,
    };
    bool is_answered = local_ask(&local, request, err);
    if (asking.signal_fd >= 0) {
        close(asking.signal_fd);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return is_answered;
}
