/* Threads that block all signals: only threads that wait for signals handle them. */
#ifndef RUNNER_BASE_THREAD_H
#define RUNNER_BASE_THREAD_H

#include <pthread.h>

/* Like pthread_create(): returns 0 or an errno. */
int thread_start(pthread_t *thread, void *(*run)(void *data), void *data);

#endif
