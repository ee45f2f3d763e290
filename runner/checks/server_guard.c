#include "runner/checks/server_guard.h"

#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

const char server_guard_argument[] = "--server-guard";

enum {
    LOOK_MS = 50,     /* between two checks whether a process is left */
    KILLING_MS = 3000 /* wait for killed processes to be gone */
};

struct guard {
    pid_t server;
    int children_fd; /* a signalfd: a child has ended */
    pid_t *told;     /* processes that were sent SIGTERM */
    size_t told_count, told_capacity;
};

static void report(int kind, int value)
{
    struct server_guard_report what = { .kind = kind, .value = value };
    /* Smaller than PIPE_BUF: written completely, or not at all if there is no reader any more. */
    ssize_t written = write(SERVER_GUARD_STATUS_FD, &what, sizeof(what));
    (void)written;
}

/*
 * Starts the server in its own session, so that it cannot reach the terminal, and Ctrl-C does not
 * reach it.
 */
static int start_server(pid_t *ret_pid, char **command)
{
    const int fds[] = { -1, STDOUT_FILENO, STDERR_FILENO };
    const struct platform_start start = {
        .program = command[0],
        .argv = command,
        .fds = fds,
        .fd_count = sizeof(fds) / sizeof(fds[0]),
        .leads_session = true,
    };
    return platform_process_start(&start, ret_pid);
}

static void reap(const struct guard *guard)
{
    siginfo_t info = { 0 };
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG) == 0 && info.si_pid != 0) {
        if (info.si_pid == guard->server) {
            report(SERVER_GUARD_ENDED,
                   info.si_code == CLD_EXITED ? info.si_status : -info.si_status);
        }
        info.si_pid = 0;
    }
}

/* Waits until the other side closes our standard input. */
static void wait_for_end(const struct guard *guard)
{
    struct pollfd fds[] = {
        { .fd = STDIN_FILENO, .events = POLLIN },
        { .fd = guard->children_fd, .events = POLLIN },
    };
    for (;;) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR) {
            return;
        }
        if (fds[1].revents) {
            struct signalfd_siginfo ignored;
            ssize_t count = read(guard->children_fd, &ignored, sizeof(ignored));
            (void)count;
            reap(guard);
        }
        if (fds[0].revents) {
            return;
        }
    }
}

static bool was_sent_term(const struct guard *guard, pid_t pid)
{
    for (size_t i = 0; i < guard->told_count; i++) {
        if (guard->told[i] == pid) {
            return true;
        }
    }
    return false;
}

/* Sends SIGTERM once: a second one makes some programs exit without cleaning up. */
static void send_term(struct guard *guard, pid_t pid)
{
    if (!was_sent_term(guard, pid)) {
        guard->told = array_reserve(guard->told, guard->told_count, &guard->told_capacity,
                                    sizeof(*guard->told));
        guard->told[guard->told_count++] = pid;
        kill(pid, SIGTERM);
        kill(pid, SIGCONT); /* a stopped process does not handle signals */
    }
}

/*
 * Ends all present processes, and those that they start meanwhile. Returns false if the time is
 * over.
 */
static bool end_all(struct guard *guard, bool is_killed, struct deadline deadline)
{
    for (;;) {
        CLEANUP_FREE pid_t *pids = NULL;
        reap(guard);
        size_t count = platform_process_descendants(getpid(), &pids);
        if (count == 0) {
            return true;
        }
        if (deadline_passed(deadline)) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            if (is_killed) {
                kill(pids[i], SIGKILL);
            } else {
                send_term(guard, pids[i]);
            }
        }
        poll(NULL, 0, LOOK_MS);
    }
}

bool server_guard_is_wanted(int argc, char **argv)
{
    return argc > 2 && strcmp(argv[1], server_guard_argument) == 0;
}

int server_guard_run(int argc, char **argv)
{
    struct guard guard = { 0 };
    sigset_t child;
    (void)argc;
    /* The guard ends only when its work is done: a SIGTERM sent to it is meant for the server. */
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    guard.children_fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    fcntl(SERVER_GUARD_STATUS_FD, F_SETFD, FD_CLOEXEC);
    int failure = platform_adopt_orphans() ? start_server(&guard.server, argv + 2) : errno;
    if (failure) {
        report(SERVER_GUARD_FAILED, failure);
        return EXIT_FAILURE;
    }
    report(SERVER_GUARD_STARTED, guard.server);
    /* The output must end when no process of the server holds it. */
    dup2(null_fd, STDOUT_FILENO);
    dup2(null_fd, STDERR_FILENO);
    wait_for_end(&guard);
    bool is_done = end_all(&guard, false, deadline_in_ms(SERVER_GUARD_GRACE_MS)) ||
                   end_all(&guard, true, deadline_in_ms(KILLING_MS));
    free(guard.told);
    return is_done ? EXIT_SUCCESS : EXIT_FAILURE;
}
