/*
 * Who holds a profile. Chrome marks a profile in use with the symlink SingletonLock, which leads to
 * "<host>-<pid>", and refuses to start on it from another host, also after a container got a new
 * host name. A headless shell makes no such link; it locks its databases, as every Chrome does.
 */
#ifndef PROFILES_LOCK_H
#define PROFILES_LOCK_H

#include "runner/base/error.h"

#include <sys/types.h>
#include <time.h>

enum profile_lock_state {
    PROFILE_LOCK_NONE,       /* nobody holds it */
    PROFILE_LOCK_HELD,       /* a living process holds it */
    PROFILE_LOCK_STALE,      /* its process ended without cleaning up, or the link is malformed */
    PROFILE_LOCK_OTHER_HOST, /* a process of another host holds it, or did so once */
    PROFILE_LOCK_UNKNOWN,    /* the link cannot be read */
};

struct profile_lock {
    enum profile_lock_state state;
    pid_t pid;        /* who holds it, or the link names; 0: not visible from here, or none */
    char host[256];   /* as the link says; "" when it names none */
    char target[300]; /* where the link leads to */
    struct timespec made_at; /* the link; zero when there is none */
};

/* Fails, with PROFILE_LOCK_UNKNOWN, only when the link exists and cannot be read. */
bool profile_lock_inspect(const char *directory, struct profile_lock *ret_lock,
                          struct br_error *err);

/*
 * To be called before a browser is started on the directory: removes a lock whose process has
 * ended, and one of another host on whose socket nobody answers. Fails with BR_PROFILE_IN_USE where
 * somebody holds the profile; the hint says how to go on. *ret_notice is a sentence on what was
 * removed, or NULL; caller frees. A lock that a browser makes meanwhile is left in its place.
 */
bool profile_lock_clear_stale(const char *directory, char **ret_notice, struct br_error *err);

/*
 * As profile_lock_clear_stale, but removes the lock of another host whoever answers: for users who
 * know that its browser is gone.
 */
bool profile_lock_break(const char *directory, char **ret_notice, struct br_error *err);

/*
 * Keeps other runners off the directory, which exists, from before a browser is started on it until
 * that browser has ended: of two that start at the same moment one gets BR_PROFILE_IN_USE. Returns
 * a descriptor (close-on-exec), which the caller closes; -1 with an error. Waits a moment for a
 * runner that is just ending. Binds nobody on a file system without flock(2).
 */
int profile_lock_claim(const char *directory, struct br_error *err);

/* Whether the arguments of the process have --user-data-dir=<the directory>, by whatever path. */
bool profile_is_named_by(const char *directory, pid_t pid);

#endif
