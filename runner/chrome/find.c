#include "runner/chrome/find.h"

#include "runner/base/memory.h"
#include "runner/base/names.h"
#include "runner/base/platform.h"
#include "runner/base/strbuf.h"
#include "runner/base/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The headless shell starts in half the time but lacks parts of Chrome: it comes last, or on
 * request. Debian's command of that name stays as the browser's parent process, so its real path
 * comes first.
 */
static const struct chrome_place usual_places[] = {
    { "chrome", "linux", "google-chrome-stable" },
    { "chrome", "linux", "google-chrome" },
    { "chrome", "linux", "/opt/google/chrome/chrome" },
    { "chromium", "linux", "chromium" },
    { "chromium", "linux", "chromium-browser" },
    { "chromium", "linux", "/usr/lib/chromium/chromium" },
    { "chromium", "linux", "/snap/bin/chromium" },
    { "edge", "linux", "microsoft-edge-stable" },
    { "edge", "linux", "/opt/microsoft/msedge/msedge" },
    { "chrome-beta", "linux", "google-chrome-beta" },
    { "chrome-beta", "linux", "/opt/google/chrome-beta/chrome" },
    { "chrome-dev", "linux", "google-chrome-unstable" },
    { "chrome-dev", "linux", "/opt/google/chrome-unstable/chrome" },
    { "headless-shell", "linux", "/usr/lib/chromium/chromium-headless-shell" },
    { "headless-shell", "linux", "chromium-headless-shell" },
    { "headless-shell", "linux", "chrome-headless-shell" },
    { "headless-shell", "linux", "headless-shell" },

    { "chrome", "macos", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" },
    { "chromium", "macos", "/Applications/Chromium.app/Contents/MacOS/Chromium" },
    { "edge", "macos", "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge" },
    { "chrome-beta", "macos",
      "/Applications/Google Chrome Beta.app/Contents/MacOS/Google Chrome Beta" },
    { "chrome-dev", "macos",
      "/Applications/Google Chrome Dev.app/Contents/MacOS/Google Chrome Dev" },
    { "headless-shell", "macos", "chrome-headless-shell" },

    { "chrome", "windows", "C:/Program Files/Google/Chrome/Application/chrome.exe" },
    { "chrome", "windows", "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe" },
    { "chromium", "windows", "C:/Program Files/Chromium/Application/chrome.exe" },
    { "edge", "windows", "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe" },
    { "chrome-beta", "windows", "C:/Program Files/Google/Chrome Beta/Application/chrome.exe" },
    { "chrome-dev", "windows", "C:/Program Files/Google/Chrome Dev/Application/chrome.exe" },
    { "headless-shell", "windows", "chrome-headless-shell.exe" },
};

const struct chrome_place *chrome_places(size_t *ret_count)
{
    *ret_count = sizeof(usual_places) / sizeof(usual_places[0]);
    return usual_places;
}

/* Returns 0, or the errno that says why the path cannot be executed. */
static int executable_check(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        return errno;
    }
    if (!S_ISREG(info.st_mode)) {
        return S_ISDIR(info.st_mode) ? EISDIR : ENOEXEC;
    }
    return access(path, X_OK) == 0 ? 0 : errno;
}

/* Returns the path of a command in PATH, or NULL. Caller frees. */
static char *search_path(const char *command)
{
    const char *part = getenv("PATH");
    while (part) {
        const char *colon = strchrnul(part, ':');
        /* An empty or relative entry would run a program from the working directory. */
        if (part[0] == '/') {
            CLEANUP_FREE char *path = xasprintf("%.*s/%s", (int)(colon - part), part, command);
            if (executable_check(path) == 0) {
                return TAKE(path);
            }
        }
        part = *colon ? colon + 1 : NULL;
    }
    return NULL;
}

/* Returns the executable of one place, or NULL. Caller frees. */
static char *search_place(const char *place)
{
    if (!strchr(place, '/')) {
        return search_path(place);
    }
    return executable_check(place) == 0 ? xstrdup(place) : NULL;
}

static void hint_install(struct br_error *err)
{
    error_hint(err,
               "To install one: %s (browser-runner never does so itself). Use ⟨chrome⟩ PATH for "
               "one in another place.",
               platform_install_command());
}

static char *find_by_path(const char *path, struct br_error *err)
{
    int error_number = executable_check(path);
    if (error_number) {
        error_set_errno(err, BR_BROWSER_NOT_FOUND, error_number,
                        "'%s' is not an executable browser", path);
        hint_install(err);
        return NULL;
    }
    if (path[0] == '/') {
        return xstrdup(path);
    }
    CLEANUP_FREE char *working_directory = getcwd(NULL, 0);
    if (!working_directory) {
        error_set_errno(err, BR_BROWSER_NOT_FOUND, errno, "The working directory has no path");
        return NULL;
    }
    return xasprintf("%s/%s", working_directory, path);
}

static void set_not_found(const struct chrome_place *places, size_t count, const char *name,
                          const char *looked_at, struct br_error *err)
{
    const char **known = xcalloc(count, sizeof(*known));
    for (size_t i = 0; i < count; i++) {
        known[i] = places[i].name;
    }
    const char *nearest = name ? names_nearest(name, known, count) : NULL;
    free(known);
    error_set(err, BR_BROWSER_NOT_FOUND, "No %s was found; looked for %s",
              name ? name : "Chrome or Chromium", looked_at);
    if (nearest && strcmp(nearest, name) != 0) {
        error_hint(err, "Did you mean '%s'?", nearest);
    } else {
        hint_install(err);
    }
}

