#include "runner/base/thread.h"

#include <assert.h>
#include <signal.h>
#include <stddef.h>

#ifndef NDEBUG
/* The mutexes that this thread holds. The only mutable variable of a file: it belongs to the thread
   itself, and nothing but the assertion depends on it. */
static _Thread_local int held;
#define COUNT_HELD(change) (held += (change))
#else
#define COUNT_HELD(change) ((void)0)
#endif

int thread_start(pthread_t *thread, void *(*run)(void *data), void *data)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(thread, NULL, run, data);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

void mutex_lock(pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex);
    COUNT_HELD(1);
}

void mutex_unlock(pthread_mutex_t *mutex)
{
    COUNT_HELD(-1);
    pthread_mutex_unlock(mutex);
}

void mutex_assert_none(void)
{
    assert(held == 0 && "a mutex is held while its thread waits for another one");
}
