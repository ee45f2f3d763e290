#include "runner/cli/interrupt.h"

#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/cli/command.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Longer than an orderly end takes: see CLOSE_MS in session.c, and DRAIN_MS in serving.c. */
enum { ORDERLY_END_MS = 12000, SERVER_END_MS = 30000 };

/* The descriptors that the thread polls. */
enum source {
    SOURCE_END,    /* interrupt_destroy() */
    SOURCE_SIGNAL, /* a signalfd */
    SOURCE_PARENT, /* the parent's pidfd; -1 if it is not, or no longer, watched */
    SOURCE_COUNT,
};

struct interrupt {
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t mutex; /* guards session */
    struct br_session *session;
    atomic_bool was_received;
    struct deadline end; /* after this the program is ended in any case; set by the first signal */
    atomic_int end_ms;   /* for the orderly end */
    int terminal_fd;     /* of a server; -1: it was started without a terminal */
    int event_fd;
    int reload_fd; /* -1: SIGHUP is a signal to end */
    int fds[SOURCE_COUNT];
    sigset_t before; /* the signal mask to restore */
};

/* A signal that is ignored from the start, as with nohup, stays ignored. */
static void watch_signal(sigset_t *signals, int number)
{
    struct sigaction present;
    if (sigaction(number, NULL, &present) == 0 && present.sa_handler != SIG_IGN) {
        sigaddset(signals, number);
    }
}

static sigset_t watched_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    watch_signal(&signals, SIGINT);
    watch_signal(&signals, SIGHUP);
    sigaddset(&signals, SIGTERM);
    return signals;
}

/* Handles the first signal. */
static void receive(struct interrupt *interrupt)
{
    interrupt->end = deadline_in_ms(atomic_load(&interrupt->end_ms));
    atomic_store(&interrupt->was_received, true);
    eventfd_write(interrupt->event_fd, 1);
    pthread_mutex_lock(&interrupt->mutex);
    if (interrupt->session) {
        br_session_interrupt(interrupt->session);
    }
    pthread_mutex_unlock(&interrupt->mutex);
}

/* Exiting closes the pipe, which ends Chrome as well. */
static _Noreturn void end_now(void)
{
    _exit(EXIT_INTERRUPTED);
}

/*
 * The timeout for poll(): -1 before a signal. The main thread may be blocked by a pipe that is not
 * read.
 */
static int time_left_ms(struct interrupt *interrupt)
{
    return atomic_load(&interrupt->was_received) ? (int)deadline_left_ms(interrupt->end) : -1;
}

static void on_early_signal(int number)
{
    (void)number;
    end_now();
}

void interrupt_exits(void)
{
    static const int numbers[] = { SIGINT, SIGHUP, SIGTERM };
    sigset_t signals = watched_signals();
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (sigismember(&signals, numbers[i])) {
            signal(numbers[i], on_early_signal);
        }
    }
}

