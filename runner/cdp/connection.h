/*
 * One connection to one browser, shared by the threads that talk to it. It hands out ids, routes
 * replies and events to the mailboxes of its clients, and ends every pending call when it closes.
 */
#ifndef RUNNER_CDP_CONNECTION_H
#define RUNNER_CDP_CONNECTION_H

#include "runner/cdp/message.h"
#include "runner/cdp/transport.h"

struct cdp_connection;

/* Takes ownership of the transport, also when it fails. NULL when it cannot be started. */
struct cdp_connection *cdp_connection_create(struct transport *transport, struct br_error *err);

/* Closes the transport. Its clients are destroyed before. NULL is fine. */
void cdp_connection_destroy(struct cdp_connection *connection);

/*
 * Ends it as if the browser had gone: every client learns the reason, and the transport is closed,
 * by which a Chrome that we started ends. Any thread; again is fine.
 */
void cdp_connection_close(struct cdp_connection *connection, const char *reason);

bool cdp_connection_is_open(struct cdp_connection *connection);

/* Whether it was closed because the browser, alive or not, had ceased to answer. */
bool cdp_connection_is_stuck(struct cdp_connection *connection);

/* For clients (client.c). */

/*
 * For whoever waits: asks a browser that has been silent for a sign of life, and closes the
 * connection when none comes. Until when waiting makes sense before it is called again.
 */
struct deadline cdp_connection_check(struct cdp_connection *connection);

/*
 * Sends a command; its reply goes to the mailbox, also when its session ends before Chrome answers:
 * then it is a refusal with CDP_SESSION_NOT_FOUND. Returns the command's id, or -1 with the error.
 * Takes ownership of params (an object, or NULL). session_id NULL is the browser itself. On the
 * loop thread it is posted, whatever the deadline.
 */
int64_t cdp_connection_send(struct cdp_connection *connection, struct mailbox *mailbox,
                            const char *session_id, const char *method, json_t *params,
                            struct deadline deadline, struct br_error *err);

/*
 * The reply is not wanted any more; when it comes it is dropped. False when nothing will come: it
 * is in the mailbox already, or the connection has closed.
 */
bool cdp_connection_forget(struct cdp_connection *connection, int64_t id);

/*
 * Events of the session go to the mailbox from now on, until its Target.detachedFromTarget; those
 * of the browser itself when session_id is NULL, and these to every mailbox that asks for them.
 */
void cdp_connection_route(struct cdp_connection *connection, struct mailbox *mailbox,
                          const char *session_id);

/*
 * For raw readers (relay.c): the session's messages come to the mailbox whole, and none is dropped;
 * so do those of the sessions that are attached through it, and through these. CDP_ENDED tells of
 * the end of each. With session_id NULL it learns of the connection's end alone.
 */
void cdp_connection_claim(struct cdp_connection *connection, struct mailbox *mailbox,
                          const char *session_id);

/*
 * The first half of cdp_connection_send() for a raw reader, which makes the bytes itself and posts
 * them. Fails with PAGE_CRASHED for a session that is not the mailbox's own.
 */
int64_t cdp_connection_begin(struct cdp_connection *connection, struct mailbox *mailbox,
                             const char *session_id, struct br_error *err);

/*
 * On the loop thread, which does not wait: writes the bytes when it is their turn and the browser
 * takes them, and then calls on_written, perhaps before this returns; also when the connection has
 * closed instead. Takes ownership of the bytes. on_written NULL: not needed.
 */
void cdp_connection_post(struct cdp_connection *connection, char *bytes, size_t length,
                         void (*on_written)(void *data), void *data);

/* on_written is not called with this data any more. On the loop thread. */
void cdp_connection_unpost(struct cdp_connection *connection, const void *data);

/* Whether the bytes of a command are CBOR. */
bool cdp_connection_is_cbor(const struct cdp_connection *connection);

/* Ends all routes to the mailbox and all calls of it. Afterwards nothing more is posted there. */
void cdp_connection_detach(struct cdp_connection *connection, struct mailbox *mailbox);

#endif
