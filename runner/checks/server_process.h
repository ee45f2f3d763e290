/*
 * A program with all processes that it starts: keeps its last output, detects its end, and ends it
 * however we end. See server_guard.h.
 */
#ifndef RUNNER_CHECKS_SERVER_PROCESS_H
#define RUNNER_CHECKS_SERVER_PROCESS_H

#include "runner/base/error.h"

#include <stddef.h>

struct server_process;

/*
 * Starts command[0] in the directory, in its own session and without standard input. If we end
 * without server_process_stop(), even by SIGKILL, all its processes are ended nevertheless. Returns
 * NULL with the error if it cannot be started. Requires server_guard_is_wanted() in main().
 */
struct server_process *server_process_start(char *const *command, const char *directory,
                                            struct br_error *err);

/* Returns a descriptor that becomes readable when the program has ended. */
int server_process_end_fd(const struct server_process *process);

/* Whether the program has ended; *ret_how then says how, as in "ended with exit code 1". */
bool server_process_has_ended(struct server_process *process, char *ret_how, size_t how_size);

/*
 * Returns the end of its stdout and stderr, at most `max` bytes of complete lines, without colours.
 * Caller frees.
 */
char *server_process_last_words(struct server_process *process, size_t max);

/*
 * Ends it and all its descendants, in any process group or session: SIGTERM, then SIGKILL for those
 * that are left after 5 s. Leaves no zombie. Returns false if some may still run. NULL is fine.
 */
bool server_process_stop(struct server_process *process);

#endif
