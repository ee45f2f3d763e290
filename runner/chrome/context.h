/*
 * A browser context: cookies, storage and cache shared by the pages of one or more sessions. It is
 * the profile's own, a named one, or a private one of a single session. It keeps a copy of its
 * pages' latest cookies and storage, and restores it when the browser was started again: once,
 * however many sessions return. Functions may be called from any thread.
 */
#ifndef RUNNER_CHROME_CONTEXT_H
#define RUNNER_CHROME_CONTEXT_H

#include "runner/base/policy.h"
#include "runner/chrome/life.h"

#include <jansson.h>
#include <pthread.h>

struct context;

/* The contexts of a browser, guarded by the browser's mutex. */
struct contexts {
    pthread_mutex_t *mutex;
    pthread_cond_t *changed;    /* signalled when a context's is_busy becomes false */
    struct browser_life **life; /* the browser's current life; *life is NULL: none */
    struct context *list;
    struct loop *loop;
    bool is_foreign;                /* the browser was not launched here */
    const char *const *chrome_args; /* the user's, NULL-terminated; NULL: none */
    struct way_out *way_out;        /* of the profile's context; NULL: none */
    bool is_launched;               /* the browser was launched, with or without this way out */
};

/* Discards the kept cookies and storage. Call with the mutex locked. */
void contexts_forget(struct contexts *all);

/*
 * Returns the context for a session: a private one, or the one with this name, or the profile's.
 * Sessions that name the same context share it. The caller releases it with the same policy, which
 * is borrowed meanwhile (NULL: no rules).
 *
 * If the policy has rules about hosts, the context gets its own proxy (a way out, net/way_out.h),
 * unless it was created earlier without one, or the user configured a proxy for Chrome. Returns
 * NULL with an error if that proxy could not be opened.
 */
struct context *context_acquire(struct contexts *all, const char *name, bool is_private,
                                const struct policy *policy, struct br_error *err);

/*
 * Releases the context. The last release disposes of it in the browser, with all that its pages
 * have stored, unless it is the profile's. Close its pages first. Does not wait. Not on the loop
 * thread.
 */
void context_release(struct context *context, const struct policy *policy); /* NULL is a no-op */

/* Returns the port of its way out on 127.0.0.1; 0: none. */
int context_way_out(const struct context *context);

/* As context_way_out(), for the profile's context, when the browser is launched. */
int contexts_launch(struct contexts *all);

/*
 * Takes the profile's way out when the browser ends without users; the caller closes it with
 * way_out_close(). Call with the mutex locked.
 */
struct way_out *contexts_take_way_out(struct contexts *all);

/* As way_out_rules_take_refusal() and way_out_rules_explain(), for this context. */
bool context_take_refusal(struct context *context, struct br_error *ret_why);
bool context_explain(struct context *context, const char *url, struct br_error *ret_why);

/*
 * Gets Chrome's id of the context in this life; the first caller creates it. The caller frees
 * *ret_id; NULL for the profile's.
 */
bool context_enter(struct context *context, struct browser_life *life, struct deadline deadline,
                   char **ret_id, struct br_error *err);

/*
 * Stores what a page just reported: the context's cookies, as returned by Storage.getCookies, and
 * the storage of an origin as text; NULL: not reported. Replaces older values. Takes ownership of
 * the cookies, which must have no other references. Values still to be restored to the current life
 * are not replaced.
 */
void context_keep(struct context *context, const struct browser_life *life, json_t *cookies,
                  const char *origin, const char *storage);

/*
 * Begins to restore what a new life lacks. The first caller gets true and the cookies (the caller
 * decrefs; NULL: none), and must set them before context_end_refill(). Other callers wait for that
 * until the deadline and get false. If the restore failed, the next caller gets its turn.
 */
bool context_begin_refill(struct context *context, const struct browser_life *life,
                          struct deadline deadline, json_t **ret_cookies);
void context_end_refill(struct context *context, bool is_done);

/*
 * Returns the latest stored storage of an origin, as passed to context_keep(); the caller frees;
 * NULL: none. *ret_is_first: this is the first request for it in this life.
 */
char *context_storage(struct context *context, const struct browser_life *life, const char *origin,
                      bool *ret_is_first);

#endif
