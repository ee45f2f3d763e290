#include "runner/checks/server_process.h"

#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/checks/server_guard.h"
#include "runner/loop/tail.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    STARTING_MS = 10000,    /* limit for the guard to start the server */
    ENDING_MS = 10000,      /* limit for the guard to end all processes; it needs less */
    READING_MS = 500,       /* limit for reading the rest of the output */
    WORDS_SIZE = 64 * 1024, /* bytes of output that are kept */
};

struct server_process {
    struct loop *loop;
    pid_t guard;                       /* the server's parent; see server_guard.h */
    int guard_fd;                      /* the guard waits while it is open */
    int end_fd;                        /* an eventfd */
    struct loop_source *status_source; /* source of the loop; NULL when closed */
    struct tail *words;                /* last bytes of the output */
    pthread_mutex_t mutex;             /* guards the following members */
    bool has_ended;                    /* the program has ended */
    int exit_code;                     /* or minus the signal's number */
};

/* A guard that ends without a report was killed by another process. */
static void note_end(struct server_process *process, int exit_code)
{
    pthread_mutex_lock(&process->mutex);
    process->exit_code = process->has_ended ? process->exit_code : exit_code;
    process->has_ended = true;
    pthread_mutex_unlock(&process->mutex);
    eventfd_write(process->end_fd, 1);
}

static bool on_status_readable(void *data, int fd)
{
    struct server_guard_report report;
    ssize_t count = read(fd, &report, sizeof(report));
    if (count == (ssize_t)sizeof(report) && report.kind == SERVER_GUARD_ENDED) {
        note_end(data, report.value);
    }
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

static void on_status_closed(void *data)
{
    struct server_process *process = data;
    process->status_source = NULL;
    note_end(process, -SIGKILL);
}

struct watch {
    struct server_process *process;
    int status_fd;
    struct br_error *err;
    bool is_watched; /* as of now; both may end a moment later */
};

static void watch_on_loop(void *data)
{
    struct watch *watch = data;
    struct server_process *process = watch->process;
    const struct loop_source_handler on_status = { on_status_readable, on_status_closed, process };
    process->status_source = loop_watch(process->loop, watch->status_fd, &on_status, watch->err);
    watch->is_watched = process->status_source != NULL;
}

static void unwatch_on_loop(void *data)
{
    struct server_process *process = data;
    if (process->status_source) {
        loop_unwatch(process->status_source);
    }
}

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
    }
    *fd = -1;
}

static int take_fd(int *fd)
{
    int taken = *fd;
    *fd = -1;
    return taken;
}

/* The three pipes between us and the guard, as pipe2() returns them. */
struct pipes {
    int control[2], output[2], status[2];
};

static void pipes_finish(struct pipes *pipes)
{
    int *const ends[] = { pipes->control, pipes->output, pipes->status };
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        close_fd(&ends[i][0]);
        close_fd(&ends[i][1]);
    }
}

static int spawn_guard(struct server_process *process, char *const *command, const char *directory,
                       const struct pipes *pipes)
{
    size_t count = 0;
    while (command[count]) {
        count++;
    }
    char name[] = "browser-runner";
    CLEANUP_FREE char *flag = xstrdup(server_guard_argument);
    CLEANUP_FREE char **argv = xcalloc(count + 3, sizeof(*argv));
    argv[0] = name;
    argv[1] = flag;
    memcpy(argv + 2, command, count * sizeof(*argv));
    const int fds[] = {
        [STDIN_FILENO] = pipes->control[0],
        [STDOUT_FILENO] = pipes->output[1],
        [STDERR_FILENO] = pipes->output[1],
        [SERVER_GUARD_STATUS_FD] = pipes->status[1],
    };
    const struct platform_start start = {
        .program = platform_own_path(),
        .argv = argv,
        .directory = directory,
        .fds = fds,
        .fd_count = sizeof(fds) / sizeof(fds[0]),
        .leads_session = true,
    };
    return platform_process_start(&start, &process->guard);
}

/* Returns why the server was not started, as errno; 0 if it was. */
static int read_start(int status_fd)
{
    struct pollfd poll_fd = { .fd = status_fd, .events = POLLIN };
    struct server_guard_report report;
    while (poll(&poll_fd, 1, STARTING_MS) < 0 && errno == EINTR) {
    }
    if (!poll_fd.revents) {
        return ETIMEDOUT;
    }
    if (read(status_fd, &report, sizeof(report)) != (ssize_t)sizeof(report)) {
        return ECHILD;
    }
    return report.kind == SERVER_GUARD_FAILED ? report.value : 0;
}

