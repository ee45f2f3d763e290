/*
 * A browser context: what the pages of one or more sessions share of cookies, storage and cache.
 * The profile's own, one with a name, or a private one of a single session. It remembers what its
 * pages have last said of their cookies and storage, and gives that back to a browser that had to
 * be started again: once, however many sessions come back. Any thread.
 */
#ifndef RUNNER_CHROME_CONTEXT_H
#define RUNNER_CHROME_CONTEXT_H

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
};

/* What was kept is of no use any more. With the mutex. */
void contexts_forget(struct contexts *all);

/*
 * The context that a session is to work in: a private one, else the one of this name, else the
 * profile's. The same for all who ask for the same one. Caller releases it.
 */
struct context *context_acquire(struct contexts *all, const char *name, bool is_private);

/*
 * With the last one it ends in the browser, too, with all that its pages have stored, unless it is
 * the profile's. Its pages are closed before; nothing is waited for.
 */
void context_release(struct context *context); /* NULL is fine */

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
