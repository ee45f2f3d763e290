#include "runner/base/clock.h"

enum { LOOK_MS = 50 }; /* interval at which a wait checks whether its deadline was cancelled */

static int64_t now_us(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_wall_ms(void)
{
    return now_us(CLOCK_REALTIME) / 1000;
}

int64_t clock_monotonic_ms(void)
{
    return now_us(CLOCK_MONOTONIC) / 1000;
}

int64_t clock_monotonic_us(void)
{
    return now_us(CLOCK_MONOTONIC);
}

struct deadline deadline_in_ms(int64_t ms)
{
    struct deadline deadline = { 0 };
    if (__builtin_mul_overflow(ms, 1000, &deadline.at_us) ||
        __builtin_add_overflow(deadline.at_us, now_us(CLOCK_MONOTONIC), &deadline.at_us)) {
        deadline.at_us = ms < 0 ? 0 : INT64_MAX;
    }
    return deadline;
}

struct deadline deadline_earlier(struct deadline a, struct deadline b)
{
    return (struct deadline){
        .at_us = a.at_us < b.at_us ? a.at_us : b.at_us,
        .is_off = a.is_off ? a.is_off : b.is_off,
    };
}

static bool is_off(struct deadline deadline)
{
    return deadline.is_off && atomic_load(deadline.is_off);
}

bool deadline_passed(struct deadline deadline)
{
    return is_off(deadline) || now_us(CLOCK_MONOTONIC) >= deadline.at_us;
}

int64_t deadline_left_ms(struct deadline deadline)
{
    int64_t left_us = deadline.at_us - now_us(CLOCK_MONOTONIC);
    return left_us > 0 && !is_off(deadline) ? (left_us - 1) / 1000 + 1 : 0;
}

struct timespec deadline_timespec(struct deadline deadline)
{
    return (struct timespec){
        .tv_sec = deadline.at_us / 1000000,
        .tv_nsec = (deadline.at_us % 1000000) * 1000,
    };
}

void condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, struct deadline deadline)
{
    if (deadline_passed(deadline)) {
        return false;
    }
    struct deadline look = { .at_us = deadline_in_ms(LOOK_MS).at_us };
    struct timespec until =
        deadline_timespec(deadline.is_off ? deadline_earlier(deadline, look) : deadline);
    pthread_cond_timedwait(condition, mutex, &until);
    return true;
}
