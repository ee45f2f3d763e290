#include "runner/chrome/process.h"

#include "runner/base/file.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/base/thread.h"
#include "runner/cdp/transport_pipe.h"
#include "runner/loop/tail.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Before asking, Chrome runs xdg-settings to find out whether it is itself the handler of the
 * link's scheme (shell_integration_linux.cc), and if so ignores the link. No preference does that,
 * and a policy would show an error page. The comment in the script names the subcommands that start
 * scripts of Chrome search for in xdg-settings.
 */
static const char answer[] = "#!/bin/sh\n"
                             "# check default-web-browser, check default-url-scheme-handler\n"
                             "echo yes\n";

/*
 * Makes Chrome ignore links to other programs, such as tel: and mailto:. Otherwise it opens the
 * program, or asks in an invisible window
 * that takes all input of the tab. Writes a script to the directory that Chrome runs instead of
 * xdg-settings. Returns the environment setting for it; caller frees. Returns NULL if it could not
 * be written, or if the directory does not allow execution.
 */
static char *handlers_setting(const char *directory)
{
    struct br_error ignored;
    const char *path = getenv("PATH");
    CLEANUP_FREE char *programs = xasprintf("%s/bin", directory);
    CLEANUP_FREE char *program = xasprintf("%s/xdg-settings", programs);
    bool is_usable = !strchr(programs, ':') && (mkdir(programs, 0700) == 0 || errno == EEXIST) &&
                     file_write(program, answer, strlen(answer), &ignored) &&
                     chmod(program, 0700) == 0 && access(program, X_OK) == 0;
    return is_usable ? xasprintf("PATH=%s:%s", programs, path ? path : "/usr/bin:/bin") : NULL;
}

#define SYSTEM_FILE "/etc/fonts/fonts.conf"

/* Slight hinting is the default of most systems, such as Debian and Ubuntu. */
#define DRAWN                                                                                      \
    "    <edit name=\"antialias\" mode=\"assign\"><bool>true</bool></edit>\n"                      \
    "    <edit name=\"hinting\" mode=\"assign\"><bool>true</bool></edit>\n"                        \
    "    <edit name=\"hintstyle\" mode=\"assign\"><const>hintslight</const></edit>\n"              \
    "    <edit name=\"autohint\" mode=\"assign\"><bool>false</bool></edit>\n"                      \
    "    <edit name=\"rgba\" mode=\"assign\"><const>none</const></edit>\n"

/* The last setting counts: it applies both to the requested pattern and to the font found. */
static const char configuration[] = "<?xml version=\"1.0\"?>\n"
                                    "<!DOCTYPE fontconfig SYSTEM \"urn:fontconfig:fonts.dtd\">\n"
                                    "<fontconfig>\n"
                                    "  <include>" SYSTEM_FILE "</include>\n"
                                    "  <match target=\"pattern\">\n" DRAWN "  </match>\n"
                                    "  <match target=\"font\">\n" DRAWN "  </match>\n"
                                    "</fontconfig>\n";

/*
 * Writes a fontconfig configuration to the directory: the system's, with fixed rendering settings.
 * Returns the environment setting that selects it; caller frees. Returns NULL if the user has set a
 * configuration, the system has none, or writing failed.
 */
static char *fonts_setting(const char *directory)
{
    struct br_error ignored;
    if (getenv("FONTCONFIG_FILE") || getenv("FONTCONFIG_PATH") || access(SYSTEM_FILE, R_OK) != 0) {
        return NULL;
    }
    CLEANUP_FREE char *path = xasprintf("%s/fonts.conf", directory);
    if (!file_write(path, configuration, strlen(configuration), &ignored)) {
        return NULL;
    }
    return xasprintf("FONTCONFIG_FILE=%s", path);
}

extern char **environ;

enum {
    COMMANDS_FD = 3,         /* Chrome reads commands here, by --remote-debugging-pipe */
    ANSWERS_FD = 4,          /* Chrome writes replies here */
    FIRST_FREE_FD = 10,      /* our descriptors are above this, so that dup2() does not overwrite
                                one */
    LAST_WORDS_SIZE = 16384, /* bytes kept of stderr */
    KILLED_GRACE_MS = 10000, /* time for the kernel to end a killed process */
};

struct process {
    struct loop *loop;
    pid_t pid;
    bool is_watched; /* the loop notices its end and reaps it */
    bool drops_externals;
    struct loop_source *exit_source; /* owned by the loop; NULL when closed */
    struct tail *last_words;         /* the tail of stderr */
    pthread_mutex_t mutex;           /* guards the fields below */
    pthread_cond_t ended;
    bool has_ended;
    int exit_code;
};

/* The descriptors of a start; -1 if closed or handed over. */
struct start_fds {
    int commands[2]; /* a socket pair: our end, Chrome's end */
    int answers[2];  /* a pipe: our reading end, Chrome's writing end */
    int words[2];    /* a pipe for stderr: our reading end, Chrome's writing end */
};

