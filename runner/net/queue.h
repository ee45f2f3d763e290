/*
 * The outgoing messages of one connection, in order, up to a limit of bytes. A message that does
 * not fit displaces the oldest telemetry. Replies are never dropped.
 */
#ifndef RUNNER_NET_QUEUE_H
#define RUNNER_NET_QUEUE_H

#include "runner/net/handler.h"

enum {
    QUEUE_FRONT = 32,      /* bytes before a message, free for the sender's header */
    QUEUE_ITEM_COST = 128, /* bytes that count for a message in addition to its text */
    QUEUE_HEAD = 256, /* bytes copied of a message that is not copied whole; sent first, so that
                         QUEUE_FRONT precedes them */
    /*
     * A message up to this length is sent as one frame: Chrome itself does not reassemble fragments
     * when it connects for chrome://inspect. Such a message is copied, and libwebsockets buffers
     * what the socket does not accept, so this is not the limit of all messages.
     */
    QUEUE_ONE_FRAME = 8 * 1024 * 1024,
};

struct queue_item {
    struct queue_item *next, *previous;
    struct queue_item *next_telemetry;
    enum net_class class;
    size_t length;
    unsigned char *text;   /* the whole message, owned; NULL: it is in `bytes` */
    unsigned char bytes[]; /* QUEUE_FRONT, then the message or its first QUEUE_HEAD bytes */
};

struct queue {
    struct queue_item *first, *last;
    struct queue_item *first_telemetry, *last_telemetry; /* messages without a sent byte */
    size_t bytes; /* of all messages, including QUEUE_ITEM_COST for each */
    size_t max;
    size_t sent; /* bytes of the first message that were sent */
};

enum queue_result {
    QUEUE_TAKEN,
    QUEUE_DROPPED, /* a telemetry message that does not fit even after all others were dropped */
    QUEUE_FULL,    /* a reply that does not fit */
};

/* Copies the message and appends `suffix`. */
struct queue_item *queue_item_create(const char *text, size_t length, const char *suffix,
                                     enum net_class class);

/* Creates a reply longer than QUEUE_ONE_FRAME without copying it. Takes ownership of `text`. */
struct queue_item *queue_item_adopt(char *text, size_t length);
void queue_item_destroy(struct queue_item *item);

/* Always takes ownership. *ret_dropped: number of telemetry messages that were dropped. */
enum queue_result queue_put(struct queue *queue, struct queue_item *item, size_t *ret_dropped);

/*
 * Returns the next bytes to send, at most `max` and all of one message; NULL: the queue is empty.
 * The queue owns them. The caller may overwrite the QUEUE_FRONT bytes before them.
 */
unsigned char *queue_begin(struct queue *queue, size_t max, size_t *ret_length, bool *ret_is_first,
                           bool *ret_is_last);

/* Marks this many of the bytes as sent. */
void queue_advance(struct queue *queue, size_t length);

/* Frees all messages. */
void queue_clear(struct queue *queue);

#endif
