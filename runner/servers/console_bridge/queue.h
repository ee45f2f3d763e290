/* Events of a tab that wait for their scripts, in order. */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_QUEUE_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_QUEUE_H

#include "runner/servers/console_bridge/event.h"

struct console_queued;

/* All zero is an empty one. */
struct console_queue {
    struct console_queued *first, *last;
    size_t count, bytes;
};

/* Takes the event, of about so many bytes. */
void console_queue_add(struct console_queue *queue, struct console_event *event, size_t bytes,
                       int64_t now_ms);

/* The first one, and since when it waits; NULL: none does. Borrowed. */
const struct console_event *console_queue_first(const struct console_queue *queue,
                                                int64_t *ret_since_ms);

/* Takes the first one out, which is there; *ret_bytes as it was added. Caller destroys it. */
struct console_event *console_queue_take(struct console_queue *queue, size_t *ret_bytes);

/* Destroys what is left. */
void console_queue_finish(struct console_queue *queue);

#endif