static bool start_guard(struct server_process *process, char *const *command, const char *directory,
                        struct pipes *pipes, struct br_error *err)
{
    if (pipe2(pipes->control, O_CLOEXEC) != 0 || pipe2(pipes->output, O_CLOEXEC) != 0 ||
        pipe2(pipes->status, O_CLOEXEC) != 0) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot open a pipe for the server");
    }
    int failure = spawn_guard(process, command, directory, pipes);
    close_fd(&pipes->control[0]);
    close_fd(&pipes->output[1]);
    close_fd(&pipes->status[1]);
    process->guard_fd = take_fd(&pipes->control[1]);
    failure = failure ? failure : read_start(pipes->status[0]);
    if (failure) {
        error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot start the server %s in %s",
                        command[0], directory);
        return error_hint(
            err, "check that the program exists; a \"command\" that is a string is run by a shell");
    }
    fcntl(pipes->status[0], F_SETFL, O_NONBLOCK);
    return true;
}

static bool start_all(struct server_process *process, char *const *command, const char *directory,
                      struct br_error *err)
{
    CLEANUP(pipes_finish) struct pipes pipes = { { -1, -1 }, { -1, -1 }, { -1, -1 } };
    process->loop = loop_create(false, err);
    if (!process->loop || !start_guard(process, command, directory, &pipes, err)) {
        return false;
    }
    struct watch watch = {
        .process = process,
        .status_fd = take_fd(&pipes.status[0]),
        .err = err,
    };
    process->words = tail_create(process->loop, take_fd(&pipes.output[0]), WORDS_SIZE, err);
    loop_call(process->loop, watch_on_loop, &watch);
    return watch.is_watched && process->words;
}

struct server_process *server_process_start(char *const *command, const char *directory,
                                            struct br_error *err)
{
    struct server_process *process = xcalloc(1, sizeof(*process));
    process->guard_fd = -1;
    process->end_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&process->mutex, NULL);
    if (!start_all(process, command, directory, err)) {
        server_process_stop(process);
        return NULL;
    }
    return process;
}

int server_process_end_fd(const struct server_process *process)
{
    return process->end_fd;
}

bool server_process_has_ended(struct server_process *process, char *ret_how, size_t how_size)
{
    pthread_mutex_lock(&process->mutex);
    bool has_ended = process->has_ended;
    int code = process->exit_code;
    pthread_mutex_unlock(&process->mutex);
    if (has_ended) {
        snprintf(ret_how, how_size, "ended %s %d", code < 0 ? "by signal" : "with exit code",
                 code < 0 ? -code : code);
    }
    return has_ended;
}

/* Skips the terminal sequence (ECMA-48) that begins at `at`. */
static const char *skip_escape(const char *at)
{
    at++;
    if (*at != '[') {
        return *at ? at + 1 : at;
    }
    at++;
    while (*at && (*at < '@' || *at > '~')) {
        at++;
    }
    return *at ? at + 1 : at;
}

/* Removes terminal sequences, in place. */
static void make_plain(char *text)
{
    char *end = text;
    for (const char *at = text; *at;) {
        if (*at == '\033') {
            at = skip_escape(at);
            continue;
        }
        if ((unsigned char)*at >= ' ' || *at == '\n') {
            *end++ = *at;
        }
        at++;
    }
    while (end > text && end[-1] == '\n') {
        end--;
    }
    *end = '\0';
}

char *server_process_last_words(struct server_process *process, size_t max)
{
    char how[64];
    if (server_process_has_ended(process, how, sizeof(how))) {
        /* The end may be reported before all of the output has been read. */
        tail_wait(process->words, deadline_in_ms(READING_MS));
    }
    CLEANUP_FREE char *words = tail_text(process->words);
    make_plain(words);
    size_t length = strlen(words);
    const char *from = words;
    if (length > max) {
        from = words + length - max;
        const char *line = strchr(from, '\n');
        from = line ? line + 1 : from;
    }
    return xstrdup(from);
}

/*
 * Makes the guard end all processes: it exits when none is left, or reports that some are. Without
 * a descriptor for its end, waits without a limit: killing the guard would leave the server
 * running.
 */
static bool end_all(struct server_process *process)
{
    siginfo_t end = { 0 };
    int ended_fd = platform_process_open(process->guard);
    struct pollfd poll_fd = { .fd = ended_fd, .events = POLLIN };
    close_fd(&process->guard_fd);
    while (ended_fd >= 0 && poll(&poll_fd, 1, ENDING_MS) < 0 && errno == EINTR) {
    }
    if (ended_fd >= 0 && !poll_fd.revents) {
        kill(process->guard, SIGKILL);
    }
    while (waitid(P_PID, (id_t)process->guard, &end, WEXITED) != 0 && errno == EINTR) {
    }
    close_fd(&ended_fd);
    return end.si_code == CLD_EXITED && end.si_status == EXIT_SUCCESS;
}

bool server_process_stop(struct server_process *process)
{
    if (!process) {
        return true;
    }
    bool is_done = !process->guard || end_all(process);
    if (process->loop) {
        loop_call(process->loop, unwatch_on_loop, process);
        tail_destroy(process->words);
        loop_destroy(process->loop);
    }
    close_fd(&process->guard_fd);
    close_fd(&process->end_fd);
    pthread_mutex_destroy(&process->mutex);
    free(process);
    return is_done;
}
