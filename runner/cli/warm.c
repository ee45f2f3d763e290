#include "runner/cli/warm.h"

#include "profiles/profile.h"
#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/servers/local/client.h"
#include "runner/servers/local/place.h"
#include "runner/sessions/settings.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

enum {
    CANCEL_MS = 10000, /* longest wait for an answer after a cancel */
    REPLACE_MS = 5000, /* longest wait for a daemon of another version to end */
    REPLACE_LOOKS = 100,
};

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

json_t *warm_request(const char *op, const char *session)
{
    CLEANUP_FREE char *version = local_version();
    return json_pack("{s:s, s:s, s:o*}", "version", version, "op", op, "session",
                     session ? json_text(session) : NULL);
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
 * path.
 */
static bool add_defaults(json_t *request, const struct br_browser_options *browser,
                         struct br_error *err)
{
    struct br_browser_options browser_defaults = BR_BROWSER_OPTIONS_INIT;
    struct br_session_options session_defaults = BR_SESSION_OPTIONS_INIT;
    CLEANUP_FREE char *profile = NULL;
    session_defaults.screenshots = BR_SCREENSHOTS_NONE;
    if (!browser->connect && !browser->profile && !browser->temp_profile) {
        profile = profile_project_directory(NULL, err);
        browser_defaults.profile = profile;
        if (!profile) {
            return false;
        }
    }
    browser_defaults.chrome = getenv("BROWSER_RUNNER_CHROME");
    json_object_set_new(request, "defaults", settings_write(&browser_defaults, &session_defaults));
    return true;
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
    return add_defaults(request, &browser, err);
}

/* Converts an "error" line to an error. */
static void read_error(const json_t *line, struct br_error *err)
{
    const char *hint = json_member_string(line, "hint");
    const char *message = json_member_string(line, "error");
    const char *code = json_member_string(line, "errorCode");
    error_set(err, error_code_from_name(code ? code : ""), "%s", message ? message : "");
    if (hint) {
        error_hint(err, "%s", hint);
    }
}

enum outcome {
    ANSWERED,
    FAILED,
    REPLACED, /* the daemon ends, and another one has to be asked */
};

static enum outcome refuse_version(const json_t *line, struct br_error *err)
{
    if (json_member_bool(line, "ends", false)) {
        return REPLACED;
    }
    CLEANUP_FREE char *version = local_version();
    error_set(err, BR_UNKNOWN_ERROR,
              "the running daemon (process %.0f) has version %s, this program has version %s, and "
              "%.0f sessions are open in the daemon",
              json_member_number(line, "pid", 0), json_member_string(line, "version"), version,
              json_member_number(line, "sessions", 0));
    error_hint(err, "browser-runner session stop --all ends them");
    return FAILED;
}

/* Processes one line by its kind. */
static enum outcome take_line(struct warm_exchange *exchange, json_t *line, const char *text,
                              struct br_error *err)
{
    const char *kind = json_member_string(line, "kind");
    if (kind && strcmp(kind, "error") == 0) {
        read_error(line, err);
        return FAILED;
    }
    if (kind && strcmp(kind, "otherVersion") == 0) {
        return refuse_version(line, err);
    }
    return exchange->on_line(exchange->data, line, text, err) ? ANSWERED : FAILED;
}

/*
 * The first signal cancels; without an interrupt of the program's own, a second one ends the
 * program.
 */
static void note_interrupt(struct warm_exchange *exchange, int signal_fd)
{
    if (exchange->was_interrupted) {
        _exit(EXIT_INTERRUPTED);
    }
    exchange->was_interrupted = true;
    if (!exchange->interrupt) {
        interrupt_take(signal_fd);
    }
}

/* signal_fd: our own, if the exchange has no interrupt. */
static enum outcome read_answer(struct warm_exchange *exchange, struct local_client *client,
                                int signal_fd, struct br_error *err)
{
    struct deadline deadline = deadline_in_ms(exchange->timeout_ms);
    enum outcome outcome = ANSWERED;
    while (outcome == ANSWERED) {
        bool is_interrupted = false;
        const char *text = NULL;
        int fd = !exchange->interrupt        ? signal_fd
                 : exchange->was_interrupted ? -1
                                             : interrupt_fd(exchange->interrupt);
        json_auto_t *line = local_client_read(client, deadline, fd, &is_interrupted, &text, err);
        if (line) {
            outcome = take_line(exchange, line, text, err);
        } else if (is_interrupted) {
            note_interrupt(exchange, signal_fd);
            deadline = deadline_in_ms(CANCEL_MS);
            local_client_send(client, warm_request("cancel", NULL), err);
        } else {
            return err->code == BR_OK ? ANSWERED : FAILED;
        }
    }
    return outcome;
}

static enum outcome ask_once(struct warm_exchange *exchange, json_t *request, struct br_error *err)
{
    struct local_client *client =
        local_client_connect(exchange->forbids_start ? LOCAL_NO_START : LOCAL_START, err);
    if (!client) {
        return FAILED;
    }
    sigset_t before;
    int signal_fd = exchange->interrupt ? -1 : interrupt_open_signals(&before);
    enum outcome outcome = local_client_send(client, json_incref(request), err)
                               ? read_answer(exchange, client, signal_fd, err)
                               : FAILED;
    if (signal_fd >= 0) {
        close(signal_fd);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    local_client_close(client);
    return outcome;
}

bool warm_ask(struct warm_exchange *exchange, json_t *request, struct br_error *err)
{
    enum outcome outcome = ask_once(exchange, request, err);
    for (int i = 0; outcome == REPLACED && i < REPLACE_LOOKS; i++) {
        poll(NULL, 0, REPLACE_MS / REPLACE_LOOKS);
        outcome = ask_once(exchange, request, err);
    }
    json_decref(request);
    return outcome == ANSWERED;
}
