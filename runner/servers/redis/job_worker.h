/*
 * Runs the batches of a queue: several at once, each slot with a thread, a connection and a browser
 * of its own. Another thread renews the leases of what runs, whatever the pages do.
 */
#ifndef RUNNER_SERVERS_REDIS_JOB_WORKER_H
#define RUNNER_SERVERS_REDIS_JOB_WORKER_H

#include "runner/base/strbuf.h"
#include "runner/servers/redis/job_queue.h"

#include <browser_runner/session.h>

enum { JOB_MAX_SLOTS = 256 };

struct job_worker_options {
    struct job_queue_options queue;
    struct br_browser_options browser; /* of each slot */
    int batches_each;                  /* a browser is replaced after so many batches */
    struct br_session_options session; /* of each batch, whose id it gets */
    int slots;
    size_t chunk_size; /* as in struct batch_options */
    /* Lines beyond so many bytes of a batch go to a file in the directory; NULL: the batch fails */
    size_t inline_bytes;
    const char *answers_dir;
    /* Batches that are named by a file must be in this directory; NULL: they are refused. */
    const char *batches_dir;
    /* Receives lines for people, on any thread: what was taken over, given back, void or dead. */
    void (*on_news)(void *data, const char *text);
    void *data;
};

struct job_worker;

/*
 * An attempt ends in one of these ways: its answer is stored; it is given back since its browser or
 * the store failed, which counts as a delivery; it is given back since the worker stops, which does
 * not; or it is void, since another worker has the job by now. All but the first are news.
 */

/*
 * Connects, and starts to take jobs. Strings are borrowed until job_worker_destroy(). NULL with the
 * error: NETWORK_ERROR if Redis cannot be reached within some seconds, BROWSER_NOT_FOUND.
 */
struct job_worker *job_worker_start(const struct job_worker_options *options, struct br_error *err);

/*
 * Takes no more jobs. Those that run have this long to end; then they are given back, for another
 * worker. Returns when nothing runs. NULL is fine.
 */
void job_worker_drain(struct job_worker *worker, int grace_ms);

/* After job_worker_drain(). NULL is fine. */
void job_worker_destroy(struct job_worker *worker);

/*
 * Appends OpenMetrics: the counts of this worker, and of each stream what waits, runs and is dead.
 * Does no I/O, so that the loop thread may call it: the numbers of the streams are some seconds
 * old.
 */
void job_worker_write_metrics(void *worker, struct strbuf *text);

#endif
