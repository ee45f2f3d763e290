/*
 * Scripts that servers of this machine serve, and their source maps: fetched on threads of their
 * own, kept for a while. All functions are for one thread.
 */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_SCRIPTS_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_SCRIPTS_H

#include "runner/loop/loop.h"

enum {
    SCRIPTS_WAIT_MS = 1000, /* how long a script that is being fetched is worth waiting for */
};

struct console_scripts;

/* on_done: something was fetched; on any thread. The loop is borrowed. */
struct console_scripts *console_scripts_create(struct loop *loop, void (*on_done)(void *data),
                                               void *data);

/* Calls off what is being fetched. NULL is fine. */
void console_scripts_destroy(struct console_scripts *scripts);

/*
 * Has the script fetched where it is not known, or was fetched 5 s ago. Whether that is on its way
 * and worth waiting for. Only http of this machine is asked (url_host_is_loopback()): GET, no
 * cookies, no redirections, 16 MB each of the script and its map, 2 s for both.
 */
bool console_scripts_await(struct console_scripts *scripts, const char *url);

/* Takes what was fetched meanwhile. */
void console_scripts_collect(struct console_scripts *scripts);

/* As source_map_find(), by what is known of the script; NULL: nothing. Caller frees. */
char *console_scripts_find(const struct console_scripts *scripts, const char *url, int line,
                           int column);

#endif
