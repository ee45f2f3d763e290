/*
 * Which targets and sessions a client of the endpoint sees. Events about targets in other browser
 * contexts, and about tabs of our own sessions, are not for it. In the profile an event waits while
 * the owner of its target is unknown. Loop thread only.
 */
#ifndef RUNNER_SERVERS_CDP_VISIBILITY_H
#define RUNNER_SERVERS_CDP_VISIBILITY_H

#include "runner/loop/loop.h"
#include "runner/servers/cdp/scope.h"
#include "runner/servers/cdp/view.h"

struct visibility;

struct visibility_options {
    struct loop *loop;
    struct view *view;
    struct scope *scope;
    struct cdp_sink *sink;
    bool is_profile; /* the client works in the profile's context, beside our own sessions */
    /* Sends a delayed event to the client. Takes ownership of text. */
    void (*on_text)(void *data, char *text, size_t length);
    void *data;
};

/* Borrows view, scope and sink, which must outlive it. */
struct visibility *visibility_create(const struct visibility_options *options);

/* Cancels the timers and drops delayed events. NULL is fine. */
void visibility_destroy(struct visibility *visibility);

/* Sets the target that stands for the browser; each client has one of its own. */
void visibility_set_browser_target(struct visibility *visibility, const char *target_id);

/* Whether the client receives the event. A delayed one goes to on_text later. */
bool visibility_event(struct visibility *visibility, const struct cdp_message *event);

/*
 * Marks a target as one that the client has created, and sends its delayed events: Chrome reports a
 * new target before it replies.
 */
void visibility_add_target(struct visibility *visibility, const char *target_id);

/* A session that was attached through the client's own has ended. */
void visibility_end_session(struct visibility *visibility, const char *session_id);

/* Ignores certificate errors in the pages to which the client is attached, or checks them again. */
void visibility_ignore_certificates(struct visibility *visibility, bool is_on);

/* Whether the client sees the target of a targetInfo. */
bool visibility_shows(struct visibility *visibility, const json_t *target);

#endif
