#include "runner/sessions/channel.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/batch/batch.h"
#include "runner/formats/event_json.h"
#include "runner/formats/response_json.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { MAX_CANCELLED = 256 }; /* cancelled actions that have not begun */

/* An action that was cancelled before it began. */
struct cancelled {
    uint64_t id;
    uint64_t through; /* number of the newest text when it was cancelled */
};

struct channel {
    atomic_int references; /* held by the client and by each text */
    struct worker *worker;
    struct channel_options options;
    char *directory;       /* owned: that of the options */
    pthread_mutex_t mutex; /* guards the following members; held while the handler is called */
    bool is_closed;
    uint64_t fed;                  /* number of the newest text */
    struct text_job *first, *last; /* texts that have not been processed */
    uint64_t running;              /* number of the worker's call that runs; 0: none does */
    uint64_t cancelled_through;    /* texts up to this number are cancelled */
    uint64_t present_id;           /* id of the channel's newest action that has begun or been
                                      refused; 0: none yet */
    struct cancelled cancelled[MAX_CANCELLED];
    size_t cancelled_count;
};

/* A text in the worker's queue. */
struct text_job {
    struct channel *channel;
    struct text_job *next; /* of the channel */
    uint64_t number;       /* counts the channel's texts from 1 */
    uint64_t first_id;     /* of its first action; 0: it has not begun */
    bool is_counted;
    size_t count; /* of its actions, if is_counted */
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
    free(channel->directory);
    free(channel);
}

struct channel *channel_open(struct worker *worker, const struct channel_options *options)
{
    struct channel *channel = xcalloc(1, sizeof(*channel));
    atomic_init(&channel->references, 1);
    channel->worker = worker_hold(worker);
    channel->options = *options;
    channel->directory = xstrdup(options->directory);
    channel->options.directory = channel->directory;
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
    mutex_lock(&channel->mutex);
    if (!channel->is_closed) {
        handler->on_line(handler->data, what, id, line, length);
    }
    mutex_unlock(&channel->mutex);
}

/* Takes ownership of root. */
static void send_json(struct channel *channel, enum channel_line what, json_t *root)
{
    size_t length = 0;
    CLEANUP_FREE char *line = json_line(root, &length);
    json_decref(root);
    line[length] = '\n';
    send_line(channel, what, 0, line, length + 1);
}

/* Forgets cancelled actions of texts that have been processed. Call with the mutex held. */
static void forget_cancelled(struct channel *channel)
{
    uint64_t first = channel->first ? channel->first->number : UINT64_MAX;
    for (size_t i = channel->cancelled_count; i > 0; i--) {
        if (channel->cancelled[i - 1].through < first) {
            channel->cancelled[i - 1] = channel->cancelled[--channel->cancelled_count];
        }
    }
}

/* Removes a text from the channel's list. Call with the mutex held. */
static void remove_text(struct channel *channel, const struct text_job *text)
{
    struct text_job *before = NULL;
    for (struct text_job *other = channel->first; other != text; other = other->next) {
        before = other;
    }
    *(before ? &before->next : &channel->first) = text->next;
    if (channel->last == text) {
        channel->last = before;
    }
}

/* Finishes a text, after its lines, and frees it. */
static void end_text(struct text_job *text)
{
    struct channel *channel = text->channel;
    const struct channel_handler *handler = &channel->options.handler;
    mutex_lock(&channel->mutex);
    channel->running = 0;
    remove_text(channel, text);
    forget_cancelled(channel);
    if (!channel->is_closed && handler->on_done) {
        handler->on_done(handler->data);
    }
    mutex_unlock(&channel->mutex);
    release(channel);
    free(text);
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
    struct channel *channel = text->channel;
    bool is_news = is_progress(line);
    /* The response is recorded only after its lines. */
    uint64_t id = is_news ? 0 : worker_last_id(channel->worker) + 1;
    if (!is_news) {
        mutex_lock(&channel->mutex);
        channel->present_id = id; /* of an instruction that was refused */
        mutex_unlock(&channel->mutex);
    }
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
    while (i < channel->cancelled_count && channel->cancelled[i].id != id) {
        i++;
    }
    return i;
}

/* Whether the text's action with this id was cancelled. Call with the mutex held. */
static bool take_cancelled(struct channel *channel, const struct text_job *text, uint64_t id)
{
    size_t place = find_cancelled(channel, id);
    if (place == channel->cancelled_count) {
        return false;
    }
    uint64_t through = channel->cancelled[place].through;
    channel->cancelled[place] = channel->cancelled[--channel->cancelled_count];
    return text->number <= through;
}

static bool is_cancelled(void *data)
{
    const struct text_job *text = data;
    struct channel *channel = text->channel;
    uint64_t next_id = worker_last_id(channel->worker) + 1;
    bool is_stopping = worker_is_stopping(channel->worker);
    mutex_lock(&channel->mutex);
    bool is_listed = take_cancelled(channel, text, next_id);
    bool is_to_end = is_stopping || is_listed || channel->is_closed ||
                     text->number <= channel->cancelled_through;
    channel->present_id = next_id;
    mutex_unlock(&channel->mutex);
    return is_to_end;
}

