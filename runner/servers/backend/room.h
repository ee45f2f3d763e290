/*
 * The session of a client of the actions server: its channel, and the newest answers, so that a
 * client whose connection broke can resume it without losing an answer.
 */
#ifndef RUNNER_SERVERS_BACKEND_ROOM_H
#define RUNNER_SERVERS_BACKEND_ROOM_H

#include "runner/net/service.h"
#include "runner/sessions/channel.h"

struct room;

/* Bytes of answers that are kept: a connection's queue has to have room for them. */
enum { ROOM_KEPT_BYTES = 64 * 1024 * 1024 };

struct room_options {
    size_t chunk_size;
    bool has_progress;
    bool keeps_answers; /* for a client that reconnects */
};

/* Takes a reference to the worker. No client is connected yet. Never NULL. */
struct room *room_open(struct worker *worker, const struct room_options *options);

/* Cancels running and waiting texts; the session stays. NULL is fine. */
void room_close(struct room *room);

struct channel *room_channel(struct room *room);
const char *room_name(const struct room *room);

/* Returns the id of the last answer that was sent or is kept; 0 if there is none. */
uint64_t room_last_id(struct room *room);

/* Returns whether some answers after the one with id `after` are no longer kept. */
bool room_has_lost(struct room *room, uint64_t after);

/*
 * Sends lines to this client from now on. First sends the answers after the one with id `after`
 * again; UINT64_MAX: none. Returns false if some of these are no longer kept.
 */
bool room_connect(struct room *room, struct service_client *client, uint64_t after);

/* The connection has ended; room_alone_since_ms() counts from now. */
void room_disconnect(struct room *room);

/* Returns when the last client disconnected, by the monotonic clock. */
int64_t room_alone_since_ms(struct room *room);

/*
 * Queues the instructions of a message, with its charge; returns false, without queueing them, if
 * too many are waiting.
 */
bool room_feed(struct room *room, struct service_message *message, int64_t begin_ms);

#endif
