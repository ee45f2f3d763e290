#include "runner/chrome/browser.h"

#include "profiles/profile.h"
#include "profiles/run_directory.h"
#include "runner/base/platform.h"
#include "runner/base/strbuf.h"
#include "runner/cdp/client.h"
#include "runner/chrome/command_line.h"
#include "runner/chrome/find.h"
#include "runner/chrome/process.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

enum {
    CLOSE_GRACE_MS = 5000,  /* until a browser that was asked to end is killed */
    REMOVE_GRACE_MS = 3000, /* for the files of its last processes */
    EXIT_GRACE_MS = 1000,   /* between the end of the pipe and that of the process */
    LEAST_SHARED_MEMORY = 64 * 1024 * 1024,
    EXIT_PROFILE_IN_USE = 21,
    MAX_LAST_LINE = 300,
    RELEASE_GRACE_MS = 1500, /* for a browser that is just ending to let go of the profile */
};

struct browser {
    struct cdp_connection *connection;
    struct process *process;   /* NULL: somebody else's browser */
    struct run_directory *run; /* of a launch */
    char *profile;             /* its directory */
    bool is_temporary;         /* nothing in the profile is worth keeping */
};

/* What Chrome says when it cannot start, and what the user can do. */
static const struct {
    const char *words;
    const char *message;
    const char *hint;
} last_words[] = {
    { "Running as root without --no-sandbox", "Chrome does not run as root with its sandbox",
      "add --no-sandbox, or run as another user" },
    { "No usable sandbox", "Chrome finds no sandbox on this system",
      "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1), or add --no-sandbox" },
    { "ProcessSingleton", "the profile is in use by another Chrome",
      "close that browser, or use --temp-profile or another --project" },
    { "Missing X server or $DISPLAY", "Chrome has no display to open a window on",
      "leave --headed out, or set DISPLAY" },
    { "error while loading shared libraries", "Chrome lacks a library of the system",
      "install it, or install Chrome from your distribution" },
    { "No space left on device", "Chrome's disk is full", "free some space for the profile" },
};

/* The last line that Chrome wrote and that says something; "" if there is none. */
static char *last_line(const char *words)
{
    size_t end = strlen(words);
    while (end > 0) {
        size_t start = end;
        while (start > 0 && words[start - 1] != '\n') {
            start--;
        }
        CLEANUP_FREE char *line = xstrndup(words + start, end - start);
        /* Chrome complains of the lack of D-Bus wherever there is no desktop. */
        if (*line && !strstr(line, "dbus") && !strstr(line, "DBus")) {
            return xstrndup(line, strnlen(line, MAX_LAST_LINE));
        }
        end = start > 0 ? start - 1 : 0;
    }
    return xstrdup("");
}

static void explain_exit(struct browser *browser, struct br_error *err)
{
    int code = process_exit_code(browser->process);
    CLEANUP_FREE char *words = process_last_words(browser->process);
    CLEANUP_FREE char *line = last_line(words);
    int64_t shared_memory = platform_shared_memory_free();
    if (code == EXIT_PROFILE_IN_USE) {
        error_set(err, BR_PROFILE_IN_USE, "the profile %s is in use by another Chrome",
                  browser->profile);
        error_hint(err, "close that browser, or use --temp-profile or another --project");
        return;
    }
    for (size_t i = 0; i < sizeof(last_words) / sizeof(last_words[0]); i++) {
        if (strstr(words, last_words[i].words)) {
            error_set(err, BR_BROWSER_CRASHED, "%s", last_words[i].message);
            error_hint(err, "%s", last_words[i].hint);
            return;
        }
    }
    error_set(err, BR_BROWSER_CRASHED, "Chrome ended %s %d%s%s",
              code < 0 ? "by signal" : "with exit code", code < 0 ? -code : code, *line ? ": " : "",
              line);
    if (shared_memory >= 0 && shared_memory < LEAST_SHARED_MEMORY) {
        error_hint(err, "/dev/shm is almost full or too small: give the container --shm-size=1g");
    }
}

bool browser_explain(struct browser *browser, struct br_error *err)
{
    /* A command that could not be written fails before the loop has seen the end of the pipe. */
    if (err->code != BR_DISCONNECTED && cdp_connection_is_open(browser->connection)) {
        return false;
    }
    if (browser->process && process_wait(browser->process, deadline_in_ms(EXIT_GRACE_MS))) {
        explain_exit(browser, err);
    } else {
        err->code = BR_DISCONNECTED;
    }
    return true;
}

