#include "runner/checks/server_process.h"

#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/base/strbuf.h"
#include "runner/loop/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
    GRACE_MS = 5000,        /* between SIGTERM and SIGKILL */
    READING_MS = 500,       /* for the last of the output */
    WORDS_SIZE = 64 * 1024, /* that are kept of the output */
};

/*
 * Waits for the end of its input, which is ours, and then ends the group $1 as we would have. It
 * stops as soon as nobody is left, so that the number cannot belong to somebody else by then.
 */
static const char guard_script[] = "read -r nothing\n"
                                   "kill -s TERM -- \"-$1\" || exit\n"
                                   "kill -s CONT -- \"-$1\"\n"
                                   "for i in 1 2 3 4 5 6 7 8 9 10; do\n"
                                   "  sleep 0.5\n"
                                   "  kill -s 0 -- \"-$1\" || exit\n"
                                   "done\n"
                                   "kill -s KILL -- \"-$1\"\n";

struct server_process {
    struct loop *loop;
    pid_t pid;       /* of the program, and of its group; a zombie until server_process_stop() */
    pid_t guard;     /* who ends the group when we cannot */
    int guard_fd;    /* while it is open, the guard waits */
    int end_fd;      /* an eventfd */
    bool is_watched; /* its end is noticed by the loop */
    struct loop_source *exit_source, *output_source; /* the loop's; NULL when closed */
    pthread_mutex_t mutex;                           /* guards what follows */
    pthread_cond_t changed;
    bool has_ended; /* the program */
    bool is_silent; /* nobody of the group holds its output any more */
    int exit_code;  /* or minus the signal's number */
    struct strbuf words;
};

static int spawn(pid_t *ret_pid, char *const *argv, const char *directory, int input, int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, directory);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    /* A session of its own: it cannot reach the terminal, nor does Ctrl-C reach it. */
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int failure = posix_spawnp(ret_pid, argv[0], &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static bool on_exit_readable(void *data, int fd)
{
    struct server_process *process = data;
    siginfo_t info = { 0 };
    (void)fd;
    /* It is not reaped: until the end its number stands for its group and for nobody else. */
    if (waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == 0) {
        return true;
    }
    pthread_mutex_lock(&process->mutex);
    process->exit_code = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
    process->has_ended = true;
    pthread_cond_broadcast(&process->changed);
    pthread_mutex_unlock(&process->mutex);
    eventfd_write(process->end_fd, 1);
    return false;
}

static void on_exit_closed(void *data)
{
    struct server_process *process = data;
    process->exit_source = NULL;
}

/* Keeps the last WORDS_SIZE bytes. */
static void keep_words(struct server_process *process, const char *bytes, size_t length)
{
    struct strbuf *words = &process->words;
    pthread_mutex_lock(&process->mutex);
    if (words->length + length > WORDS_SIZE) {
        size_t excess = words->length + length - WORDS_SIZE;
        memmove(words->data, words->data + excess, words->length - excess);
        words->length -= excess;
    }
    strbuf_add(words, bytes, length);
    pthread_mutex_unlock(&process->mutex);
}

static bool on_output_readable(void *data, int fd)
{
    char buffer[4096];
    for (;;) {
        ssize_t count = read(fd, buffer, sizeof(buffer));
        if (count <= 0) {
            return count < 0 && (errno == EAGAIN || errno == EINTR);
        }
        keep_words(data, buffer, (size_t)count);
    }
}

static void on_output_closed(void *data)
{
    struct server_process *process = data;
    process->output_source = NULL;
    pthread_mutex_lock(&process->mutex);
    process->is_silent = true;
    pthread_cond_broadcast(&process->changed);
    pthread_mutex_unlock(&process->mutex);
}

struct watch {
    struct server_process *process;
    int output_fd;
    struct br_error *err;
    bool is_watched;
};

static void watch_on_loop(void *data)
{
    struct watch *watch = data;
    struct server_process *process = watch->process;
    const struct loop_source_handler on_output = { on_output_readable, on_output_closed, process };
    const struct loop_source_handler on_end = { on_exit_readable, on_exit_closed, process };
    process->output_source = loop_watch(process->loop, watch->output_fd, &on_output, watch->err);
    int fd = platform_process_open(process->pid);
    if (fd < 0) {
        error_set_errno(watch->err, BR_UNKNOWN_ERROR, errno, "cannot watch the server");
        return;
    }
    process->exit_source = loop_watch(process->loop, fd, &on_end, watch->err);
    watch->is_watched = process->output_source && process->exit_source;
}

static void unwatch_on_loop(void *data)
{
    struct server_process *process = data;
    if (process->output_source) {
        loop_unwatch(process->output_source);
    }
    if (process->exit_source) {
        loop_unwatch(process->exit_source);
    }
}

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
    }
    *fd = -1;
}

