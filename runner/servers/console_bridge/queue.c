#include "runner/servers/console_bridge/queue.h"

#include "runner/base/memory.h"

struct console_queued {
    struct console_queued *next;
    struct console_event *event;
    size_t bytes;
    int64_t since_ms;
};

void console_queue_add(struct console_queue *queue, struct console_event *event, size_t bytes,
                       int64_t now_ms)
{
    struct console_queued *queued = xcalloc(1, sizeof(*queued));
    *queued = (struct console_queued){ .event = event, .bytes = bytes, .since_ms = now_ms };
    if (queue->last) {
        queue->last->next = queued;
    } else {
        queue->first = queued;
    }
    queue->last = queued;
    queue->count++;
    queue->bytes += bytes;
}

const struct console_event *console_queue_first(const struct console_queue *queue,
                                                int64_t *ret_since_ms)
{
    *ret_since_ms = queue->first ? queue->first->since_ms : 0;
    return queue->first ? queue->first->event : NULL;
}

struct console_event *console_queue_take(struct console_queue *queue, size_t *ret_bytes)
{
    struct console_queued *queued = queue->first;
    struct console_event *event = queued->event;
    *ret_bytes = queued->bytes;
    queue->first = queued->next;
    queue->last = queue->first ? queue->last : NULL;
    queue->count--;
    queue->bytes -= queued->bytes;
    free(queued);
    return event;
}

void console_queue_finish(struct console_queue *queue)
{
    size_t ignored;
    while (queue->first) {
        console_event_destroy(console_queue_take(queue, &ignored));
    }
}