/*
 * A runner that was killed a moment ago leaves a Chrome that is still writing its profile: waits a
 * little for the end of whoever holds it.
 */
static void await_release(const char *directory)
{
    struct br_error ignored;
    struct profile_lock lock;
    if (!profile_lock_inspect(directory, &lock, &ignored) || lock.state != PROFILE_LOCK_HELD) {
        return;
    }
    int fd = platform_process_open(lock.pid);
    struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
    if (fd >= 0) {
        poll(&poll_fd, 1, RELEASE_GRACE_MS);
        close(fd);
    }
}

static bool prepare_profile(struct browser *browser, const struct br_session_options *options,
                            struct br_error *err)
{
    browser->is_temporary = options->temp_profile;
    browser->run = run_directory_create(options->temp_profile, err);
    if (!browser->run) {
        return false;
    }
    if (options->temp_profile) {
        browser->profile = xstrdup(run_directory_profile(browser->run));
        return true;
    }
    browser->profile = options->profile ? profile_directory_absolute(options->profile, err)
                                        : profile_project_directory(options->project, err);
    if (!browser->profile) {
        return false;
    }
    await_release(browser->profile);
    return profile_prepare(browser->profile, err);
}

static bool launch(struct browser *browser, struct loop *loop,
                   const struct br_session_options *options, struct log_list *logs,
                   struct br_error *err)
{
    CLEANUP_FREE char *program = chrome_find(options->chrome, err);
    if (!program || !prepare_profile(browser, options, err)) {
        return false;
    }
    bool is_root = geteuid() == 0;
    if (is_root && !options->no_sandbox) {
        log_tool(logs, BR_LOG_WARNING, "browser",
                 "Chrome runs without its sandbox, since root cannot have it");
    }
    struct chrome_options chrome = {
        .program = program,
        .profile_directory = browser->profile,
        .is_headed = options->headed,
        .has_no_sandbox = options->no_sandbox || is_root,
        .has_no_page = true,
        .viewport_width = options->viewport_width,
        .viewport_height = options->viewport_height,
        .shared_memory_free = platform_shared_memory_free(),
        .user_args = options->chrome_args,
    };
    char **argv = chrome_command_line(&chrome, err);
    struct transport *transport = NULL;
    browser->process =
        argv ? process_start(loop, argv, run_directory_tmp(browser->run), &transport, err) : NULL;
    chrome_command_line_destroy(argv);
    if (!browser->process) {
        return false;
    }
    browser->connection = cdp_connection_create(transport, err);
    return browser->connection;
}

static bool connect_to(struct browser *browser, struct loop *loop, const char *url,
                       struct deadline deadline, struct br_error *err)
{
    bool is_http = strncmp(url, "http", 4) == 0;
    CLEANUP_FREE char *found =
        is_http ? transport_websocket_discover(loop, url, deadline, err) : xstrdup(url);
    struct transport *transport =
        found ? transport_websocket_connect(loop, found, deadline, err) : NULL;
    browser->connection = transport ? cdp_connection_create(transport, err) : NULL;
    return browser->connection;
}

struct browser *browser_start(struct loop *loop, const struct br_session_options *options,
                              struct log_list *logs, struct deadline deadline, struct br_error *err)
{
    struct browser *browser = xcalloc(1, sizeof(*browser));
    bool is_started = options->connect ? connect_to(browser, loop, options->connect, deadline, err)
                                       : launch(browser, loop, options, logs, err);
    if (!is_started) {
        browser_close(browser);
        return NULL;
    }
    return browser;
}

struct cdp_connection *browser_connection(struct browser *browser)
{
    return browser->connection;
}

/* Asks a browser with a profile to write it and end; gives it the grace. */
static void end_process(struct browser *browser)
{
    if (browser->connection && !browser->is_temporary) {
        struct br_error ignored;
        cdp_connection_send(browser->connection, NULL, NULL, "Browser.close", NULL,
                            deadline_in_ms(CLOSE_GRACE_MS), &ignored);
        process_wait(browser->process, deadline_in_ms(CLOSE_GRACE_MS));
    }
    process_kill(browser->process);
}

void browser_close(struct browser *browser)
{
    if (!browser) {
        return;
    }
    if (browser->process) {
        end_process(browser);
    }
    cdp_connection_destroy(browser->connection);
    process_destroy(browser->process);
    if (browser->run) {
        struct br_error ignored;
        run_directory_remove(browser->run, deadline_in_ms(REMOVE_GRACE_MS), &ignored);
        run_directory_destroy(browser->run);
    }
    free(browser->profile);
    free(browser);
}
