/* A token bucket, which limits how fast a client may send. Stored as the time when it is full. */
#ifndef RUNNER_NET_BUCKET_H
#define RUNNER_NET_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

/* A struct of zeros is a full bucket. */
struct bucket {
    int64_t full_at_us;
};

/*
 * Consumes a token for a received message. Returns after how many milliseconds the next message may
 * come, 0 for at once. `rate`: messages per second, 0 for no limit. `burst`: messages at once, at
 * least one.
 */
int64_t bucket_take(struct bucket *bucket, int rate, int burst, int64_t now_ms);

/*
 * For messages that are dropped above the limit: returns whether this message is within it. A
 * dropped message consumes no token.
 */
bool bucket_admits(struct bucket *bucket, int rate, int burst, int64_t now_ms);

#endif
