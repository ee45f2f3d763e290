#include "runner/sessions/channel.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/batch/batch.h"
#include "runner/formats/event_json.h"
#include "runner/formats/response_json.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* Cancelled actions that have not begun; one more cancels everything. */
enum { MAX_CANCELLED = 256 };

struct channel {
    atomic_int references; /* held by the client and by each text */
    struct worker *worker;
    struct channel_options options;
    pthread_mutex_t mutex; /* guards the following members; held while the handler is called */
    bool is_closed;
    uint64_t fed, done;         /* numbers of texts */
    uint64_t cancelled_through; /* texts up to this number are cancelled */
    uint64_t present_id; /* id of the running action's response; 0: none of this channel runs */
    uint64_t cancelled[MAX_CANCELLED];
    size_t cancelled_count;
};

/* A text in the worker's queue. */
struct text_job {
    struct job job;
    struct channel *channel;
    uint64_t number; /* counts the channel's texts from 1 */
    size_t length;
    char text[];
};

static struct channel *hold(struct channel *channel)
{
    atomic_fetch_add(&channel->references, 1);
    return channel;
}

static void release(struct channel *channel)
{
    if (atomic_fetch_sub(&channel->references, 1) > 1) {
        return;
    }
    pthread_mutex_destroy(&channel->mutex);
    worker_release(channel->worker);
    free(channel);
}

struct channel *channel_open(struct worker *worker, const struct channel_options *options)
{
    struct channel *channel = xcalloc(1, sizeof(*channel));
    atomic_init(&channel->references, 1);
    channel->worker = worker_hold(worker);
    channel->options = *options;
    pthread_mutex_init(&channel->mutex, NULL);
    return channel;
}

struct worker *channel_worker(const struct channel *channel)
{
    return channel->worker;
}

static void send_line(struct channel *channel, enum channel_line what, uint64_t id,
                      const char *line, size_t length)
{
    const struct channel_handler *handler = &channel->options.handler;
    pthread_mutex_lock(&channel->mutex);
    if (!channel->is_closed) {
        handler->on_line(handler->data, what, id, line, length);
    }
    pthread_mutex_unlock(&channel->mutex);
}

/* Takes ownership of root. */
static void send_json(struct channel *channel, enum channel_line what, json_t *root)
{
    size_t length = 0;
    CLEANUP_FREE char *line = response_json_line(root, &length);
    json_decref(root);
    line[length] = '\n';
    send_line(channel, what, 0, line, length + 1);
}

/* Finishes a text, after its lines. */
static void end_text(struct text_job *text)
{
    struct channel *channel = text->channel;
    const struct channel_handler *handler = &channel->options.handler;
    pthread_mutex_lock(&channel->mutex);
    channel->done = text->number;
    channel->present_id = 0;
    if (!channel->is_closed && handler->on_done) {
        handler->on_done(handler->data);
    }
    pthread_mutex_unlock(&channel->mutex);
}

/* Callbacks of the batch, all on the worker's thread. */

static bool is_progress(const char *line)
{
    static const char begin[] = "{\"kind\":\"progress\"";
    return strncmp(line, begin, sizeof(begin) - 1) == 0;
}

static bool on_line(void *data, const char *line, size_t length, struct br_error *err)
{
    (void)err;
    struct text_job *text = data;
    bool is_news = is_progress(line);
    /* The response is recorded only after its lines. */
    uint64_t id = is_news ? 0 : worker_last_id(text->channel->worker) + 1;
    send_line(text->channel, is_news ? CHANNEL_NEWS : CHANNEL_ANSWER, id, line, length);
    return true;
}

static bool on_response(void *data, const struct br_response *response, struct br_error *err)
{
    (void)err;
    const struct text_job *text = data;
    worker_note_response(text->channel->worker, response);
    return true;
}

/*
 * Returns the index of an id among the cancelled ones; cancelled_count if it is not among them.
 * Call with the mutex held.
 */
static size_t find_cancelled(const struct channel *channel, uint64_t id)
{
    size_t i = 0;
    while (i < channel->cancelled_count && channel->cancelled[i] != id) {
        i++;
    }
    return i;
}