static void close_pair(int pair[2])
{
    for (size_t i = 0; i < 2; i++) {
        if (pair[i] >= 0) {
            close(pair[i]);
        }
    }
}

static void start_fds_finish(struct start_fds *fds)
{
    close_pair(fds->commands);
    close_pair(fds->answers);
    close_pair(fds->words);
}

/* Moves both above the numbers that Chrome's descriptors get. */
static bool move_up(int pair[2])
{
    for (size_t i = 0; i < 2; i++) {
        int moved = fcntl(pair[i], F_DUPFD_CLOEXEC, FIRST_FREE_FD);
        if (moved < 0) {
            return false;
        }
        close(pair[i]);
        pair[i] = moved;
    }
    return true;
}

static bool open_fds(struct start_fds *fds, struct br_error *err)
{
    /* We write to a socket, since MSG_NOSIGNAL avoids a SIGPIPE. */
    bool is_open = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds->commands) == 0 &&
                   pipe2(fds->answers, O_CLOEXEC) == 0 && pipe2(fds->words, O_CLOEXEC) == 0 &&
                   move_up(fds->commands) && move_up(fds->answers) && move_up(fds->words);
    if (!is_open) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot open the pipe for Chrome");
    }
    return true;
}

/* Returns whether both settings have the same name, as in "TMPDIR=/tmp". */
static bool is_same_name(const char *setting, const char *other)
{
    size_t length = strcspn(other, "=") + 1;
    return strncmp(setting, other, length) == 0;
}

static bool is_set_in(char *const *settings, size_t count, const char *other)
{
    for (size_t i = 0; i < count; i++) {
        if (settings[i] && is_same_name(other, settings[i])) {
            return true;
        }
    }
    return false;
}

/* clearenv() sets environ to NULL. */
static char *const *environment(void)
{
    static char *const none[] = { NULL };
    return environ ? environ : none;
}

/* What pages must not find in the environment of the process that shows them. */
static bool is_secret(const char *setting)
{
    static const char token[] = "BROWSER_RUNNER_TOKEN=";
    return strncmp(setting, token, strlen(token)) == 0;
}

/*
 * Returns the environment with these settings, without secrets; NULLs among them are skipped. The
 * caller frees the array, not its strings.
 */
static char **environment_with(char *const *settings, size_t count)
{
    size_t capacity = count + 1;
    for (char *const *setting = environment(); *setting; setting++) {
        capacity++;
    }
    char **result = xcalloc(capacity, sizeof(*result));
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (settings[i]) {
            result[used++] = settings[i];
        }
    }
    for (char *const *setting = environment(); *setting; setting++) {
        if (!is_set_in(settings, count, *setting) && !is_secret(*setting)) {
            result[used++] = *setting;
        }
    }
    return result;
}

static int spawn(const struct start_fds *fds, char *const argv[], const char *tmp_directory,
                 pid_t *ret_pid, bool *ret_drops_externals)
{
    CLEANUP_FREE char *tmp_setting = xasprintf("TMPDIR=%s", tmp_directory);
    CLEANUP_FREE char *fonts = fonts_setting(tmp_directory);
    CLEANUP_FREE char *handlers = handlers_setting(tmp_directory);
    char *const settings[] = { tmp_setting, fonts, handlers };
    *ret_drops_externals = handlers;
    CLEANUP_FREE char **own_environment =
        environment_with(settings, sizeof(settings) / sizeof(settings[0]));
    const int descriptors[] = {
        [STDIN_FILENO] = -1,
        [STDOUT_FILENO] = fds->words[1],
        [STDERR_FILENO] = fds->words[1],
        [COMMANDS_FD] = fds->commands[1],
        [ANSWERS_FD] = fds->answers[1],
    };
    const struct platform_start start = {
        .program = argv[0],
        .argv = argv,
        .environment = own_environment,
        .fds = descriptors,
        .fd_count = sizeof(descriptors) / sizeof(descriptors[0]),
    };
    return platform_process_start(&start, ret_pid);
}

/*
 * Kills the group of a process that has ended or is about to, reaps it and keeps its exit status.
 */
static void note_end(struct process *process)
{
    siginfo_t info = { 0 };
    mutex_lock(&process->mutex);
    /* Kill the group before reaping: until then its number cannot be reused. */
    kill(-process->pid, SIGKILL);
    bool is_known = waitid(P_PID, (id_t)process->pid, &info, WEXITED) == 0;
    process->exit_code = !is_known                    ? PROCESS_END_UNKNOWN
                         : info.si_code == CLD_EXITED ? info.si_status
                                                      : -info.si_status;
    process->has_ended = true;
    pthread_cond_broadcast(&process->ended);
    mutex_unlock(&process->mutex);
}

static bool on_exit_readable(void *data, int fd)
{
    struct process *process = data;
    (void)fd;
    siginfo_t info = { 0 };
    if (waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == 0) {
        return true;
    }
    note_end(process);
    return false;
}

static void on_exit_closed(void *data)
{
    struct process *process = data;
    process->exit_source = NULL;
}

