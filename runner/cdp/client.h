/*
 * The side of a connection that waits: one client a thread. Its calls look blocking; while one
 * waits, the events that arrive are handed to on_event on the same thread.
 */
#ifndef RUNNER_CDP_CLIENT_H
#define RUNNER_CDP_CLIENT_H

#include "runner/cdp/connection.h"

struct cdp_client;

/*
 * An event of a session that the client has adopted; session_id is "" for the browser itself.
 * Must not wait for replies; cdp_post() is fine. All arguments are borrowed, and params is not
 * to be changed: other clients read it too.
 */
typedef void cdp_on_event(void *data, const char *session_id, const char *method, json_t *params);

/*
 * Events of the browser itself and of adopted sessions come to on_event, which may be NULL. The
 * connection outlives the client. Never NULL.
 */
struct cdp_client *cdp_client_create(struct cdp_connection *connection, cdp_on_event *on_event,
                                     void *data);
void cdp_client_destroy(struct cdp_client *client);

/*
 * Asked for each event that comes before it is parsed, with the data of on_event: true drops it.
 */
void cdp_client_set_skip(struct cdp_client *client,
                         bool (*skip)(void *data, const char *session_id, const char *method));

/*
 * Called, with the data of on_event, whenever the client is about to wait, and again at the time
 * that it returned: for what is due by the clock. `what` names what is waited for. It must not
 * wait.
 */
typedef struct deadline cdp_between(void *data, const char *what);
void cdp_client_set_between(struct cdp_client *client, cdp_between *between);

/* Whether messages have arrived that the client has not read yet. */
bool cdp_client_has_more(struct cdp_client *client);

/* The connection's events of this session come here from now on. */
void cdp_client_adopt(struct cdp_client *client, const char *session_id);

/* Ends the wait that goes on, and every later one, with "interrupted". From any thread. */
void cdp_client_interrupt(struct cdp_client *client);

/* The same with CANCELLED, until it is resumed. */
void cdp_client_cancel(struct cdp_client *client);
void cdp_client_resume(struct cdp_client *client);

/*
 * Ends the wait that goes on, and every later one, with this error: for on_event, when what it was
 * told makes waiting useless, such as a crash of the page. code BR_OK mends it again.
 */
void cdp_client_break(struct cdp_client *client, enum br_code code, const char *reason);

/* Whether the connection lives, as far as the client has read. */
bool cdp_client_is_open(struct cdp_client *client);

/* Whether waiting makes sense; otherwise the error that a call named `what` would fail with. */
bool cdp_client_check(struct cdp_client *client, const char *what, struct br_error *err);

/*
 * No wait of the client goes beyond this, whatever its own deadline. An action sets it at its
 * beginning; at first there is none.
 */
void cdp_client_set_deadline(struct cdp_client *client, struct deadline deadline);
struct deadline cdp_client_deadline(const struct cdp_client *client);

/*
 * Sends a command and waits for its reply. session_id NULL is the browser itself. Takes ownership
 * of params (an object, or NULL). *ret_result, if asked for, is the caller's to decref.
 * Errors: TIMEOUT naming the method, DISCONNECTED, INVALID_ACTION for parameters that Chrome could
 * not read, PAGE_CRASHED when the session has ended, UNKNOWN_ERROR with the words of a refusal.
 */
bool cdp_call(struct cdp_client *client, const char *session_id, const char *method, json_t *params,
              json_t **ret_result, struct br_error *err);

/* As cdp_call, but the reply stays text: for bodies of many megabytes. Caller destroys it. */
struct cdp_message *cdp_call_raw(struct cdp_client *client, const char *session_id,
                                 const char *method, json_t *params, struct br_error *err);

/* The two halves of cdp_call, to have several commands on their way. Every id that is sent is
 * received, once. -1 is an error, and receiving it fails. */
int64_t cdp_send(struct cdp_client *client, const char *session_id, const char *method,
                 json_t *params, struct br_error *err);
bool cdp_receive(struct cdp_client *client, int64_t id, const char *method, json_t **ret_result,
                 struct br_error *err);
struct cdp_message *cdp_receive_raw(struct cdp_client *client, int64_t id, const char *method,
                                    struct br_error *err);

/* In the place of receiving it: the reply is of no use any more. */
void cdp_forget(struct cdp_client *client, int64_t id);

/* Whether the reply to a command that was sent has come and waits to be received. */
bool cdp_has_reply(const struct cdp_client *client, int64_t id);

/* Sends a command whose reply nobody needs, also when the deadline has passed. Takes ownership of
 * params. */
void cdp_post(struct cdp_client *client, const char *session_id, const char *method,
              json_t *params);

/*
 * Applies events until is_done(data) says so; false with TIMEOUT "waiting for <what>" at the
 * deadline, with DISCONNECTED when the connection goes.
 */
bool cdp_wait(struct cdp_client *client, bool (*is_done)(void *data), void *data, const char *what,
              struct deadline deadline, struct br_error *err);

/* Applies events for this long: only for delays that an action's definition asks for. */
bool cdp_pause(struct cdp_client *client, int64_t ms, struct br_error *err);

/* Makes this eventfd readable when something comes for cdp_drain(); -1: none. As mailbox_watch().
 */
void cdp_client_watch(struct cdp_client *client, int fd);

/* Applies the events that are there already, without waiting. */
void cdp_drain(struct cdp_client *client);

/* How many events were lost since the last call, because nobody took them. */
size_t cdp_client_take_dropped(struct cdp_client *client);

#endif
