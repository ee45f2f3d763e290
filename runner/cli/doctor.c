#include "profiles/profile.h"
#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/chrome/find.h"
#include "runner/cli/command.h"
#include "runner/formats/terminal_log.h"
#include "runner/hints/wording.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { VERSION_MS = 10000, ENOUGH_SHARED_MEMORY = 64 * 1024 * 1024 };

static void print_row(const char *state, const char *what, const char *text, const char *cure)
{
    CLEANUP_FREE char *shown = terminal_one_line(text);
    CLEANUP_FREE char *shown_cure = terminal_one_line(cure ? cure : "");
    printf("%-5s %-16s %s\n", state, what, shown);
    if (*shown_cure) {
        printf("%-5s %-16s %s\n", "", "", shown_cure);
    }
}

static void print_failure(const char *what, struct br_error *err)
{
    wording_error(BR_WORDING_COMMAND_LINE, err);
    print_row("FAIL", what, err->message, err->hint);
}

/* Checks the browser that would be used. */
static bool check_browser(const struct cli_options *options)
{
    struct br_error err = { 0 };
    CLEANUP_FREE char *program = chrome_find(options->browser.chrome, &err);
    if (!program) {
        print_failure("browser", &err);
        return false;
    }
    CLEANUP_FREE char *version = chrome_version(program, deadline_in_ms(VERSION_MS), &err);
    if (!version) {
        print_failure("browser", &err);
        return false;
    }
    CLEANUP_FREE char *text = xasprintf("%s (%s)", version, program);
    print_row("ok", "browser", text, NULL);
    return true;
}

/* Checks that it starts, opens a page and takes a picture. */
static bool check_picture(const struct cli_options *options)
{
    static const char start[] =
        "{\"type\":\"start\",\"url\":\"data:text/html,<title>doctor</title><h1>doctor</h1>\"}";
    struct br_error err = { 0 };
    struct br_session_options session_options = options->session;
    struct br_browser_options browser_options = options->browser;
    browser_options.temp_profile = true;
    session_options.screenshots = BR_SCREENSHOTS_POST;
    int64_t started_ms = clock_monotonic_ms();
    struct br_action *action = br_action_from_json(start, sizeof(start) - 1, &err);
    struct br_browser *browser = br_browser_open(&browser_options, &err);
    struct br_session *session = browser ? br_session_open(browser, &session_options, &err) : NULL;
    bool is_pictured = false;
    if (action && session) {
        struct br_response *response = br_session_run(session, action);
        is_pictured = response->success && response->post.bytes;
        err = response->error;
        if (response->success && response->log_count) {
            /* A failed picture is only logged. */
            error_set(&err, BR_UNKNOWN_ERROR, "%s",
                      response->logs[response->log_count - 1].message);
        }
        br_response_destroy(response);
    }
    int64_t duration_ms = clock_monotonic_ms() - started_ms;
    br_session_close(session);
    br_browser_close(browser);
    br_action_destroy(action);
    if (!is_pictured) {
        print_failure("start", &err);
        return false;
    }
    CLEANUP_FREE char *text =
        xasprintf("starts and takes a picture in %lld ms", (long long)duration_ms);
    print_row("ok", "start", text, NULL);
    return true;
}

static void check_sandbox(const struct cli_options *options)
{
    if (geteuid() == 0) {
        print_row("warn", "sandbox", "off: root cannot have it", "run as another user to have it");
    } else if (options->browser.no_sandbox) {
        print_row("warn", "sandbox", "off, as --no-sandbox says", NULL);
    } else {
        print_row("ok", "sandbox", "on", NULL);
    }
}

static void check_shared_memory(void)
{
    int64_t free_bytes = platform_shared_memory_free();
    CLEANUP_FREE char *text =
        xasprintf("%lld MB free in /dev/shm", (long long)(free_bytes / (1024 * 1024)));
    if (free_bytes < 0) {
        print_row("warn", "shared memory", "/dev/shm is missing or cannot be written",
                  "mount a tmpfs there, writable; until then pages use files in /tmp");
    } else if (free_bytes < ENOUGH_SHARED_MEMORY) {
        print_row("warn", "shared memory", text, "in a container: --shm-size=1g");
    } else {
        print_row("ok", "shared memory", text, NULL);
    }
}

/* Whether a directory can be written to, or made. */
static bool check_writable(const char *directory, struct br_error *err)
{
    CLEANUP_FREE char *path = xstrdup(directory);
    for (char *slash; access(path, F_OK) != 0 && errno == ENOENT && (slash = strrchr(path, '/'));) {
        slash[slash == path] = '\0';
    }
    return access(path, W_OK | X_OK) == 0 ||
           error_set_errno(err, BR_UNKNOWN_ERROR, errno, "%s cannot be written to", path);
}

static bool check_profile(const struct cli_options *options)
{
    struct br_error err = { 0 };
    if (options->browser.temp_profile) {
        print_row("ok", "profile", "a temporary one", NULL);
        return true;
    }
    CLEANUP_FREE char *directory = options->browser.profile
                                       ? profile_directory_absolute(options->browser.profile, &err)
                                       : profile_project_directory(options->browser.project, &err);
    struct profile_lock lock = { 0 };
    if (!directory || !check_writable(directory, &err) ||
        !profile_lock_inspect(directory, &lock, &err)) {
        print_failure("profile", &err);
        return false;
    }
    if (lock.state == PROFILE_LOCK_HELD) {
        print_row("warn", "profile", directory, "in use by a browser");
    } else {
        print_row("ok", "profile", directory, NULL);
    }
    return true;
}

static int run_doctor(struct cli_options *options)
{
    bool has_browser = check_browser(options);
    check_sandbox(options);
    check_shared_memory();
    bool has_profile = check_profile(options);
    bool is_working = has_browser && check_picture(options);
    return is_working && has_profile ? EXIT_SUCCESS : EXIT_NO_BROWSER;
}

const struct command command_doctor = {
    .name = "doctor",
    .operands = "",
    .summary = "Reports what is installed, what is missing, and how to install it",
    .description = "Finds the browser, starts it with a temporary profile and takes a picture. "
                   "Exit code 0 if all of that works, otherwise 3.",
    .examples = "  browser-runner doctor\n  browser-runner doctor --chrome headless-shell\n",
    .option_groups = OPTIONS_BROWSER,
    .run = run_doctor,
};
