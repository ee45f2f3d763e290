/*
 * The batches of `serve --http`: each for one request, or for all that have its Idempotency-Key,
 * from its arrival until its answer is sent and forgotten. Requests arrive on the loop thread,
 * lines on the threads of the sessions; the server's thread moves the jobs on, and alone frees
 * them. All functions are called with the mutex held, which some release meanwhile.
 */
#ifndef RUNNER_SERVERS_HTTP_HTTP_JOBS_H
#define RUNNER_SERVERS_HTTP_HTTP_JOBS_H

#include "runner/net/service.h"
#include "runner/servers/http/http_server.h"
#include "runner/servers/http/one_shot.h"

#include <pthread.h>

enum { HTTP_JOB_CANCEL_MS = 10000 /* for a cancelled batch to answer */ };

enum http_job_state {
    JOB_NEW,     /* its instructions are not checked yet */
    JOB_WAITING, /* for room in the pool */
    JOB_RUNNING,
    JOB_DONE, /* all lines are there */
    JOB_KEPT, /* answered, and kept for further requests with its key */
};

/* A connection that waits for the answer of a job. */
struct http_waiter {
    struct http_waiter *next;
    uint64_t connection;
    bool has_begun; /* the first part was sent */
    size_t sent;    /* bytes of the lines */
};

/* A batch. */
struct http_job {
    struct http_job *next;
    struct http_jobs *jobs;
    struct one_shot *ask;
    enum http_job_state state;
    struct http_waiter *waiters;
    struct strbuf lines; /* of a stream without a key: only those that were not sent */
    char *text;          /* the batch, before it runs */
    size_t length;
    struct pool_batch *batch; /* used on the server's thread */
    bool has_failed;          /* the session could not begin; the line says why */
    bool is_cancelled;
    bool is_late;      /* it was cancelled since it ran too long */
    bool is_forgotten; /* requests with its key do not join it, and its answer is not kept */
    int64_t arrived_ms, began_ms;
    struct deadline due; /* the end of its present state */
};

/* The jobs of a server, in the order of arrival, and what they have in common. */
struct http_jobs {
    const struct http_server_options *options;
    struct service *service; /* is woken when a job has changed */
    struct net_listener *listener;
    struct pool *pool;
    pthread_mutex_t mutex; /* guards the following members, and those of the jobs */
    pthread_cond_t ended;  /* signalled when a job has ended */
    struct http_job *first, **last;
    size_t queued, running; /* numbers of jobs */
    bool is_draining, is_stopping;
    int64_t usual_ms; /* an average of how long batches take */
    uint64_t finished, joined, refused, late, invalid, cancelled;
    int64_t ran_ms, waited_ms; /* of all finished batches */
};

/* Adds a job for this request. Takes ownership of it. */
void http_jobs_add(struct http_jobs *jobs, struct one_shot *ask, uint64_t connection);

/* Fills an answer with an error, and after how many seconds there should be room. */
void http_jobs_refuse(const struct http_jobs *jobs, int status, const struct br_error *why,
                      struct net_answer *answer);

/* Another connection waits for the answer, or leaves: false if it did not wait. */
void http_job_join(struct http_job *job, uint64_t connection);
bool http_job_leave(struct http_job *job, uint64_t connection);

/* Moves the job to its next state if its time has come. May remove this job, no other one. */
void http_job_attend(struct http_job *job);

/* Begins a waiting job if there is room. May remove it. */
void http_job_begin(struct http_job *job);

/* Ends the session of a job that has one, without the mutex, which callbacks of the batch lock. */
void http_job_end_batch(struct http_job *job);

/* Removes the job from the list and frees it; http_job_free() frees it at the server's end. */
void http_job_remove(struct http_job *job);
void http_job_free(struct http_job *job);

#endif
