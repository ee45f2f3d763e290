/*
 * What waits to be sent to one connection: messages in their order, up to a number of bytes. Who
 * does not fit makes the oldest telemetry go; replies are never dropped.
 */
#ifndef RUNNER_NET_QUEUE_H
#define RUNNER_NET_QUEUE_H

#include "runner/net/handler.h"

/* Bytes in front of a message that whoever sends it may write over, and what each costs besides. */
enum { QUEUE_FRONT = 32, QUEUE_ITEM_COST = 128 };

struct queue_item {
    struct queue_item *next, *previous;
    struct queue_item *next_telemetry;
    enum net_class class;
    size_t length;
    unsigned char bytes[]; /* QUEUE_FRONT, then the message */
};

struct queue {
    struct queue_item *first, *last;
    struct queue_item *first_telemetry, *last_telemetry; /* of those not begun */
    size_t bytes;                                        /* with QUEUE_ITEM_COST for each */
    size_t max;
    size_t sent; /* of the first one's message */
};

enum queue_result {
    QUEUE_TAKEN,
    QUEUE_DROPPED, /* it was telemetry, and not even the others' going made room */
    QUEUE_FULL,    /* it was a reply */
};

/* A copy of the message, and of `suffix` behind it. */
struct queue_item *queue_item_create(const char *text, size_t length, const char *suffix,
                                     enum net_class class);

/* Takes the item, in any case; *ret_dropped is how many messages of telemetry were dropped. */
enum queue_result queue_put(struct queue *queue, struct queue_item *item, size_t *ret_dropped);

/*
 * At most `max` of the bytes that are to be sent next, all of one message; NULL: nothing waits.
 * They are the queue's. What is before them, QUEUE_FRONT bytes, may be written over.
 */
unsigned char *queue_begin(struct queue *queue, size_t max, size_t *ret_length, bool *ret_is_first,
                           bool *ret_is_last);

/* So many of these are sent. */
void queue_advance(struct queue *queue, size_t length);

/* Forgets all that waits. */
void queue_clear(struct queue *queue);

#endif
