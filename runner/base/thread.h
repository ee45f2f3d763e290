/*
 * Threads that block all signals: only threads that wait for signals handle them. Mutexes that are
 * not held while their thread waits for another thread.
 */
#ifndef RUNNER_BASE_THREAD_H
#define RUNNER_BASE_THREAD_H

#include <pthread.h>

/* Like pthread_create(): returns 0 or an errno. */
int thread_start(pthread_t *thread, void *(*run)(void *data), void *data);

/*
 * Lock and unlock a mutex that callbacks on the loop thread may lock, too. A thread that holds one
 * must not wait for the loop, or for a message that the loop delivers: the loop may be waiting for
 * that mutex.
 */
void mutex_lock(pthread_mutex_t *mutex);
void mutex_unlock(pthread_mutex_t *mutex);

/*
 * Asserts that the caller holds no mutex of mutex_lock(). Called by functions that wait for another
 * thread. Does nothing in a release build.
 */
void mutex_assert_none(void);

#endif
