/*
 * The daemon of warm sessions. It owns browsers by their profile and sessions by name, and answers
 * requests on a Unix socket in lines of JSON, one request for each connection.
 *
 * A request is { "version": of the client, "op": …, "session": NAME } with
 *   act     "instructions" (a text, XML or JSON), "beginMs", "progress", "chunkSize", "directory"
 *           (of relative paths). "opens" opens
 *           the session if it does not exist: by "settings" (runner/sessions/settings.h), and by
 *           "defaults" where those have no value; not with "noProfile", which says why there is
 *           no default profile. "peek": the action is `logs` or `network`, and
 *           does not wait for its turn. The answer is that of `run`: an "opened" line if a session
 *           was opened, and a summary at the end. A line { "op": "cancel" }, or the end of the
 *           connection, cancels the action.
 *   console answered by lines of kind "console", see follow.h; "cancel" ends it
 *   keep    opens a session as "act" does, and answers by a line of kind "kept". The session ends
 *           with the connection.
 *   info    answered by one line of kind "session"
 *   list    answered by one line of kind "sessions"
 *   stop    or "all": answered by one line of kind "stopped" when they have ended; "all" also ends
 *           the daemon
 * A request that fails is answered by a line of kind "error".
 */
#ifndef RUNNER_SERVERS_LOCAL_DAEMON_H
#define RUNNER_SERVERS_LOCAL_DAEMON_H

#include "runner/base/error.h"
#include "runner/net/handler.h"

struct daemon_options {
    int64_t idle_ms; /* ends after so long without a request; 0: never */
    int stop_fd;     /* ends when this is readable */
    int listen_fd;   /* a listening Unix socket of a service manager; owned. -1: makes its own */
    struct net_log log;
    /* Called once it listens at this path. */
    void (*on_listening)(const char *path);
};

/*
 * Serves until it ends. Returns true at once if another daemon of this user runs.
 */
bool daemon_run(const struct daemon_options *options, struct br_error *err);

#endif
