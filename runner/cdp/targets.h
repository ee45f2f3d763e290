/*
 * Whose the tabs of a browser are, where several sessions share it: who opened or adopted a tab
 * owns it, and what that opens. Nobody else closes it, steers it, or answers its dialogs. One for
 * each connection; any thread.
 */
#ifndef RUNNER_CDP_TARGETS_H
#define RUNNER_CDP_TARGETS_H

#include "runner/base/clock.h"

#include <stdbool.h>

struct targets;

struct targets *targets_create(void);
void targets_destroy(struct targets *targets); /* NULL is fine */

/*
 * An owner joins with the browser context (Chrome's id of it, NULL: the profile's) that its tabs
 * are in, and leaves with all that it owns. It is any address that nobody else has.
 */
void targets_join(struct targets *targets, const void *owner, const char *context_id);

/* The same for a client of others, which lets no tab go on that waits for our own pages. */
void targets_join_client(struct targets *targets, const void *owner, const char *context_id);
void targets_leave(struct targets *targets, const void *owner);

/* Whether only clients of the relay have joined. */
bool targets_is_empty(struct targets *targets);

/*
 * The directory that the owner's downloads go to (NULL: they are refused), which Chrome knows for a
 * whole context: false when another owner in the same context has another directory. What another
 * one has there already goes to *ret_present, the caller's to free; NULL: none has any.
 */
bool targets_take_downloads(struct targets *targets, const void *owner, const char *directory,
                            char **ret_present);

/*
 * What sessions of ours have said of downloads in the profile's context. False: there are no such
 * sessions. *ret_directory is the caller's to free; NULL: downloads are refused.
 */
bool targets_profile_downloads(struct targets *targets, char **ret_directory);

/* Whether no other owner has tabs in the owner's context. */
bool targets_is_alone(struct targets *targets, const void *owner);

/* False when it is somebody else's. Again is fine. */
bool targets_claim(struct targets *targets, const char *target_id, const void *owner);

/* Nobody owns it any more, if the owner did. */
void targets_release(struct targets *targets, const char *target_id, const void *owner);

/*
 * Who owns the tab: who has claimed it, else who owns the tab that opened it, and this one from now
 * on. NULL: nobody. opener_id may be NULL.
 */
const void *targets_owner(struct targets *targets, const char *target_id, const char *opener_id);

/*
 * Around the making of a tab: until it is claimed nobody can know whose it is. targets_is_making():
 * whether any other owner is at it. Where new tabs wait, or will since the owner has that done
 * (is_held), one makes a tab at a time: of two each would take its own for that of the other, and
 * not let it go on. Waits for its turn until the deadline.
 */
void targets_begin_making(struct targets *targets, const void *owner, bool is_held,
                          struct deadline deadline);
void targets_end_making(struct targets *targets, const void *owner);
bool targets_is_making(struct targets *targets, const void *owner);

/*
 * Whether new tabs wait until somebody lets them go on: once an owner wants that, it stays so,
 * since one command holds for the whole connection. targets_are_held(): as it is now.
 */
bool targets_hold(struct targets *targets, bool is_wanted);
bool targets_are_held(struct targets *targets);

/*
 * Whether tabs may be there that nobody knows of, such as those of a restored session: true at
 * first, until targets_settle(), and again after targets_lose() of one that was being made.
 */
bool targets_has_leftovers(struct targets *targets);
void targets_settle(struct targets *targets);
void targets_lose(struct targets *targets);

#endif
