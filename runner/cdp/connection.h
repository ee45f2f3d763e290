/*
 * A connection to a browser, shared by the threads that use it. Assigns ids, routes replies and
 * events to its clients' mailboxes, and ends every pending call when it closes.
 */
#ifndef RUNNER_CDP_CONNECTION_H
#define RUNNER_CDP_CONNECTION_H

#include "runner/base/platform.h"
#include "runner/cdp/message.h"
#include "runner/net/transport.h"

struct cdp_connection;

/* Takes ownership of the transport, even on failure. Returns NULL if it cannot be started. */
struct cdp_connection *cdp_connection_create(struct transport *transport, struct br_error *err);

/* Closes the transport. Destroy all clients first. NULL is fine. */
void cdp_connection_destroy(struct cdp_connection *connection);

/*
 * Closes the connection as if the browser had ended. Every client receives the reason. Closing the
 * transport also ends a Chrome that we started. Any thread; may be repeated.
 */
void cdp_connection_close(struct cdp_connection *connection, const char *reason);

bool cdp_connection_is_open(struct cdp_connection *connection);

/* Whether the browser has sent anything. */
bool cdp_connection_has_begun(struct cdp_connection *connection);

/* Whether it was closed because the browser, alive or not, had stopped answering. */
bool cdp_connection_is_stuck(struct cdp_connection *connection);

/*
 * How a silent browser is judged (silence.h): read_work returns the work of its process until now,
 * and answer_ms is the time that it has to answer, if it is to be longer. Call before any client
 * uses the connection.
 */
void cdp_connection_judge_by(struct cdp_connection *connection,
                             struct platform_work (*read_work)(void *data), void *data,
                             int64_t answer_ms);

/* Functions for clients (client.c) and raw readers (relay.c). */

/*
 * Called by a thread that waits for messages. Asks a silent browser for a sign of life, and closes
 * the connection if none comes. Returns the time of the next call.
 */
struct deadline cdp_connection_check(struct cdp_connection *connection);

/*
 * Sends a command and returns its id, or -1 with the error. The mailbox receives its reply. If the
 * session ends before Chrome answers, the reply is a refusal with CDP_SESSION_NOT_FOUND. Takes
 * ownership of params (an object, or NULL). session_id NULL means the browser itself. On the loop
 * thread the command is posted and the deadline is ignored.
 */
int64_t cdp_connection_send(struct cdp_connection *connection, struct mailbox *mailbox,
                            const char *session_id, const char *method, json_t *params,
                            struct deadline deadline, struct br_error *err);

/*
 * Drops the reply when it arrives. Returns false if none will arrive: it is already in the mailbox,
 * or the connection has closed.
 */
bool cdp_connection_forget(struct cdp_connection *connection, int64_t id);

/*
 * Routes the session's events to the mailbox until its Target.detachedFromTarget. session_id NULL
 * routes the browser's own events, which every mailbox that asks for them receives.
 */
void cdp_connection_route(struct cdp_connection *connection, struct mailbox *mailbox,
                          const char *session_id);

/*
 * For raw readers (relay.c): routes the session's messages to the mailbox complete, and drops none.
 * The same applies to sessions that are attached through it, and through these. CDP_ENDED reports
 * the end of each session. session_id NULL reports only the connection's end.
 */
void cdp_connection_claim(struct cdp_connection *connection, struct mailbox *mailbox,
                          const char *session_id);

/*
 * The first half of cdp_connection_send() for a raw reader, which creates and posts the bytes
 * itself. Fails with PAGE_CRASHED if the session does not belong to the mailbox.
 */
int64_t cdp_connection_begin(struct cdp_connection *connection, struct mailbox *mailbox,
                             const char *session_id, struct br_error *err);

/*
 * Queues the bytes and writes them when it is their turn and the browser accepts them. Loop thread;
 * does not wait. Then calls on_written, perhaps before this returns. Calls it also when the bytes
 * are dropped because the connection has closed. Takes ownership of the bytes. on_written may be
 * NULL.
 */
void cdp_connection_post(struct cdp_connection *connection, char *bytes, size_t length,
                         void (*on_written)(void *data), void *data);

/* Prevents further calls of on_written with this data. Loop thread. */
void cdp_connection_unpost(struct cdp_connection *connection, const void *data);

/* Whether commands are sent as CBOR. */
bool cdp_connection_is_cbor(const struct cdp_connection *connection);

/* Removes all routes to the mailbox and all its calls. Nothing is posted there afterwards. */
void cdp_connection_detach(struct cdp_connection *connection, struct mailbox *mailbox);

#endif
