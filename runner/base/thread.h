/* Threads that leave signals alone: these are the business of whoever waits for them. */
#ifndef RUNNER_BASE_THREAD_H
#define RUNNER_BASE_THREAD_H

#include <pthread.h>

/* As pthread_create(): 0, or the number of the error. */
int thread_start(pthread_t *thread, void *(*run)(void *data), void *data);

#endif
