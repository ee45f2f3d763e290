/*
 * Batches that wait in streams of Redis, and their answers. A job is one batch; an attempt is one
 * run of it by a worker. docs/worker.md describes the keys.
 *
 * An attempt's lines are entries ATTEMPT-NUMBER of the job's stream of answers, which Redis accepts
 * in ascending order only. The entry that ends a job has a time as its id, so Redis refuses every
 * later line: an answer that is complete cannot be changed.
 */
#ifndef RUNNER_SERVERS_REDIS_JOB_H
#define RUNNER_SERVERS_REDIS_JOB_H

#include "runner/servers/redis/redis.h"

#include <stddef.h>

enum {
    JOB_MAX_ID = 64,
    JOB_MAX_BATCH = 64 * 1024 * 1024, /* bytes of a batch in the stream */
    JOB_MAX_STREAMS = 16,
};

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

struct job {
    const char *stream; /* borrowed from the options */
    char *entry;        /* its id in the stream */
    char *id;           /* the producer's, or the entry's */
    char *batch;        /* the instructions … */
    size_t batch_length;
    char *file; /* … or the file that has them; one of the two is NULL */
    int attempt;
    int deliveries;
};
void job_finish(struct job *job);

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

/* A line of an answer: its text, or where it is in a file. */
struct job_line {
    const char *text; /* NULL: in the file */
    size_t length;
    const char *file;
    uint64_t offset;
};

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

/* Returns 24 random hexadecimal digits. Caller frees. */
char *job_make_id(void);

/*
 * The name of the file of an attempt's lines, ID.ATTEMPT.RANDOM.ndjson: ids are unique in a stream
 * only, and many workers may share a directory. Caller frees.
 */
char *job_file_name(const struct job *job);

/* Whether a path's last part is such a name of the job with this id. */
bool job_file_is_of(const char *path, const char *id);

/* Whether the text can be the id of a job: 1 to 64 letters, digits and ._- */
bool job_id_is_valid(const char *id);

/*
 * For producers. Adds a job, with a batch or the path of a file; once, however often it is called
 * with the same id. INVALID_ACTION if the id was used for another batch.
 */
bool job_submit(struct redis *redis, const struct redis_wait *wait, const struct job *job,
                struct br_error *err);

/* What is known about a job. */
struct job_status {
    char state[16]; /* "queued", "running", "done", "dead"; "" for an unknown job */
    int attempt;    /* whose lines are the answer, or that runs */
    int exit_code;  /* of a job that is done */
    char *why;      /* JSON of an error, or the reason of its death; NULL: none */
};
void job_status_finish(struct job_status *status);
bool job_read_status(struct redis *redis, const struct redis_wait *wait, const char *stream,
                     const char *id, struct job_status *ret_status, struct br_error *err);

/* Whether the state is an end. */
bool job_status_is_final(const struct job_status *status);

/*
 * Reads lines after `*cursor`, "0-0" at first, and moves it. Waits for one up to wait->block_ms.
 * Calls on_line for each with its attempt. *ret_is_over: the job has ended. Fails if on_line does.
 */
struct job_reading {
    char cursor[48];
    bool is_over;
    void *data;
    bool (*on_line)(void *data, int attempt, const struct job_line *line, struct br_error *err);
};
bool job_read_lines(struct redis *redis, const struct redis_wait *wait, const char *stream,
                    const char *id, struct job_reading *reading, struct br_error *err);

/* Waits for the end of a job up to wait->block_ms. */
bool job_await_end(struct redis *redis, const struct redis_wait *wait, const char *stream,
                   const char *id, struct br_error *err);

#endif
