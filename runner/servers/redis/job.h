/*
 * Batches that wait in streams of Redis, and their answers, for those who submit batches and read
 * answers. A job is one batch; an attempt is one run of it by a worker. docs/worker.md describes
 * the keys, job_queue.h what workers do.
 */
#ifndef RUNNER_SERVERS_REDIS_JOB_H
#define RUNNER_SERVERS_REDIS_JOB_H

#include "runner/servers/redis/redis.h"

#include <stddef.h>

enum {
    JOB_MAX_ID = 64,
    JOB_MAX_BATCH = 64 * 1024 * 1024, /* bytes of a batch in the stream */
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

/* A line of an answer: its text, or where it is in a file. */
struct job_line {
    const char *text; /* NULL: in the file */
    size_t length;
    const char *file;
    uint64_t offset;
};

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