int interrupt_open_signals(sigset_t *ret_before)
{
    sigset_t signals = watched_signals();
    pthread_sigmask(SIG_BLOCK, &signals, ret_before);
    return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

void interrupt_take(int fd)
{
    struct signalfd_siginfo info;
    ssize_t count = read(fd, &info, sizeof(info));
    (void)count; /* there was none */
}

/* A terminal that was closed is none any more before its SIGHUP comes. */
static bool has_lost_terminal(const struct interrupt *interrupt)
{
    return interrupt->terminal_fd >= 0 && !isatty(interrupt->terminal_fd);
}

static void on_signal(struct interrupt *interrupt)
{
    struct signalfd_siginfo info;
    if (read(interrupt->fds[SOURCE_SIGNAL], &info, sizeof(info)) != sizeof(info)) {
        return;
    }
    if (info.ssi_signo == SIGHUP && interrupt->reload_fd >= 0 && !has_lost_terminal(interrupt)) {
        eventfd_write(interrupt->reload_fd, 1);
        return;
    }
    if (atomic_load(&interrupt->was_received)) {
        end_now();
    }
    receive(interrupt);
}

/* Ctrl-C may end the parent as well, so its end does not count as a second signal. */
static void on_parent_end(struct interrupt *interrupt)
{
    if (!atomic_load(&interrupt->was_received)) {
        receive(interrupt);
    }
}

static void *watch(void *data)
{
    struct interrupt *interrupt = data;
    struct pollfd fds[SOURCE_COUNT];
    for (int i = 0; i < SOURCE_COUNT; i++) {
        fds[i] = (struct pollfd){ .fd = interrupt->fds[i], .events = POLLIN };
    }
    for (;;) {
        int count = poll(fds, SOURCE_COUNT, time_left_ms(interrupt));
        if (count < 0) {
            continue; /* EINTR: a debugger */
        }
        if (count == 0) {
            end_now();
        }
        if (fds[SOURCE_END].revents) {
            return NULL;
        }
        if (fds[SOURCE_SIGNAL].revents) {
            on_signal(interrupt);
        }
        if (fds[SOURCE_PARENT].revents) {
            fds[SOURCE_PARENT].fd = -1; /* it stays readable from now on */
            on_parent_end(interrupt);
        }
    }
}

/* Starts to watch the parent, which may already have ended. */
static void watch_parent(struct interrupt *interrupt)
{
    pid_t parent = getppid();
    int fd = platform_process_open(parent);
    int failure = errno;
    if (getppid() != parent || (fd < 0 && failure == ESRCH)) {
        receive(interrupt);
    } else if (fd < 0) {
        /* A parent outside our container has no pid here, and old kernels have no pidfd. */
        cli_warn("--die-with-parent: cannot watch the parent: %s", strerror(failure));
    }
    interrupt->fds[SOURCE_PARENT] = fd;
}

static struct interrupt *create(bool dies_with_parent, bool is_server)
{
    struct interrupt *interrupt = xcalloc(1, sizeof(*interrupt));
    atomic_store(&interrupt->end_ms, is_server ? SERVER_END_MS : ORDERLY_END_MS);
    interrupt->terminal_fd = -1;
    for (int fd = STDIN_FILENO; is_server && fd <= STDERR_FILENO; fd++) {
        interrupt->terminal_fd = isatty(fd) ? fd : interrupt->terminal_fd;
    }
    interrupt->reload_fd = is_server ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
    interrupt->fds[SOURCE_SIGNAL] = interrupt_open_signals(&interrupt->before);
    pthread_mutex_init(&interrupt->mutex, NULL);
    interrupt->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    interrupt->fds[SOURCE_END] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    interrupt->fds[SOURCE_PARENT] = -1;
    if (dies_with_parent) {
        watch_parent(interrupt);
    }
    /* Without the thread signals do what they do by default: they end the program. */
    interrupt->has_thread = pthread_create(&interrupt->thread, NULL, watch, interrupt) == 0;
    if (!interrupt->has_thread) {
        pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    }
    return interrupt;
}

struct interrupt *interrupt_create(bool dies_with_parent)
{
    return create(dies_with_parent, false);
}

struct interrupt *interrupt_create_for_server(bool dies_with_parent)
{
    /* An ignored signal would not come. */
    signal(SIGHUP, SIG_DFL);
    return create(dies_with_parent, true);
}

void interrupt_set_end(struct interrupt *interrupt, int end_ms)
{
    atomic_store(&interrupt->end_ms, end_ms);
}

void interrupt_set_session(struct interrupt *interrupt, struct br_session *session)
{
    pthread_mutex_lock(&interrupt->mutex);
    interrupt->session = session;
    if (session && atomic_load(&interrupt->was_received)) {
        br_session_interrupt(session);
    }
    pthread_mutex_unlock(&interrupt->mutex);
}

bool interrupt_was_received(struct interrupt *interrupt)
{
    return atomic_load(&interrupt->was_received);
}

int interrupt_fd(const struct interrupt *interrupt)
{
    return interrupt->event_fd;
}

int interrupt_reload_fd(const struct interrupt *interrupt)
{
    return interrupt->reload_fd;
}

void interrupt_destroy(struct interrupt *interrupt)
{
    if (interrupt->has_thread) {
        eventfd_write(interrupt->fds[SOURCE_END], 1);
        pthread_join(interrupt->thread, NULL);
    }
    pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    pthread_mutex_destroy(&interrupt->mutex);
    for (int i = 0; i < SOURCE_COUNT; i++) {
        if (interrupt->fds[i] >= 0) {
            close(interrupt->fds[i]);
        }
    }
    if (interrupt->reload_fd >= 0) {
        close(interrupt->reload_fd);
    }
    close(interrupt->event_fd);
    free(interrupt);
}
