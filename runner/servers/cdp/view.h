/*
 * One life of the browser: the relay for the endpoint's clients, and the list of targets. Our own
 * sink, the watcher, keeps the list. Loop thread only, but for creating, holding and releasing.
 */
#ifndef RUNNER_SERVERS_CDP_VIEW_H
#define RUNNER_SERVERS_CDP_VIEW_H

#include "runner/cdp/relay.h"
#include "runner/chrome/life.h"
#include "runner/servers/cdp/scope.h"

#include <jansson.h>

struct view;

/* Takes ownership of the reference to the life. Never NULL. */
struct view *view_create(struct browser_life *life, struct loop *loop);
struct view *view_hold(struct view *view);

/* The last release waits for the relay's end: not on the loop thread. NULL is fine. */
void view_release(struct view *view);

struct browser_life *view_life(const struct view *view);
struct cdp_relay *view_relay(const struct view *view);

struct view_handler {
    void (*on_ready)(void *data); /* once version and targets are known */
    void (*on_lost)(void *data, const char *reason);
    /* The watcher is freed. Takes ownership of its reference to the view. */
    void (*on_released)(void *data, struct view *view);
    void *data;
};

/* Starts the watcher; called once. */
void view_watch(struct view *view, const struct view_handler *handler);
void view_unwatch(struct view *view);

/* The result of Browser.getVersion; NULL before on_ready. Borrowed. */
const json_t *view_version(const struct view *view);

/* Chrome's id of the profile's context; NULL: Chrome does not report it. */
const char *view_profile_context(const struct view *view);

/* Contexts that clients of the profile have created. Borrowed. */
struct context_set *view_contexts(const struct view *view);

/* The targetInfo of each target, by its id. Borrowed. */
json_t *view_targets(const struct view *view);

/*
 * Learns the page of each tab in the profile, also of later ones: the targetInfo of a "tab" does
 * not name it. Calls on_learned once the present tabs are known, perhaps before it returns.
 */
void view_learn_tabs(struct view *view, void (*on_learned)(void *data), void *data);

/* The id of a tab's page; "" for a tab without one, NULL: not known yet. Borrowed. */
const char *view_page_of(const struct view *view, const char *tab_id);

/* Whether one of our own sessions is creating a tab that may be the target of this targetInfo. */
bool view_is_making(const struct view *view, const json_t *target);

/* Records that a client, not a session of ours, has created the target. */
void view_settle(struct view *view, const char *target_id);
bool view_is_settled(const struct view *view, const char *target_id);

/* Settles a target that a client has created by a command. */
void view_add_made(struct view *view, const char *target_id);
bool view_is_made(const struct view *view, const char *target_id);

/* Returns whether the target's process has ended. */
bool view_is_crashed(const struct view *view, const char *target_id);

/*
 * Sends a command of ours. Takes ownership of params. Calls on_reply once, perhaps before it
 * returns: with the result, or with NULL and the reason.
 */
typedef void view_on_reply(void *data, const json_t *result, const char *why);
void view_call(struct view *view, const char *method, json_t *params, view_on_reply *on_reply,
               void *data);

#endif
