/*
 * A connection's client for one thread. Its calls block. While a call waits, it passes arriving
 * events to on_event on the same thread.
 */
#ifndef RUNNER_CDP_CLIENT_H
#define RUNNER_CDP_CLIENT_H

#include "runner/cdp/connection.h"

struct cdp_client;
struct waits;

/*
 * Receives an event of an adopted session; session_id is "" for the browser itself. Must not wait
 * for replies; may call cdp_post(). All arguments are borrowed. params must not be changed, because
 * other clients read it too.
 */
typedef void cdp_on_event(void *data, const char *session_id, const char *method, json_t *params);

/*
 * Creates a client whose on_event, which may be NULL, receives the events of the browser itself and
 * of adopted sessions. The connection must outlive the client. Never NULL.
 */
struct cdp_client *cdp_client_create(struct cdp_connection *connection, cdp_on_event *on_event,
                                     void *data);
void cdp_client_destroy(struct cdp_client *client);

/*
 * Sets a filter that is called for each event before it is parsed, with the data of on_event.
 * Events for which it returns true are dropped.
 */
void cdp_client_set_skip(struct cdp_client *client,
                         bool (*skip)(void *data, const char *session_id, const char *method));

/*
 * Called whenever the client is about to wait, for work that is due by the clock. Gets the data of
 * on_event; `what` names what the client waits for. Returns the time of its next call. Must not
 * wait.
 */
typedef struct deadline cdp_between(void *data, const char *what);
void cdp_client_set_between(struct cdp_client *client, cdp_between *between);

/* Records all waits of the client there; must outlive the client. */
void cdp_client_set_waits(struct cdp_client *client, struct waits *waits);

/* The time of a page that passes only on request. Both functions get the data of on_event. */
struct cdp_time {
    /*
     * Called whenever no message is there and the client is about to wait: moves time on if what
     * is waited for needs that, with waits of its own until `deadline`. Returns true if it may have
     * come; otherwise it is called again at *ret_next, if that is changed, or after the next
     * message. is_new: for the first time in this wait.
     */
    bool (*move)(void *data, const char *what, bool is_new, struct deadline deadline,
                 struct deadline *ret_next);
    /* Lets time pass, for cdp_pause(). */
    bool (*pass)(void *data, int64_t ms, struct br_error *err);
};

/* Static storage; NULL: time passes by itself. */
void cdp_client_set_time(struct cdp_client *client, const struct cdp_time *time);

/* Whether messages have arrived that the client has not processed yet. */
bool cdp_client_has_more(struct cdp_client *client);

/* Passes events of this session to this client from now on. */
void cdp_client_adopt(struct cdp_client *client, const char *session_id);

/* Ends the current wait and all later ones with CANCELLED, "interrupted". Any thread. */
void cdp_client_interrupt(struct cdp_client *client);

/* Ends the current wait and all later ones with CANCELLED until cdp_client_resume(). Any thread. */
void cdp_client_cancel(struct cdp_client *client);
void cdp_client_resume(struct cdp_client *client);

/*
 * Ends the current wait and all later ones with this error. on_event calls it when an event makes
 * waiting useless, such as a crash of the page. code BR_OK clears the error.
 */
void cdp_client_break(struct cdp_client *client, enum br_code code, const char *reason);

/* Whether the connection is open, as far as the client has processed its messages. */
bool cdp_client_is_open(struct cdp_client *client);

/*
 * Whether the client can wait. If not, returns false with the error with which a call named `what`
 * would fail.
 */
bool cdp_client_check(struct cdp_client *client, const char *what, struct br_error *err);

/*
 * Limits all waits of the client, whatever their own deadlines. Each action sets it when it begins;
 * at first there is no limit.
 */
void cdp_client_set_deadline(struct cdp_client *client, struct deadline deadline);
struct deadline cdp_client_deadline(const struct cdp_client *client);

/*
 * Sends a command and waits for its reply. session_id NULL means the browser itself. Takes
 * ownership of params (an object, or NULL). If ret_result is not NULL, the caller decrefs
 * *ret_result. Errors: TIMEOUT naming the method; DISCONNECTED; INVALID_ACTION for parameters that
 * Chrome could not read; PAGE_CRASHED if the session has ended; UNKNOWN_ERROR with Chrome's text if
 * it refuses.
 */
bool cdp_call(struct cdp_client *client, const char *session_id, const char *method, json_t *params,
              json_t **ret_result, struct br_error *err);

/*
 * The two halves of cdp_call(), for several commands in parallel. Receive or forget every id that
 * was sent, once. Id -1 means an error; receiving it fails without setting `err` again.
 */
int64_t cdp_send(struct cdp_client *client, const char *session_id, const char *method,
                 json_t *params, struct br_error *err);
bool cdp_receive(struct cdp_client *client, int64_t id, const char *method, json_t **ret_result,
                 struct br_error *err);
struct cdp_message *cdp_receive_raw(struct cdp_client *client, int64_t id, const char *method,
                                    struct br_error *err);

/*
 * For a command whose reply names something that has to be released: call it before receiving. If
 * that fails, a reply that comes later is passed to on_late, with the data of on_event. It must not
 * wait; result is borrowed.
 */
typedef void cdp_on_late(void *data, const char *session_id, json_t *result);
void cdp_client_expect_late(struct cdp_client *client, int64_t id, cdp_on_late *on_late);

/* Replaces receiving a reply that is no longer needed. */
void cdp_forget(struct cdp_client *client, int64_t id);

/* Whether the reply to a sent command has arrived and can be received. */
bool cdp_has_reply(const struct cdp_client *client, int64_t id);

/*
 * Sends a command and drops its reply; works after the client's deadline too. Takes ownership of
 * params.
 */
void cdp_post(struct cdp_client *client, const char *session_id, const char *method,
              json_t *params);

/*
 * Processes events until is_done(data) returns true. Returns false with TIMEOUT "waiting for
 * <what>" at the deadline, and with DISCONNECTED when the connection closes.
 */
bool cdp_wait(struct cdp_client *client, bool (*is_done)(void *data), void *data, const char *what,
              struct deadline deadline, struct br_error *err);

/* Processes events for this long. Use it only for delays that an action's definition requires. */
bool cdp_pause(struct cdp_client *client, int64_t ms, struct br_error *err);

/*
 * Makes this eventfd readable when cdp_drain() has something to process; -1: none. See
 * mailbox_watch().
 */
void cdp_client_watch(struct cdp_client *client, int fd);

/* Processes the events that have already arrived, without waiting. */
void cdp_drain(struct cdp_client *client);

/* Returns the number of events since the last call that were dropped from a full mailbox. */
size_t cdp_client_take_dropped(struct cdp_client *client);

#endif
