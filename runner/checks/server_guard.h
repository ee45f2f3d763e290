/*
 * A guard process between us and the server. All processes that the server starts, even if they
 * fork twice and start a session, remain descendants of the guard, because the kernel makes it the
 * parent of orphans. When its standard input closes, because we ask for it or because we have
 * ended, it ends them all. The guard is this program, started again.
 */
#ifndef RUNNER_CHECKS_SERVER_GUARD_H
#define RUNNER_CHECKS_SERVER_GUARD_H

#include <stdbool.h>

enum {
    SERVER_GUARD_STATUS_FD = 3,   /* the guard writes its reports to this descriptor */
    SERVER_GUARD_GRACE_MS = 5000, /* between SIGTERM and SIGKILL */
};

/* A report of the guard: first whether the server was started, then its end. */
struct server_guard_report {
    enum {
        SERVER_GUARD_FAILED,  /* value: errno */
        SERVER_GUARD_STARTED, /* value: the pid */
        SERVER_GUARD_ENDED,   /* value: the exit code, or minus the signal's number */
    } kind;
    int value;
};

/* The first argument of a guard process; the server's command follows. */
extern const char server_guard_argument[];

/* For main(), before anything else: whether this process is to be a guard. */
bool server_guard_is_wanted(int argc, char **argv);

/*
 * Runs the command in the present directory with our stdout and stderr, until it is asked to end
 * it. Returns the exit code.
 */
int server_guard_run(int argc, char **argv);

#endif
