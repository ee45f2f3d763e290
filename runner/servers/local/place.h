/*
 * The files that the daemon of warm sessions and its clients share. They are in a directory that
 * only the user may enter: $XDG_RUNTIME_DIR/browser-runner, or browser-runner-UID in the directory
 * for temporary files. The log is $XDG_STATE_HOME/browser-runner/daemon.log (~/.local/state).
 */
#ifndef RUNNER_SERVERS_LOCAL_PLACE_H
#define RUNNER_SERVERS_LOCAL_PLACE_H

#include "runner/base/error.h"

struct local_place {
    char *directory;
    char *socket; /* a Unix socket */
    char *lock;   /* the daemon holds it by flock(2) while it lives */
    char *log;    /* local_place_open_log() makes its directory */
};

/*
 * Makes the directories. Fails if the first is no directory, if another user may enter it, or if
 * the socket's path is too long. Caller finishes the place in any case.
 */
bool local_place_prepare(struct local_place *ret_place, struct br_error *err);
void local_place_finish(struct local_place *place);

/* Opens the log for appending (close-on-exec). Renames a log over 1 MB to .1 before. */
int local_place_open_log(const struct local_place *place, struct br_error *err);

/* Whether the process at the other end of the Unix socket belongs to this user. */
bool local_place_is_ours(int fd, struct br_error *err);

/*
 * Takes the daemon's lock and returns its descriptor. Returns -1 if another process holds it
 * (*ret_is_held), or with the error.
 */
int local_place_lock(const struct local_place *place, bool *ret_is_held, struct br_error *err);

/* Returns the process that holds the lock; 0: no process, or unknown. */
long local_place_lock_holder(const struct local_place *place);

#endif