char *chrome_find_among(const struct chrome_place *places, size_t count, const char *wanted,
                        struct br_error *err)
{
    if (wanted && strchr(wanted, '/')) {
        return find_by_path(wanted, err);
    }
    CLEANUP_STRBUF struct strbuf looked_at = STRBUF_INIT(sizeof(err->message));
    for (size_t i = 0; i < count; i++) {
        bool is_meant = !wanted || strcmp(places[i].name, wanted) == 0;
        if (!is_meant || strcmp(places[i].platform, platform_name()) != 0) {
            continue;
        }
        char *path = search_place(places[i].place);
        if (path) {
            return path;
        }
        strbuf_add_format(&looked_at, "%s%s", looked_at.length ? ", " : "", places[i].place);
    }
    char *command = wanted ? search_path(wanted) : NULL;
    if (!command) {
        set_not_found(places, count, wanted,
                      looked_at.length ? looked_at.data : "the command in PATH", err);
    }
    return command;
}

char *chrome_find(const char *wanted, struct br_error *err)
{
    const char *variable = getenv("BROWSER_RUNNER_CHROME");
    bool is_from_variable = !wanted && variable && variable[0];
    char *path = chrome_find_among(usual_places, sizeof(usual_places) / sizeof(usual_places[0]),
                                   is_from_variable ? variable : wanted, err);
    if (!path && is_from_variable) {
        error_context(err, "BROWSER_RUNNER_CHROME");
    }
    return path;
}

/*
 * Starts `program --version` in its own process group, so that children of a wrapper script can be
 * killed with it; returns 0 or an errno.
 */
static int version_spawn(const char *program, int stdout_fd, pid_t *ret_pid)
{
    char *argv[] = { (char *)program, (char *)"--version", NULL };
    const int fds[] = { -1, stdout_fd, -1 };
    const struct platform_start start = {
        .program = program,
        .argv = argv,
        .fds = fds,
        .fd_count = sizeof(fds) / sizeof(fds[0]),
    };
    return platform_process_start(&start, ret_pid);
}

/* Reads the first line, or everything if there is no newline; false at the deadline. */
static bool read_output(int fd, struct strbuf *output, struct deadline deadline)
{
    char part[512];
    struct pollfd readable = { .fd = fd, .events = POLLIN };
    while (!memchr(output->data, '\n', output->length) && !output->overflowed) {
        int64_t left_ms = deadline_left_ms(deadline);
        int count = poll(&readable, 1, left_ms < INT_MAX ? (int)left_ms : INT_MAX);
        if (count == 0) {
            return false;
        }
        ssize_t length = count > 0 ? read(fd, part, sizeof(part)) : -1;
        if (length == 0) {
            return true;
        }
        if (length < 0 && errno != EINTR) {
            return false;
        }
        strbuf_add(output, part, length < 0 ? 0 : (size_t)length);
    }
    return true;
}

/* Kills what still runs after the first line was read. */
static void version_end(pid_t pid)
{
    kill(-pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
}

/* Every browser based on Chromium has a version of four numbers; few other programs do. */
static bool has_browser_version(const char *line, size_t length)
{
    size_t dots = 0;
    for (size_t i = 0; i < length && dots < 3; i++) {
        bool is_dot = line[i] == '.' && i > 0 && isdigit((unsigned char)line[i - 1]) &&
                      isdigit((unsigned char)line[i + 1]);
        dots = is_dot ? dots + 1 : isdigit((unsigned char)line[i]) ? dots : 0;
    }
    return dots == 3;
}

char *chrome_version(const char *program, struct deadline deadline, struct br_error *err)
{
    int fds[2];
    pid_t pid = 0;
    if (pipe2(fds, O_CLOEXEC) != 0) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "Cannot make a pipe");
        return NULL;
    }
    int error_number = version_spawn(program, fds[1], &pid);
    close(fds[1]);
    if (error_number) {
        close(fds[0]);
        error_set_errno(err, BR_BROWSER_NOT_FOUND, error_number, "Cannot execute '%s'", program);
        return NULL;
    }
    CLEANUP_STRBUF struct strbuf output = STRBUF_INIT(1024);
    bool is_read = read_output(fds[0], &output, deadline);
    close(fds[0]);
    version_end(pid);
    size_t length = strcspn(output.data, "\n");
    while (length > 0 && strchr(" \t\r", output.data[length - 1])) {
        length--;
    }
    if (!is_read || length == 0) {
        error_set(err, is_read ? BR_UNKNOWN_ERROR : BR_TIMEOUT, "'%s --version' %s", program,
                  is_read ? "printed nothing" : "did not answer in time");
        return NULL;
    }
    if (!has_browser_version(output.data, length)) {
        error_set(err, BR_BROWSER_NOT_FOUND, "'%s' is not Chrome: its --version is '%.*s'", program,
                  (int)(length < 100 ? length : utf8_cut(output.data, 100)), output.data);
        error_hint(err, "Name a Chrome or Chromium with ⟨chrome⟩ PATH, or unset "
                        "BROWSER_RUNNER_CHROME.");
        return NULL;
    }
    return xstrndup(output.data, length);
}