static bool is_cancelled(void *data)
{
    const struct text_job *text = data;
    struct channel *channel = text->channel;
    uint64_t next_id = worker_last_id(channel->worker) + 1;
    bool is_stopping = worker_is_stopping(channel->worker);
    pthread_mutex_lock(&channel->mutex);
    size_t place = find_cancelled(channel, next_id);
    bool is_listed = place < channel->cancelled_count;
    if (is_listed) {
        channel->cancelled[place] = channel->cancelled[--channel->cancelled_count];
    }
    bool is_to_end = is_stopping || is_listed || channel->is_closed ||
                     text->number <= channel->cancelled_through;
    channel->present_id = next_id;
    pthread_mutex_unlock(&channel->mutex);
    return is_to_end;
}

static bool is_interrupted(void *data)
{
    const struct text_job *text = data;
    struct channel *channel = text->channel;
    pthread_mutex_lock(&channel->mutex);
    bool is_closed = channel->is_closed;
    pthread_mutex_unlock(&channel->mutex);
    return is_closed;
}

static void run_text(struct job *job, struct worker *worker, struct br_session *session)
{
    (void)worker;
    struct text_job *text = (struct text_job *)job;
    const struct channel_options *options = &text->channel->options;
    const struct batch_options batch_options = {
        .chunk_size = options->chunk_size,
        .timeout_ms = options->timeout_ms,
        .has_progress = options->has_progress,
        .data = text,
        .on_line = on_line,
        .on_response = on_response,
        .is_cancelled = is_cancelled,
        .is_interrupted = is_interrupted,
    };
    struct br_error err;
    struct batch *batch = is_interrupted(text) ? NULL : batch_create(session, &batch_options, &err);
    if (batch) {
        /* A failure is already in the answers and in the summary. */
        bool is_done = batch_run_text(batch, text->text, text->length, &err);
        batch_close(batch);
        if (options->has_summary) {
            batch_write_summary(batch, is_done ? NULL : "input", &err, &err);
        }
        batch_destroy(batch);
    }
    end_text(text);
}

static void refuse_text(struct job *job, const struct br_error *why)
{
    struct text_job *text = (struct text_job *)job;
    send_json(text->channel, CHANNEL_ANSWER, error_json(why));
    end_text(text);
}

static void destroy_text(struct job *job)
{
    struct text_job *text = (struct text_job *)job;
    release(text->channel);
    free(text);
}

void channel_feed(struct channel *channel, const char *text, size_t length, int64_t begin_ms)
{
    struct text_job *job = xcalloc(1, sizeof(*job) + length + 1);
    memcpy(job->text, text, length);
    job->length = length;
    job->channel = hold(channel);
    job->job = (struct job){
        .owner = channel,
        .begin_by = deadline_in_ms(begin_ms),
        .run = run_text,
        .refuse = refuse_text,
        .destroy = destroy_text,
    };
    pthread_mutex_lock(&channel->mutex);
    job->number = ++channel->fed;
    pthread_mutex_unlock(&channel->mutex);
    worker_post(channel->worker, &job->job);
}

const char *channel_cancel(struct channel *channel, uint64_t id)
{
    uint64_t last_id = worker_last_id(channel->worker);
    pthread_mutex_lock(&channel->mutex);
    bool is_present = channel->present_id > last_id && (id == 0 || id == channel->present_id);
    bool is_waiting = !is_present && channel->done < channel->fed && (id == 0 || id > last_id);
    if (id == 0) {
        channel->cancelled_through = channel->fed;
    } else if (is_waiting && channel->cancelled_count == MAX_CANCELLED) {
        channel->cancelled_through = channel->fed;
    } else if (is_waiting && find_cancelled(channel, id) == channel->cancelled_count) {
        channel->cancelled[channel->cancelled_count++] = id;
    }
    pthread_mutex_unlock(&channel->mutex);
    if (is_present) {
        worker_cancel(channel->worker, channel);
    }
    return is_present ? "running" : is_waiting ? "waiting" : "over";
}

static void send_event(void *data, const struct br_event *event)
{
    send_json(data, CHANNEL_NEWS, event_json(event));
}

void channel_subscribe(struct channel *channel, unsigned kinds)
{
    if (kinds) {
        worker_subscribe(channel->worker, channel, kinds, send_event, channel);
    } else {
        worker_unsubscribe(channel->worker, channel);
    }
}

void channel_close(struct channel *channel)
{
    if (!channel) {
        return;
    }
    worker_unsubscribe(channel->worker, channel);
    pthread_mutex_lock(&channel->mutex);
    channel->is_closed = true;
    pthread_mutex_unlock(&channel->mutex);
    worker_cancel(channel->worker, channel);
    release(channel);
}
