/*
 * Fetches scripts that servers of this machine serve, and their source maps, on up to four threads,
 * and keeps the maps. All functions belong to one thread.
 */
#ifndef RUNNER_CONSOLE_SCRIPTS_H
#define RUNNER_CONSOLE_SCRIPTS_H

#include "runner/base/policy.h"
#include "runner/loop/loop.h"

enum {
    SCRIPTS_WAIT_MS = 1000, /* the longest that an event should wait for a script */
};

struct console_scripts;

/*
 * Calls on_done, on any thread, when something was fetched. Borrows the loop and the policy, whose
 * rules hold for scripts and maps; NULL: none.
 */
struct console_scripts *console_scripts_create(struct loop *loop, const struct policy *policy,
                                               void (*on_done)(void *data), void *data);

/* Cancels what is being fetched. NULL is fine. */
void console_scripts_destroy(struct console_scripts *scripts);

/*
 * Requests the script if it is unknown or was fetched at least 5 s ago. Returns whether it is being
 * fetched and worth waiting for. Only http servers of this machine (url_host_is_loopback()) are
 * asked: by GET, without cookies and redirections, 16 MB each for script and map, 2 s for both.
 */
bool console_scripts_await(struct console_scripts *scripts, const char *url);

/* Stores what was fetched meanwhile. */
void console_scripts_collect(struct console_scripts *scripts);

/* As source_map_find(), with the script's map; NULL also when there is none. Caller frees. */
char *console_scripts_find(const struct console_scripts *scripts, const char *url, int line,
                           int column);

#endif
