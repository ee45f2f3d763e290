/*
 * Which session owns each tab of a shared browser. A tab belongs to the session that opened or
 * adopted it, and so do the tabs that it opens. No other session closes it, controls it, or answers
 * its dialogs. One for each connection; any thread.
 */
#ifndef RUNNER_CDP_TARGETS_H
#define RUNNER_CDP_TARGETS_H

#include "runner/base/clock.h"

#include <stdbool.h>

struct targets;

struct targets *targets_create(void);
void targets_destroy(struct targets *targets); /* NULL is fine */

/*
 * Adds an owner, with Chrome's id of the browser context of its tabs (NULL: the profile's).
 * targets_leave() removes it with all that it owns. `owner` is any unique address.
 */
void targets_join(struct targets *targets, const void *owner, const char *context_id);

/*
 * Like targets_join() for a client of the relay. Clients do not resume new tabs that are paused for
 * our own pages.
 */
void targets_join_client(struct targets *targets, const void *owner, const char *context_id);
void targets_leave(struct targets *targets, const void *owner);

/*
 * As targets_leave(), for a page. Returns true if new tabs were paused and it was the last page of
 * ours (clients of the relay do not count): the caller then switches auto-attach off and calls
 * targets_end_leaving(). Until then no page joins, because Chrome would detach from the tabs that
 * it makes meanwhile.
 */
bool targets_begin_leaving(struct targets *targets, const void *owner);
void targets_end_leaving(struct targets *targets);

/*
 * Sets the directory of the owner's downloads (NULL: they are refused), which Chrome stores for a
 * whole context. Returns false if another owner in the same context has another directory.
 * *ret_present is the directory of another owner in that context, which the caller frees; NULL:
 * none.
 */
bool targets_take_downloads(struct targets *targets, const void *owner, const char *directory,
                            char **ret_present);

/*
 * Returns the download directory of our own sessions in the profile's context in *ret_directory,
 * which the caller frees; NULL: downloads are refused. False: there are no such sessions.
 */
bool targets_profile_downloads(struct targets *targets, char **ret_directory);

/* Whether no other owner uses the owner's context. */
bool targets_is_alone(struct targets *targets, const void *owner);

/* Makes the owner the tab's owner. Returns false if the tab has another one. May be repeated. */
bool targets_claim(struct targets *targets, const char *target_id, const void *owner);

/* Ends the ownership, if the tab belongs to this owner. */
void targets_release(struct targets *targets, const char *target_id, const void *owner);

/*
 * Returns the tab's owner: the one that claimed it, or else the owner of the tab that opened it,
 * which then owns this tab too. NULL: no owner. opener_id may be NULL.
 */
const void *targets_owner(struct targets *targets, const char *target_id, const char *opener_id);

/*
 * Calls that enclose the creation of a tab, because its owner is unknown until it is claimed.
 * targets_is_making() returns whether another owner is creating one. If new tabs are paused, or if
 * this owner will cause that (is_held), only one owner creates a tab at a time. Otherwise each of
 * two owners would take its new tab for the other's and not resume it. Waits for its turn until the
 * deadline, then proceeds.
 */
void targets_begin_making(struct targets *targets, const void *owner, bool is_held,
                          struct deadline deadline);
void targets_end_making(struct targets *targets, const void *owner);
bool targets_is_making(struct targets *targets, const void *owner);

/*
 * Calls that enclose the drawing of a frame on request: two at a time end Chrome 156 ("GPU process
 * isn't usable"). A turn lasts 3 s at most: a longer frame waits for a script of its page, which
 * does not disturb others. Returns false if the turn has not come until the deadline.
 * targets_leave() ends it, too.
 */
bool targets_begin_frame(struct targets *targets, const void *owner, struct deadline deadline);
void targets_end_frame(struct targets *targets, const void *owner);

/* Whether an owner in this context (NULL: the profile's) is creating a tab. */
bool targets_is_making_in(struct targets *targets, const char *context_id);

/*
 * Whether new tabs are paused until a page of ours resumes them. Once an owner wants that, it
 * applies as long as a page of ours has joined, because one command of Chrome applies to the whole
 * connection. targets_are_held() only returns the present state.
 */
bool targets_hold(struct targets *targets, bool is_wanted);
bool targets_are_held(struct targets *targets);

/*
 * Whether there may be tabs that no session knows, such as those of a restored browser session.
 * True until targets_settle(), and again after targets_lose() of a tab that was being created.
 */
bool targets_has_leftovers(struct targets *targets);
void targets_settle(struct targets *targets);
void targets_lose(struct targets *targets);

#endif
