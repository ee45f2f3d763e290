/*
 * A process of our own between us and the server: whatever the server starts, forked twice and in a
 * session of its own or not, descends from the guard as long as it lives, since the kernel gives
 * orphans to it. When its standard input ends, because we want it or because we have ended, it ends
 * them all. It is this program, started again.
 */
#ifndef RUNNER_CHECKS_SERVER_GUARD_H
#define RUNNER_CHECKS_SERVER_GUARD_H

#include <stdbool.h>

enum {
    SERVER_GUARD_STATUS_FD = 3,   /* the guard writes its reports there */
    SERVER_GUARD_GRACE_MS = 5000, /* between SIGTERM and SIGKILL */
};

/* What the guard reports: first whether the server was started, then its end. */
struct server_guard_report {
    enum {
        SERVER_GUARD_FAILED,  /* value: errno */
        SERVER_GUARD_STARTED, /* value: the pid */
        SERVER_GUARD_ENDED,   /* value: the exit code, or minus the signal's number */
    } kind;
    int value;
};

/* The first argument of a program that is to be a guard; the server's command follows. */
extern const char server_guard_argument[];

/* For main(), before anything else: whether it is to be a guard. */
bool server_guard_is_wanted(int argc, char **argv);

/*
 * Runs the command in the present directory with what is our stdout and stderr, until it is to be
 * ended. Returns the exit code.
 */
int server_guard_run(int argc, char **argv);

#endif
