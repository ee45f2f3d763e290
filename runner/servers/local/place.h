/*
 * The files that the daemon of warm sessions and its clients share. They are in a directory that
 * only the user may enter: $XDG_RUNTIME_DIR/browser-runner, or, if the user has no such directory,
 * browser-runner-UID in the one for temporary files. A daemon that lives in either is used. The log
 * is $XDG_STATE_HOME/browser-runner/daemon.log (~/.local/state).
 */
#ifndef RUNNER_SERVERS_LOCAL_PLACE_H
#define RUNNER_SERVERS_LOCAL_PLACE_H

#include "runner/base/error.h"

struct local_place {
    char *directory;
    char *other;  /* where a daemon may live, too; NULL: nowhere */
    char *socket; /* a Unix socket */
    char *lock;   /* the daemon holds it by flock(2) while it lives */
    char *log;    /* local_place_open_log() makes its directory */
};

/*
 * Makes the directory. Fails if it is no directory, if another user may enter it, or if the
 * socket's path is too long. Caller finishes the place in any case.
 */
bool local_place_prepare(struct local_place *ret_place, struct br_error *err);
void local_place_finish(struct local_place *place);

/*
 * Opens the log for appending (close-on-exec). Renames a log over 1 MB to .1 before. Where it
 * cannot be written, it is in the place's directory instead.
 */
int local_place_open_log(struct local_place *place, struct br_error *err);

/*
 * Connects to the daemon; -1 if none listens, with BR_OK, or if it belongs to another user, with
 * the error.
 */
int local_place_connect(const struct local_place *place, struct br_error *err);

/*
 * Takes the daemon's lock and returns its descriptor. Returns -1 if another process holds it
 * (*ret_is_held), or with the error.
 */
int local_place_lock(const struct local_place *place, bool *ret_is_held, struct br_error *err);

/* Returns the process that holds the lock; 0: no process, or unknown. */
long local_place_lock_holder(const struct local_place *place);

/*
 * Returns the program's version, with the id of its build, by which a daemon and its clients see
 * that they are the same program: "0.1.0+9feea84d8ff4". Caller frees.
 */
char *local_version(void);

#endif
