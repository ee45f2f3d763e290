/*
 * Where the daemon of warm sessions and its clients meet: files in a directory that is the user's
 * alone, $XDG_RUNTIME_DIR/browser-runner, or browser-runner-UID in the directory for temporary
 * files; and its log, $XDG_STATE_HOME/browser-runner/daemon.log (~/.local/state).
 */
#ifndef RUNNER_SERVERS_LOCAL_PLACE_H
#define RUNNER_SERVERS_LOCAL_PLACE_H

#include "runner/base/error.h"

struct local_place {
    char *directory;
    char *socket; /* a Unix socket */
    char *lock;   /* held with flock(2) by the daemon as long as it lives */
    char *log;    /* its directory is made when it is opened */
};

/*
 * Makes the directories. Fails where somebody else may enter the first, or it is none; or where the
 * socket's path is too long for one. Finish it in any case.
 */
bool local_place_prepare(struct local_place *ret_place, struct br_error *err);
void local_place_finish(struct local_place *place);

/* Opens the log to be appended to (close-on-exec); one of over 1 MB becomes the older one, .1. */
int local_place_open_log(const struct local_place *place, struct br_error *err);

/* Whether the process at the other end of the Unix socket is of our user. */
bool local_place_is_ours(int fd, struct br_error *err);

/*
 * Takes the lock, which the daemon has as long as it lives: a descriptor. -1 where another one has
 * it (*ret_is_held), or with the error.
 */
int local_place_lock(const struct local_place *place, bool *ret_is_held, struct br_error *err);

/* The process that has the lock; 0: none has, or it cannot be told. */
long local_place_lock_holder(const struct local_place *place);

#endif
