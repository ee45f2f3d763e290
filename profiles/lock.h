/*
 * Who holds a profile. Chrome marks a profile in use with the symlink SingletonLock, which leads to
 * "<host>-<pid>", and refuses to start on it from another host, also after a container got a new
 * host name.
 */
#ifndef PROFILES_LOCK_H
#define PROFILES_LOCK_H

#include "runner/base/error.h"

#include <sys/types.h>

enum profile_lock_state {
    PROFILE_LOCK_NONE,       /* nobody holds it */
    PROFILE_LOCK_HELD,       /* a living process of this host holds it */
    PROFILE_LOCK_STALE,      /* its process ended without cleaning up, or the link is malformed */
    PROFILE_LOCK_OTHER_HOST, /* a process of another host holds it, or did so once */
    PROFILE_LOCK_UNKNOWN,    /* the link cannot be read */
};

struct profile_lock {
    enum profile_lock_state state;
    pid_t pid;        /* 0 unless the link names one */
    char host[256];   /* as the link says; "" for PROFILE_LOCK_NONE */
    char target[300]; /* where the link leads to */
};

/* Fails, with PROFILE_LOCK_UNKNOWN, only when the link exists and cannot be read. */
bool profile_lock_inspect(const char *directory, struct profile_lock *ret_lock,
                          struct br_error *err);

/*
 * To be called before a browser is started on the directory: removes a stale lock; fails with
 * BR_PROFILE_IN_USE where somebody holds the profile, and the hint says how to go on.
 */
bool profile_lock_clear_stale(const char *directory, struct br_error *err);

/*
 * As profile_lock_clear_stale, but removes the lock of another host too: for users who know that
 * its browser is gone.
 */
bool profile_lock_break(const char *directory, struct br_error *err);

#endif
