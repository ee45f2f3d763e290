/*
 * One life of the browser as the endpoint sees it: the relay for its clients, and what targets
 * there are. A watcher, a client of the relay that is ours, keeps that list. References are counted
 * on any thread; all else belongs to the loop thread, unless it says otherwise.
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

/* The last one waits for the relay's end: not on the loop thread. */
void view_release(struct view *view);

struct browser_life *view_life(const struct view *view);
struct cdp_relay *view_relay(const struct view *view);

struct view_handler {
    void (*on_ready)(void *data); /* version and targets are known */
    void (*on_lost)(void *data, const char *reason);
    /* The watcher is gone. Takes the reference to the view that it had. */
    void (*on_released)(void *data, struct view *view);
    void *data;
};

/* Begins to watch, once. */
void view_watch(struct view *view, const struct view_handler *handler);
void view_unwatch(struct view *view);

/* The result of Browser.getVersion; NULL before on_ready. Borrowed. */
const json_t *view_version(const struct view *view);

/* Chrome's id of the profile's context; NULL: it does not say. */
const char *view_profile_context(const struct view *view);

/* What clients of the profile have made beside that. Borrowed; any thread. */
struct context_set *view_contexts(const struct view *view);

/* The targetInfo of each target, by its id. Borrowed. */
json_t *view_targets(const struct view *view);

/*
 * Finds out, from now on, which page each tab of the profile has: for a target of type "tab" Chrome
 * does not say. on_learned comes once those are known that are there, perhaps at once.
 */
void view_learn_tabs(struct view *view, void (*on_learned)(void *data), void *data);

/* The id of a tab's page; "": it has none, NULL: it is not known. Borrowed. */
const char *view_page_of(const struct view *view, const char *tab_id);

/* Notes that none of our own sessions is making this target, and whether that was noted. */
void view_settle(struct view *view, const char *target_id);
bool view_is_settled(const struct view *view, const char *target_id);

/*
 * Sends a command of ours; `params` is taken over. on_reply comes once: with the result, or NULL
 * and what Chrome or the loss of it says.
 */
typedef void view_on_reply(void *data, const json_t *result, const char *why);
void view_call(struct view *view, const char *method, json_t *params, view_on_reply *on_reply,
               void *data);

#endif