static bool is_interrupted(void *data)
{
    const struct text_job *text = data;
    struct channel *channel = text->channel;
    mutex_lock(&channel->mutex);
    bool is_closed = channel->is_closed;
    mutex_unlock(&channel->mutex);
    return is_closed;
}

static void run_text(struct text_job *text, const struct worker_call *call)
{
    const struct channel_options *options = &text->channel->options;
    const struct batch_options batch_options = {
        .chunk_size = options->chunk_size,
        .directory = options->directory,
        .timeout_ms = options->timeout_ms,
        .has_progress = options->has_progress,
        .data = text,
        .on_line = on_line,
        .on_response = on_response,
        .is_cancelled = is_cancelled,
        .is_interrupted = is_interrupted,
    };
    struct br_error err;
    uint64_t first_id = worker_last_id(call->worker) + 1;
    mutex_lock(&text->channel->mutex);
    text->channel->running = call->number;
    text->first_id = first_id;
    mutex_unlock(&text->channel->mutex);
    struct batch *batch =
        is_interrupted(text) ? NULL : batch_create(call->session, &batch_options, &err);
    if (batch) {
        /* A failure is already in the answers and in the summary. */
        bool is_done = batch_run_text(batch, text->text, text->length, &err);
        batch_close(batch);
        if (options->has_summary) {
            batch_write_summary(batch, is_done ? NULL : "input", &err, &err);
        }
        batch_destroy(batch);
    }
}

static void on_call(void *data, const struct worker_call *call)
{
    struct text_job *text = data;
    if (call->session) {
        run_text(text, call);
    } else {
        send_json(text->channel, CHANNEL_ANSWER, error_json(&call->why));
    }
    end_text(text);
}

void channel_feed(struct channel *channel, const char *text, size_t length, int64_t begin_ms)
{
    struct text_job *job = xcalloc(1, sizeof(*job) + length + 1);
    memcpy(job->text, text, length);
    job->length = length;
    job->channel = hold(channel);
    mutex_lock(&channel->mutex);
    job->number = ++channel->fed;
    *(channel->last ? &channel->last->next : &channel->first) = job;
    channel->last = job;
    mutex_unlock(&channel->mutex);
    worker_post(channel->worker, deadline_in_ms(begin_ms), on_call, job);
}

/*
 * Whether an action of the texts that were fed will get this id, which is later than `last_id`.
 * Call with the mutex held.
 */
static bool is_coming(struct channel *channel, uint64_t last_id, uint64_t id)
{
    uint64_t end = last_id;
    for (struct text_job *text = channel->first; text && id > end; text = text->next) {
        if (!text->is_counted) {
            text->count = batch_count_text(text->text, text->length);
            text->is_counted = true;
        }
        end = (text->first_id ? text->first_id - 1 : end) + text->count;
    }
    return id <= end;
}

/* Cancels all that was fed. */
static const char *cancel_all(struct channel *channel)
{
    mutex_lock(&channel->mutex);
    uint64_t present_id = channel->present_id;
    bool is_waiting = is_coming(channel, present_id, present_id + 1);
    channel->cancelled_through = channel->fed;
    uint64_t running = channel->running;
    mutex_unlock(&channel->mutex);
    return worker_cancel(channel->worker, running, present_id) ? "running"
           : is_waiting                                        ? "waiting"
                                                               : "over";
}

/* Cancels an action that has not begun. Call with the mutex held. */
static bool cancel_later(struct channel *channel, uint64_t id, struct br_error *err)
{
    if (find_cancelled(channel, id) < channel->cancelled_count) {
        return true;
    }
    if (channel->cancelled_count == MAX_CANCELLED) {
        error_set(err, BR_LIMIT_EXCEEDED, "%d cancelled actions are waiting already",
                  MAX_CANCELLED);
        return error_hint(err, "cancel without an id ends all that was sent");
    }
    channel->cancelled[channel->cancelled_count++] = (struct cancelled){ id, channel->fed };
    return true;
}

const char *channel_cancel(struct channel *channel, uint64_t id, struct br_error *err)
{
    if (id == 0) {
        return cancel_all(channel);
    }
    uint64_t last_id = worker_last_id(channel->worker);
    mutex_lock(&channel->mutex);
    bool is_present = id == channel->present_id;
    last_id = channel->present_id > last_id ? channel->present_id : last_id;
    bool is_waiting = id > last_id && is_coming(channel, last_id, id);
    bool is_fine = !is_waiting || cancel_later(channel, id, err);
    uint64_t running = channel->running;
    mutex_unlock(&channel->mutex);
    if (id > last_id && !is_waiting) {
        error_set(err, BR_INVALID_ACTION, "no action has or will have the id %" PRIu64, id);
        return NULL;
    }
    bool is_running = is_present && worker_cancel(channel->worker, running, id);
    return !is_fine ? NULL : is_running ? "running" : is_waiting ? "waiting" : "over";
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
    mutex_lock(&channel->mutex);
    channel->is_closed = true;
    uint64_t running = channel->running;
    mutex_unlock(&channel->mutex);
    worker_cancel(channel->worker, running, 0);
    release(channel);
}
