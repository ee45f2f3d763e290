/*
 * The session of a client of the server of actions: its channel, and the newest answers, so that a
 * client whose connection broke can take it up again without losing one.
 */
#ifndef RUNNER_SERVERS_BACKEND_ROOM_H
#define RUNNER_SERVERS_BACKEND_ROOM_H

#include "runner/net/server.h"
#include "runner/sessions/channel.h"

struct room;

struct room_options {
    size_t chunk_size;
    bool has_progress;
    bool keeps_answers; /* for a client that comes back */
};

/* Holds a reference to the worker. No client is connected yet. Never NULL. */
struct room *room_open(struct worker *worker, const struct room_options *options);

/* Cancels what runs and waits; the session stays. NULL is fine. */
void room_close(struct room *room);

struct channel *room_channel(struct room *room);
const char *room_name(const struct room *room);

/* The connected client's id; 0 when there is none. */
uint64_t room_connection(struct room *room);

/* The number of the last answer that went out, or is kept; 0: none has. */
uint64_t room_last_id(struct room *room);

/*
 * From now on lines go there. Before, the answers behind the one with the id `after` are sent
 * again; UINT64_MAX: none are. False where some of these are not kept any more.
 */
bool room_connect(struct room *room, struct net_listener *listener, uint64_t connection,
                  uint64_t after);

/* The connection is gone; *ret_since_ms of the monotonic clock is now. */
void room_disconnect(struct room *room);

/* When the last client disconnected, by the monotonic clock. */
int64_t room_alone_since_ms(struct room *room);

/* A text of instructions; false, taking nothing, where too many wait already. */
bool room_feed(struct room *room, const char *text, size_t length, int64_t begin_ms);

#endif
