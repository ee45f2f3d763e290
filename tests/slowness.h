/*
 * What a test may assume of time. It waits for an observable step; where time itself is measured,
 * the bound has at least a second of slack, and goes through slow_ms().
 */
#ifndef TESTS_SLOWNESS_H
#define TESTS_SLOWNESS_H

#include "runner/base/clock.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many times as long everything takes under a sanitizer; BR_TEST_SLOWNESS can only say more. */
#if defined(__SANITIZE_THREAD__)
#define SLOWNESS_DEFAULT 4
#elif defined(__SANITIZE_ADDRESS__)
#define SLOWNESS_DEFAULT 2
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SLOWNESS_DEFAULT 4
#elif __has_feature(address_sanitizer)
#define SLOWNESS_DEFAULT 2
#endif
#endif
#ifndef SLOWNESS_DEFAULT
#define SLOWNESS_DEFAULT 1
#endif

/* The time, multiplied for this build and this machine. */
static inline int64_t slow_ms(int64_t ms)
{
    const char *given = getenv("BR_TEST_SLOWNESS");
    double factor = given ? strtod(given, NULL) : 0;
    return (int64_t)((double)ms * (factor > SLOWNESS_DEFAULT ? factor : SLOWNESS_DEFAULT));
}

/*
 * For what is about speed and nothing else: holds in the tests labelled `timing`, which run alone
 * and set BR_TEST_TIMING; elsewhere it is always true.
 */
static inline bool is_soon(int64_t took_ms, int64_t limit_ms)
{
    return !getenv("BR_TEST_TIMING") || took_ms < limit_ms;
}

/* Whether the thread (by gettid()) of this process waits for something in the kernel. */
static inline bool thread_is_asleep(pid_t thread_id)
{
    char path[64];
    char text[256] = "";
    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)thread_id);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
    if (fd >= 0) {
        close(fd);
    }
    text[length > 0 ? length : 0] = '\0';
    /* Behind the name, which may have any characters, is the state. */
    const char *name_end = strrchr(text, ')');
    return name_end && strncmp(name_end, ") S", 3) == 0;
}

/* Waits until the thread waits; false: it did not come to that. */
static inline bool await_asleep(pid_t thread_id)
{
    struct deadline deadline = deadline_in_ms(slow_ms(20000));
    while (!thread_is_asleep(thread_id)) {
        if (deadline_passed(deadline)) {
            return false;
        }
        usleep(1000);
    }
    return true;
}

#endif