struct watch {
    struct process *process;
    struct br_error *err;
};

static void watch_on_loop(void *data)
{
    struct watch *watch = data;
    struct process *process = watch->process;
    struct loop_source_handler on_end = { on_exit_readable, on_exit_closed, process };
    int fd = platform_process_open(process->pid);
    if (fd < 0 && errno == ESRCH) {
        note_end(process); /* the host program has already reaped it */
        process->is_watched = true;
        return;
    }
    if (fd < 0) {
        error_set_errno(watch->err, BR_UNKNOWN_ERROR, errno, "cannot watch Chrome");
        return;
    }
    process->exit_source = loop_watch(process->loop, fd, &on_end, watch->err);
    process->is_watched = process->exit_source != NULL;
}

static void unwatch_on_loop(void *data)
{
    struct process *process = data;
    if (process->exit_source) {
        loop_unwatch(process->exit_source);
    }
}

static struct process *process_create(struct loop *loop, pid_t pid)
{
    struct process *process = xcalloc(1, sizeof(*process));
    process->loop = loop;
    process->pid = pid;
    pthread_mutex_init(&process->mutex, NULL);
    condition_init(&process->ended);
    return process;
}

struct process *process_start(struct loop *loop, char *const argv[], const char *tmp_directory,
                              struct transport **ret_transport, struct br_error *err)
{
    __attribute__((cleanup(start_fds_finish))) struct start_fds fds = {
        .commands = { -1, -1 },
        .answers = { -1, -1 },
        .words = { -1, -1 },
    };
    if (!open_fds(&fds, err)) {
        return NULL;
    }
    pid_t pid = 0;
    bool drops_externals = false;
    int failure = spawn(&fds, argv, tmp_directory, &pid, &drops_externals);
    if (failure) {
        error_set_errno(err, BR_BROWSER_NOT_FOUND, failure, "cannot start %s", argv[0]);
        return NULL;
    }
    struct process *process = process_create(loop, pid);
    process->drops_externals = drops_externals;
    process->last_words = tail_create(loop, fds.words[0], LAST_WORDS_SIZE, err);
    fds.words[0] = -1;
    if (process->last_words) {
        loop_call(loop, watch_on_loop, &(struct watch){ process, err });
    }
    if (!process->is_watched) {
        process_destroy(process);
        return NULL;
    }
    *ret_transport = transport_pipe_create(loop, fds.answers[0], fds.commands[0], true);
    fds.answers[0] = -1;
    fds.commands[0] = -1;
    return process;
}

pid_t process_pid(const struct process *process)
{
    return process->pid;
}

struct platform_work process_work(struct process *process, bool with_descendants)
{
    struct platform_work work = { .ran_us = 0 };
    pid_t *pids = NULL;
    if (process_is_over(process)) {
        return work;
    }
    platform_process_add_work(process->pid, &work);
    size_t count = with_descendants ? platform_process_descendants(process->pid, &pids) : 0;
    for (size_t i = 0; i < count; i++) {
        platform_process_add_work(pids[i], &work);
    }
    free(pids);
    return work;
}

bool process_drops_externals(const struct process *process)
{
    return process->drops_externals;
}

bool process_is_over(struct process *process)
{
    siginfo_t info = { 0 };
    mutex_lock(&process->mutex);
    /*
     * Until it is reaped, under the mutex, its pid cannot be reused. ECHILD means that the host
     * program has reaped it.
     */
    bool is_over = process->has_ended ||
                   waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
                   info.si_pid != 0 || platform_process_is_ending(process->pid);
    mutex_unlock(&process->mutex);
    return is_over;
}

bool process_wait(struct process *process, struct deadline deadline)
{
    mutex_lock(&process->mutex);
    while (!process->has_ended && condition_wait(&process->ended, &process->mutex, deadline)) {
    }
    bool has_ended = process->has_ended;
    mutex_unlock(&process->mutex);
    return has_ended;
}

void process_kill(struct process *process)
{
    mutex_lock(&process->mutex);
    if (!process->has_ended) {
        kill(-process->pid, SIGKILL);
    }
    mutex_unlock(&process->mutex);
}

void process_destroy(struct process *process)
{
    if (!process) {
        return;
    }
    process_kill(process);
    if (process->is_watched) {
        process_wait(process, deadline_in_ms(KILLED_GRACE_MS));
    } else {
        while (waitid(P_PID, (id_t)process->pid, NULL, WEXITED) != 0 && errno == EINTR) {
        }
    }
    loop_call(process->loop, unwatch_on_loop, process);
    tail_destroy(process->last_words);
    pthread_cond_destroy(&process->ended);
    pthread_mutex_destroy(&process->mutex);
    free(process);
}

int process_exit_code(struct process *process)
{
    mutex_lock(&process->mutex);
    int exit_code = process->exit_code;
    mutex_unlock(&process->mutex);
    return exit_code;
}

char *process_last_words(struct process *process)
{
    return tail_text(process->last_words);
}
