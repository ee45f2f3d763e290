#include "runner/net/queue.h"

#include <string.h>

static size_t cost_of(const struct queue_item *item)
{
    return item->length + QUEUE_ITEM_COST;
}

struct queue_item *queue_item_create(const char *text, size_t length, const char *suffix,
                                     enum net_class class)
{
    size_t suffix_length = strlen(suffix);
    struct queue_item *item = xmalloc(sizeof(*item) + QUEUE_FRONT + length + suffix_length);
    *item = (struct queue_item){ .class = class, .length = length + suffix_length };
    memset(item->bytes, 0, QUEUE_FRONT);
    if (length > 0) {
        memcpy(item->bytes + QUEUE_FRONT, text, length);
    }
    memcpy(item->bytes + QUEUE_FRONT + length, suffix, suffix_length);
    return item;
}

struct queue_item *queue_item_adopt(char *text, size_t length)
{
    struct queue_item *item = xmalloc(sizeof(*item) + QUEUE_FRONT + QUEUE_HEAD);
    *item = (struct queue_item){
        .class = NET_REPLY,
        .length = length,
        .text = (unsigned char *)text,
    };
    memset(item->bytes, 0, QUEUE_FRONT);
    memcpy(item->bytes + QUEUE_FRONT, text, QUEUE_HEAD);
    return item;
}

void queue_item_destroy(struct queue_item *item)
{
    free(item->text);
    free(item);
}

/* Telemetry is removed in order, so only the first telemetry message can be the item. */
static void leave_telemetry(struct queue *queue, const struct queue_item *item)
{
    if (queue->first_telemetry == item) {
        queue->first_telemetry = item->next_telemetry;
        queue->last_telemetry = queue->first_telemetry ? queue->last_telemetry : NULL;
    }
}

static void remove_item(struct queue *queue, struct queue_item *item)
{
    leave_telemetry(queue, item);
    *(item->previous ? &item->previous->next : &queue->first) = item->next;
    *(item->next ? &item->next->previous : &queue->last) = item->previous;
    queue->bytes -= cost_of(item);
    queue_item_destroy(item);
}

static void append(struct queue *queue, struct queue_item *item)
{
    item->previous = queue->last;
    *(queue->last ? &queue->last->next : &queue->first) = item;
    queue->last = item;
    queue->bytes += cost_of(item);
    if (item->class == NET_TELEMETRY) {
        *(queue->last_telemetry ? &queue->last_telemetry->next_telemetry
                                : &queue->first_telemetry) = item;
        queue->last_telemetry = item;
    }
}

enum queue_result queue_put(struct queue *queue, struct queue_item *item, size_t *ret_dropped)
{
    size_t cost = cost_of(item);
    *ret_dropped = 0;
    while (queue->bytes + cost > queue->max && queue->first_telemetry) {
        remove_item(queue, queue->first_telemetry);
        ++*ret_dropped;
    }
    if (queue->bytes + cost <= queue->max) {
        append(queue, item);
        return QUEUE_TAKEN;
    }
    bool is_telemetry = item->class == NET_TELEMETRY;
    *ret_dropped += is_telemetry;
    queue_item_destroy(item);
    return is_telemetry ? QUEUE_DROPPED : QUEUE_FULL;
}

unsigned char *queue_begin(struct queue *queue, size_t max, size_t *ret_length, bool *ret_is_first,
                           bool *ret_is_last)
{
    struct queue_item *item = queue->first;
    if (!item) {
        return NULL;
    }
    size_t left = item->length - queue->sent;
    bool is_head = item->text && queue->sent == 0;
    size_t most = is_head && max > QUEUE_HEAD ? QUEUE_HEAD : max;
    *ret_length = left < most ? left : most;
    *ret_is_first = queue->sent == 0;
    *ret_is_last = left <= most;
    leave_telemetry(queue, item);
    /* The bytes before the rest of a text were sent, so the caller may overwrite them. */
    return item->text && !is_head ? item->text + queue->sent
                                  : item->bytes + QUEUE_FRONT + queue->sent;
}

void queue_advance(struct queue *queue, size_t length)
{
    queue->sent += length;
    if (queue->sent == queue->first->length) {
        queue->sent = 0;
        remove_item(queue, queue->first);
    }
}

void queue_clear(struct queue *queue)
{
    while (queue->first) {
        remove_item(queue, queue->first);
    }
    queue->sent = 0;
}
