#include "runner/net/bucket.h"

#include <limits.h>

int64_t bucket_take(struct bucket *bucket, int rate, int burst, int64_t now_ms)
{
    if (rate <= 0) {
        return 0;
    }
    int64_t token_us = 1000000 / rate > 0 ? 1000000 / rate : 1;
    int64_t now_us = now_ms * 1000;
    int64_t from_us = bucket->full_at_us > now_us ? bucket->full_at_us : now_us;
    bucket->full_at_us = from_us + token_us;
    int64_t wait_us = bucket->full_at_us + token_us - (burst > 1 ? burst : 1) * token_us - now_us;
    return wait_us > 0 ? (wait_us + 999) / 1000 : 0;
}

bool bucket_admits(struct bucket *bucket, int rate, int burst, int64_t now_ms)
{
    struct bucket before = *bucket;
    /*
     * bucket_take() answers for the next message: with a burst larger by one, that answer holds for
     * this message.
     */
    int places = burst < INT_MAX ? burst + 1 : burst;
    if (bucket_take(bucket, rate, places, now_ms) == 0) {
        return true;
    }
    *bucket = before;
    return false;
}
