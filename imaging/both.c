#include "imaging/both.h"

#include <pthread.h>
#include <signal.h>

struct work {
    void (*run)(void *data);
    void *data;
};

static void *on_thread(void *data)
{
    const struct work *work = data;
    work->run(work->data);
    return NULL;
}

void both_run(void (*run)(void *data), void *first, void *second)
{
    struct work work = { .run = run, .data = second };
    pthread_t thread;
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(&thread, NULL, on_thread, &work);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    run(first);
    if (failure) {
        run(second);
    } else {
        pthread_join(thread, NULL);
    }
}
