/* How fast a client may send: a token bucket, as the time at which it is full again. */
#ifndef RUNNER_NET_BUCKET_H
#define RUNNER_NET_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

/* All zero is a full one. */
struct bucket {
    int64_t full_at_us;
};

/*
 * One message has come, of `rate` a second and `burst` at once (at least one). How many
 * milliseconds later the next one may; 0: at once, and always so where the rate is 0.
 */
int64_t bucket_take(struct bucket *bucket, int rate, int burst, int64_t now_ms);

/*
 * The same for messages that are left out where they are too many: whether this one is within the
 * limit. Those that are not take nothing from those that come later.
 */
bool bucket_admits(struct bucket *bucket, int rate, int burst, int64_t now_ms);

#endif
