#include "runner/cli/interrupt.h"

#include "runner/base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct interrupt {
    pthread_t thread;
    pthread_mutex_t mutex; /* guards session */
    struct br_session *session;
    atomic_bool was_received, is_ending;
    int event_fd;
    sigset_t before; /* the signal mask to come back to */
};

/* What somebody lets us ignore, as nohup does, stays ignored. */
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

static void *watch(void *data)
{
    struct interrupt *interrupt = data;
    sigset_t signals = watched_signals();
    int number = 0;
    while (sigwait(&signals, &number) == 0 && !atomic_load(&interrupt->is_ending)) {
        if (atomic_exchange(&interrupt->was_received, true)) {
            /* Closing the pipe, which the exit does, ends Chrome as well. */
            _exit(130);
        }
        eventfd_write(interrupt->event_fd, 1);
        pthread_mutex_lock(&interrupt->mutex);
        if (interrupt->session) {
            br_session_interrupt(interrupt->session);
        }
        pthread_mutex_unlock(&interrupt->mutex);
    }
    return NULL;
}

struct interrupt *interrupt_create(void)
{
    struct interrupt *interrupt = xcalloc(1, sizeof(*interrupt));
    sigset_t signals = watched_signals();
    pthread_sigmask(SIG_BLOCK, &signals, &interrupt->before);
    pthread_mutex_init(&interrupt->mutex, NULL);
    interrupt->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_create(&interrupt->thread, NULL, watch, interrupt);
    return interrupt;
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

void interrupt_destroy(struct interrupt *interrupt)
{
    atomic_store(&interrupt->is_ending, true);
    pthread_kill(interrupt->thread, SIGTERM);
    pthread_join(interrupt->thread, NULL);
    pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    pthread_mutex_destroy(&interrupt->mutex);
    close(interrupt->event_fd);
    free(interrupt);
}
