/*
 * The daemon of warm sessions: it owns browsers by their profile and sessions by name, and answers
 * requests on a Unix socket, one a connection, as lines of JSON.
 *
 * A request: { "version": of the client, "op": …, "session": NAME } with
 *   act    "instructions" (a text, XML or JSON), "beginMs"; with "opens" the session is opened
 * where there is none, by "settings" (runner/sessions/settings.h), over which "defaults" hold for
 *          a new one alone; "peek": it is one of `logs` or `network` and need not wait for its
 * turn; "progress"; "chunkSize". Answered as `run` does, an "opened" line before where one was
 *          opened, a summary at the end. A line { "op": "cancel" } or the end of the connection
 *          cancels what runs.
 *   info   answered by one line of kind "session"
 *   list   of kind "sessions"
 *   stop   or "all": of kind "stopped", once they have; with "all" the daemon ends, too
 * What cannot be done is answered by a line of kind "error".
 */
#ifndef RUNNER_SERVERS_LOCAL_DAEMON_H
#define RUNNER_SERVERS_LOCAL_DAEMON_H

#include "runner/base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct daemon_options {
    int64_t idle_ms; /* without anything to do: it ends; 0: never */
    int stop_fd;     /* readable: it ends, too */
    int listen_fd;   /* a Unix socket of a service manager, taken; -1: it makes its own */
    /* It listens now, at this path. */
    void (*on_listening)(const char *path);
};

/*
 * Serves until its end. True at once where another daemon of the user's runs already. Writes what
 * it does to stderr.
 */
bool daemon_run(const struct daemon_options *options, struct br_error *err);

#endif