static bool start_program(struct server_process *process, char *const *command,
                          const char *directory, int null_fd, int *ret_output, struct br_error *err)
{
    int output[2] = { -1, -1 };
    if (pipe2(output, O_CLOEXEC) != 0) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot open a pipe for the server");
    }
    int failure = spawn(&process->pid, command, directory, null_fd, output[1]);
    close(output[1]);
    if (failure) {
        close(output[0]);
        process->pid = 0;
        error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot start the server %s in %s",
                        command[0], directory);
        return error_hint(err, "see that the program is there; a \"command\" that is text is run "
                               "by a shell");
    }
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    *ret_output = output[0];
    return true;
}

/* Beside the program, in a group of its own. */
static bool start_guard(struct server_process *process, int null_fd, struct br_error *err)
{
    int input[2] = { -1, -1 };
    if (pipe2(input, O_CLOEXEC) != 0) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot open a pipe for the server");
    }
    CLEANUP_FREE char *group = xasprintf("%d", (int)process->pid);
    char shell[] = "/bin/sh", flag[] = "-c", name[] = "browser-runner-guard";
    CLEANUP_FREE char *script = xstrdup(guard_script);
    char *const argv[] = { shell, flag, script, name, group, NULL };
    int failure = spawn(&process->guard, argv, "/", input[0], null_fd);
    close(input[0]);
    process->guard_fd = input[1];
    if (failure) {
        process->guard = 0;
        return error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot start /bin/sh");
    }
    return true;
}

static bool start_all(struct server_process *process, char *const *command, const char *directory,
                      struct br_error *err)
{
    CLEANUP(close_fd) int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    int output = -1; /* the loop's, once it is watched */
    process->loop = loop_create(false, err);
    if (!process->loop || !start_program(process, command, directory, null_fd, &output, err) ||
        !start_guard(process, null_fd, err)) {
        close_fd(&output);
        return false;
    }
    struct watch watch = { .process = process, .output_fd = output, .err = err };
    loop_call(process->loop, watch_on_loop, &watch);
    process->is_watched = watch.is_watched;
    return process->is_watched;
}

struct server_process *server_process_start(char *const *command, const char *directory,
                                            struct br_error *err)
{
    struct server_process *process = xcalloc(1, sizeof(*process));
    pthread_condattr_t attributes;
    process->guard_fd = -1;
    process->end_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    process->words = (struct strbuf)STRBUF_INIT(WORDS_SIZE);
    pthread_mutex_init(&process->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&process->changed, &attributes);
    pthread_condattr_destroy(&attributes);
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

/* Behind the sequence of a terminal (ECMA-48) that begins at `at`. */
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

/* Takes out what is for terminals, in place. */
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

/* Until nobody of the group is left, as far as that can be seen, or it takes too long. */
static void wait_for_end(struct server_process *process, int64_t ms)
{
    struct timespec until = deadline_timespec(deadline_in_ms(ms));
    int result = 0;
    pthread_mutex_lock(&process->mutex);
    while (!(process->has_ended && process->is_silent) && result == 0) {
        result = pthread_cond_timedwait(&process->changed, &process->mutex, &until);
    }
    pthread_mutex_unlock(&process->mutex);
}

char *server_process_last_words(struct server_process *process, size_t max)
{
    char how[64];
    if (server_process_has_ended(process, how, sizeof(how))) {
        /* Its end is known before all that it wrote has been read. */
        wait_for_end(process, READING_MS);
    }
    pthread_mutex_lock(&process->mutex);
    CLEANUP_FREE char *words = xstrndup(process->words.data, process->words.length);
    pthread_mutex_unlock(&process->mutex);
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

static void reap(pid_t pid)
{
    while (waitid(P_PID, (id_t)pid, NULL, WEXITED) != 0 && errno == EINTR) {
    }
}

static void end_group(struct server_process *process)
{
    kill(-process->pid, SIGTERM);
    kill(-process->pid, SIGCONT); /* who is stopped gets no signal */
    if (process->is_watched) {
        wait_for_end(process, GRACE_MS);
    }
    kill(-process->pid, SIGKILL);
    if (process->guard) {
        /* Before the number is free for others. */
        kill(process->guard, SIGKILL);
        reap(process->guard);
    }
    reap(process->pid);
}

void server_process_stop(struct server_process *process)
{
    if (!process) {
        return;
    }
    if (process->pid) {
        end_group(process);
    }
    if (process->loop) {
        loop_call(process->loop, unwatch_on_loop, process);
        loop_destroy(process->loop);
    }
    close_fd(&process->guard_fd);
    close_fd(&process->end_fd);
    strbuf_finish(&process->words);
    pthread_cond_destroy(&process->changed);
    pthread_mutex_destroy(&process->mutex);
    free(process);
}
