/*
 * The outgoing messages of one connection, in order, up to a number of bytes. A message that does
 * not fit displaces the oldest telemetry; replies are never dropped.
 */
#ifndef RUNNER_NET_QUEUE_H
#define RUNNER_NET_QUEUE_H

#include "runner/net/handler.h"

enum {
    QUEUE_FRONT = 32,      /* bytes in front of a message, free for the sender's header */
    QUEUE_ITEM_COST = 128, /* bytes that a message counts beside its text */
    QUEUE_HEAD = 256,      /* of a message that is not copied, what is sent first, and is */
    /*
     * A message up to this length is one frame: Chrome itself puts no fragments together where it
     * connects for chrome://inspect. It is copied, and libwebsockets keeps what the socket does not
     * take, so it is not the limit of all messages.
     */
    QUEUE_ONE_FRAME = 8 * 1024 * 1024,
};

struct queue_item {
    struct queue_item *next, *previous;
    struct queue_item *next_telemetry;
    enum net_class class;
    size_t length;
    unsigned char *text;   /* owned, the whole message; NULL: it is in `bytes` */
    unsigned char bytes[]; /* QUEUE_FRONT, then the message or its first QUEUE_HEAD bytes */
};

struct queue {
    struct queue_item *first, *last;
    struct queue_item *first_telemetry, *last_telemetry; /* messages of which nothing was sent */
    size_t bytes;                                        /* with QUEUE_ITEM_COST for each */
    size_t max;
    size_t sent; /* bytes of the first message */
};

enum queue_result {
    QUEUE_TAKEN,
    QUEUE_DROPPED, /* a telemetry message that does not fit even without the others */
    QUEUE_FULL,    /* a reply that does not fit */
};

/* Copies the message, and `suffix` behind it. */
struct queue_item *queue_item_create(const char *text, size_t length, const char *suffix,
                                     enum net_class class);

/* A reply that is longer than QUEUE_ONE_FRAME, without a copy; takes ownership. */
struct queue_item *queue_item_adopt(char *text, size_t length);
void queue_item_destroy(struct queue_item *item);

/* Always takes ownership. *ret_dropped: how many telemetry messages were dropped. */
enum queue_result queue_put(struct queue *queue, struct queue_item *item, size_t *ret_dropped);

/*
 * Returns the next bytes to send, at most `max`, all of one message; NULL: the queue is empty. The
 * queue owns them; the QUEUE_FRONT bytes before them may be overwritten.
 */
unsigned char *queue_begin(struct queue *queue, size_t max, size_t *ret_length, bool *ret_is_first,
                           bool *ret_is_last);

/* Marks that many of these bytes as sent. */
void queue_advance(struct queue *queue, size_t length);

/* Frees all messages. */
void queue_clear(struct queue *queue);

#endif
