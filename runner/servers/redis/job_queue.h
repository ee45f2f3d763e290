/*
 * A worker's side of the streams: takes jobs, keeps them by leases, and stores their answers.
 *
 * An attempt's lines are entries ATTEMPT-NUMBER of the job's stream of answers, which Redis accepts
 * in ascending order only. The entry that ends a job has a time as its id, so Redis refuses every
 * later line: an answer that is complete cannot be changed.
 */
#ifndef RUNNER_SERVERS_REDIS_JOB_QUEUE_H
#define RUNNER_SERVERS_REDIS_JOB_QUEUE_H

#include "runner/servers/redis/job.h"

enum { JOB_MAX_STREAMS = 16 };

/* What all connections of a worker have in common. Borrowed. */
struct job_queue_options {
    const char *url, *group;
    const char *const *streams; /* in the order of their priority */
    size_t stream_count;
    const char *consumer; /* the worker's own name */
    int lease_ms;         /* a batch whose worker is silent for so long is taken by another one */
    int max_deliveries;   /* a batch without an answer after so many is dead */
    int keep_s;           /* how long answers are kept */
};

struct job_queue;

/* Does not connect. NULL with the error of redis_create(). Caller destroys. */
struct job_queue *job_queue_create(const struct job_queue_options *options, struct br_error *err);
void job_queue_destroy(struct job_queue *queue);

/* Creates the groups, and forgets consumers that ended long ago. */
bool job_queue_prepare(struct job_queue *queue, const struct redis_wait *wait,
                       struct br_error *err);

enum job_taken {
    JOB_NONE,    /* nothing waits */
    JOB_NEW,     /* the worker has it now */
    JOB_CLAIMED, /* the same, from a worker that is silent or gave it back */
    JOB_OVER,    /* it has an answer already, or another worker has it */
    JOB_BURIED,  /* it was delivered too often and is dead now */
};

/*
 * Takes the next job: first those of silent workers, then new ones, by priority. Waits for one up
 * to wait->block_ms. The job is filled, and the caller finishes it, unless JOB_NONE is returned.
 * -1 with the error.
 */
int job_queue_take(struct job_queue *queue, const struct redis_wait *wait, struct job *ret_job,
                   struct br_error *err);

/* Keeps the job for another lease. 0: another worker has it. -1 with the error. */
int job_queue_renew(struct job_queue *queue, const struct redis_wait *wait, const struct job *job,
                    struct br_error *err);

/*
 * Stores a line under its number within the attempt, from 0. CANCELLED: a later attempt or an end
 * has made it void. UNKNOWN_ERROR: Redis has lost the line before it, or refuses.
 */
bool job_queue_store(struct job_queue *queue, const struct redis_wait *wait, const struct job *job,
                     uint64_t number, const struct job_line *line, struct br_error *err);

/*
 * Makes the attempt's lines, all of which must be there, the answer, and acknowledges the job.
 * `why` is the JSON of an error, "" for none. 0: another attempt's answer was first, or the job is
 * dead. -1 with the error.
 */
int job_queue_end(struct job_queue *queue, const struct redis_wait *wait, const struct job *job,
                  uint64_t lines, int exit_code, const char *why, struct br_error *err);

/*
 * Gives the job back without an answer, for the next worker. `why` is the reason why the attempt
 * failed; NULL: it did not. If it counts as a delivery, the last one makes the job dead: then 0.
 * -1 with the error.
 */
int job_queue_release(struct job_queue *queue, const struct redis_wait *wait, const struct job *job,
                      const struct br_error *why, bool counts, struct br_error *err);

/* The jobs of a stream. */
struct job_stream_state {
    long long waiting, running, dead;
    long long oldest_s; /* age of the oldest one without an answer; 0: there is none */
};

/* Reads the state of the stream with this index. */
bool job_queue_read_state(struct job_queue *queue, const struct redis_wait *wait, size_t index,
                          struct job_stream_state *ret_state, struct br_error *err);

/* Removes the worker's name from the groups unless it still has jobs. */
bool job_queue_leave(struct job_queue *queue, const struct redis_wait *wait, struct br_error *err);

#endif
