/*
 * Chrome as a process: started in its own process group with the debugging pipe on descriptors 3
 * and 4, watched by a pidfd, ended by closing the pipe or killing the group.
 */
#ifndef RUNNER_CHROME_PROCESS_H
#define RUNNER_CHROME_PROCESS_H

#include "runner/base/platform.h"
#include "runner/net/transport.h"

#include <limits.h>
#include <sys/types.h>

struct process;

/*
 * Starts argv[0] with `tmp_directory` as TMPDIR, with fixed settings for rendering fonts, and
 * without links to other programs. *ret_transport is the debugging pipe, owned by the caller.
 * Returns NULL with BROWSER_NOT_FOUND or BROWSER_CRASHED if it cannot be started.
 */
struct process *process_start(struct loop *loop, char *const argv[], const char *tmp_directory,
                              struct transport **ret_transport, struct br_error *err);

pid_t process_pid(const struct process *process);

/* Returns its work until now, with that of its descendants if wanted; all zero when it ended. */
struct platform_work process_work(struct process *process, bool with_descendants);

/* Returns whether links to other programs, such as tel: and mailto:, are ignored. */
bool process_drops_externals(const struct process *process);

/* Returns whether it has ended or was killed, even before the loop has noticed. Never waits. */
bool process_is_over(struct process *process);

/* Waits for its end; false at the deadline. */
bool process_wait(struct process *process, struct deadline deadline);

/* Kills the whole group with SIGKILL. SIGTERM would make Chrome lose cookies and leave its lock. */
void process_kill(struct process *process);

/* Kills the remaining processes, waits for the end and frees. NULL is a no-op. */
void process_destroy(struct process *process);

/*
 * Returns the exit code, or minus the signal's number, after process_wait() returned true. Unknown
 * if the host program ignores SIGCHLD or has reaped all its children itself.
 */
enum { PROCESS_END_UNKNOWN = INT_MIN };
int process_exit_code(struct process *process);

/* Returns the last part of its stderr. Caller frees. */
char *process_last_words(struct process *process);

#endif
