/*
 * A slot of a worker: a thread with a connection and a browser of its own, which takes jobs and
 * runs them one after the other. It reads and checks the whole batch, runs its actions in a session
 * of their own, stores each line as it comes, and ends the job. An attempt whose browser fails is
 * given back instead, since that says nothing about the batch.
 */
#ifndef RUNNER_SERVERS_REDIS_JOB_SLOT_H
#define RUNNER_SERVERS_REDIS_JOB_SLOT_H

#include "runner/base/file_root.h"
#include "runner/servers/redis/job_worker.h"

#include <pthread.h>
#include <stdatomic.h>

/* What the slots of a worker have in common. */
struct job_slots {
    const struct job_worker_options *options;
    struct file_root *batches;
    char *answers_dir; /* as an absolute path; NULL: none */
    int stop_fd;       /* readable: no more jobs are taken */
    int abort_fd;      /* readable: what runs is given back */
    atomic_int running;
    /* What has happened so far; job_worker_write_metrics() has sentences for them. */
    atomic_int taken, claimed;
    atomic_int answered, fenced;
    atomic_int failed, returned, buried;
    atomic_int actions;
    atomic_bool has_browser; /* an action has reached one */
};

struct job_slot {
    struct job_slots *slots;
    pthread_t thread;
    bool has_thread;
    struct job_queue *queue;
    struct br_browser *browser; /* NULL: opened by the next batch */
    int batches;                /* that the browser has run */
    int pause_ms;               /* after the browser has failed */
    pthread_mutex_t mutex;      /* guards the rest */
    const struct job *job;      /* NULL: none runs */
    struct br_session *session; /* NULL: not open */
    bool is_lost;               /* another worker has the job */
};

/* The function of its thread: takes and runs jobs until stop_fd is readable. */
void *job_slot_run(void *slot);

/* The others are for other threads. */

/* Copies the job that the slot runs; false if there is none. */
bool job_slot_copy_job(struct job_slot *slot, struct job *ret_job);

/* Another worker has this job: ends the attempt, if the slot still runs it. */
void job_slot_lose(struct job_slot *slot, const struct job *job);

/* Interrupts what runs. */
void job_slot_interrupt(struct job_slot *slot);

#endif
