/*
 * Chrome as a process: started in a group of its own with the debugging pipe on descriptors 3 and
 * 4, watched by its pidfd, ended by closing the pipe or by killing the group.
 */
#ifndef RUNNER_CHROME_PROCESS_H
#define RUNNER_CHROME_PROCESS_H

#include "runner/cdp/transport.h"

#include <limits.h>
#include <sys/types.h>

struct process;

/*
 * Starts argv[0] with `tmp_directory` as its TMPDIR, and fonts.h's settings in there.
 * *ret_transport is the debugging pipe, owned by the caller. NULL with BROWSER_NOT_FOUND or
 * BROWSER_CRASHED when it cannot be started.
 */
struct process *process_start(struct loop *loop, char *const argv[], const char *tmp_directory,
                              struct transport **ret_transport, struct br_error *err);

pid_t process_pid(const struct process *process);

/* Whether it drops links to other programs, see handlers.h. */
bool process_drops_externals(const struct process *process);

/* Whether it has ended, also when the loop has not yet taken note of it. Never waits. */
bool process_is_over(struct process *process);

/* Waits for its end; false at the deadline. */
bool process_wait(struct process *process, struct deadline deadline);

/* Kills the whole group. No SIGTERM: Chrome would lose cookies by it and leave its lock. */
void process_kill(struct process *process);

/* Kills what is left, waits for its end and frees. NULL is fine. */
void process_destroy(struct process *process);

/*
 * How it ended, after process_wait() said so: the exit code, or minus the signal's number. Unknown
 * where the program that we are a part of ignores SIGCHLD, or has waited for all its children.
 */
enum { PROCESS_END_UNKNOWN = INT_MIN };
int process_exit_code(struct process *process);

/* The end of what it wrote to stderr. Caller frees. */
char *process_last_words(struct process *process);

#endif
