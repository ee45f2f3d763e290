/*
 * A connection to a Redis server, or one that speaks its protocol. It connects when it is first
 * needed, and again with growing pauses after it was lost. Belongs to one thread.
 */
#ifndef RUNNER_SERVERS_REDIS_REDIS_H
#define RUNNER_SERVERS_REDIS_REDIS_H

#include "runner/base/error.h"

#include <hiredis/hiredis.h>
#include <stdint.h>

/* What redis[s]://[[user]:password@]host[:port][/db] or unix:///path[?db=N] says. */
struct redis_address {
    bool is_tls;
    char *path; /* of a Unix socket; NULL: host and port */
    char *host, *port;
    char *user, *password; /* NULL: not given */
    int db;
};

/* INVALID_ACTION says what is wrong; no text of an error has the password. */
bool redis_address_read(const char *url, struct redis_address *ret_address, struct br_error *err);
void redis_address_finish(struct redis_address *address);

struct redis;

/* Reads the address; does not connect. NULL with the error. Caller destroys. */
struct redis *redis_create(const char *url, struct br_error *err);
void redis_destroy(struct redis *redis); /* NULL is fine */

/* How long a call goes on trying. */
struct redis_wait {
    int within_ms; /* connections are tried again until then; -1: without an end */
    int block_ms;  /* the command itself waits so long on the server; 0: it does not */
    int stop_fd;   /* readable: the call ends with CANCELLED; -1: none */
    int pause_ms;  /* the longest between two attempts to connect; 0: two seconds */
};

/*
 * Sends a command in the format of hiredis, and returns the reply, which the caller frees with
 * freeReplyObject(). The command is sent again if the connection is lost before its reply arrives,
 * so it must have the same effect when it is executed twice. NULL with NETWORK_ERROR if the server
 * cannot be reached, with CANCELLED, and with UNKNOWN_ERROR and the server's text if it refuses.
 */
redisReply *redis_call(struct redis *redis, const struct redis_wait *wait, struct br_error *err,
                       const char *format, ...);

redisReply *redis_call_words(struct redis *redis, const struct redis_wait *wait,
                             struct br_error *err, const char *const *words, size_t count);

/* Returns the integer of a reply, which may be NULL; -1 with the error. */
int redis_integer(const redisReply *reply, struct br_error *err);

/* Returns how often a connection was opened: a new number says that the server was away. */
unsigned redis_connections(const struct redis *redis);

/* Returns the milliseconds of the monotonic clock at which the newest connection was opened. */
int64_t redis_connected_ms(const struct redis *redis);

static inline void redis_cleanup_reply(redisReply **reply)
{
    if (*reply) {
        freeReplyObject(*reply);
    }
}
#define CLEANUP_REPLY __attribute__((cleanup(redis_cleanup_reply)))

#endif
