/*
 * A browser context: what the pages of one or more sessions share of cookies, storage and cache.
 * The profile's own, one with a name, or a private one of a single session. It remembers what its
 * pages have last said of their cookies and storage, and gives that back to a browser that had to
 * be started again: once, however many sessions come back. Any thread.
 */
#ifndef RUNNER_CHROME_CONTEXT_H
#define RUNNER_CHROME_CONTEXT_H

#include "runner/base/policy.h"
#include "runner/chrome/life.h"

#include <jansson.h>
#include <pthread.h>

struct context;

/* Those of a browser, which guards them by its mutex. */
struct contexts {
    pthread_mutex_t *mutex;
    pthread_cond_t *changed;    /* told when one is no longer made or filled */
    struct browser_life **life; /* the browser's present one; NULL there: none */
    struct context *list;
    struct loop *loop;
    bool is_foreign;                /* the browser is somebody else's */
    const char *const *chrome_args; /* the user's, NULL-terminated; NULL: none */
    struct way_out *way_out;        /* the profile's context's; NULL: none */
    bool is_launched;               /* the browser was, with or without this way out */
};

/* What was kept is of no use any more. With the mutex. */
void contexts_forget(struct contexts *all);

/*
 * The context that a session is to work in: a private one, else the one of this name, else the
 * profile's. The same for all who ask for the same one. Caller releases it, with the same policy,
 * which is borrowed meanwhile (NULL: it has no rules).
 *
 * Rules about hosts give the context a way out of its own (net/way_out.h), unless it was made
 * before without one, or the user has Chrome go by a proxy. NULL with the error: it could not be
 * opened.
 */
struct context *context_acquire(struct contexts *all, const char *name, bool is_private,
                                const struct policy *policy, struct br_error *err);

/*
 * With the last one it ends in the browser, too, with all that its pages have stored, unless it is
 * the profile's. Its pages are closed before; nothing is waited for. Not on the loop thread.
 */
void context_release(struct context *context, const struct policy *policy); /* NULL is fine */

/* The port of its way out on 127.0.0.1; 0: it has none. */
int context_way_out(const struct context *context);

/* The same of the profile's, for a browser that is launched now. */
int contexts_launch(struct contexts *all);

/* The browser has no users and ends: what the caller closes by way_out_close(). With the mutex. */
struct way_out *contexts_take_way_out(struct contexts *all);

/* What its way out has refused: way_out_take_refusal() and way_out_explain(). */
bool context_take_refusal(struct context *context, struct br_error *ret_why);
bool context_explain(struct context *context, struct br_error *err);

/*
 * Chrome's id of it in this life, made by whoever comes first; *ret_id is the caller's to free,
 * NULL for the profile's.
 */
bool context_enter(struct context *context, struct browser_life *life, struct deadline deadline,
                   char **ret_id, struct br_error *err);

/*
 * What a page has just said of itself: the cookies of the context, as Storage.getCookies gives
 * them, and the storage of an origin, as text; NULL: nothing was said. The newest is kept. Takes
 * ownership of the cookies, to which nobody else has a reference. While the browser lacks what was
 * kept of its earlier life, nothing of that is replaced.
 */
void context_keep(struct context *context, const struct browser_life *life, json_t *cookies,
                  const char *origin, const char *storage);

/*
 * What a browser in its present life lacks of what was kept in an earlier one. Whoever is first
 * gets true, with the cookies (the caller's to decref; NULL: none were kept), and puts them back
 * before context_end_refill(); the others wait for that, until the deadline, and get false. One
 * that was not done is for the next who asks.
 */
bool context_begin_refill(struct context *context, const struct browser_life *life,
                          struct deadline deadline, json_t **ret_cookies);
void context_end_refill(struct context *context, bool is_done);

/*
 * The newest storage of an origin, as context_keep() had it; the caller's to free, NULL: none.
 * *ret_is_first: nobody has asked for it in this life.
 */
char *context_storage(struct context *context, const struct browser_life *life, const char *origin,
                      bool *ret_is_first);

#endif
