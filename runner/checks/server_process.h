/*
 * A program with everything that it starts: what it says is kept, its end is noticed, and whatever
 * happens to us, it is ended. See server_guard.h.
 */
#ifndef RUNNER_CHECKS_SERVER_PROCESS_H
#define RUNNER_CHECKS_SERVER_PROCESS_H

#include "runner/base/error.h"

#include <stddef.h>

struct server_process;

/*
 * Starts command[0] in the directory, in a session of its own and without standard input. When we
 * end without server_process_stop(), be it by SIGKILL, all is ended all the same. NULL with the
 * error when it cannot be started. Needs server_guard_is_wanted() in main().
 */
struct server_process *server_process_start(char *const *command, const char *directory,
                                            struct br_error *err);

/* Readable once the program has ended. */
int server_process_end_fd(const struct server_process *process);

/* Whether the program has ended; *ret_how is then as in "ended with exit code 1". */
bool server_process_has_ended(struct server_process *process, char *ret_how, size_t how_size);

/*
 * The end of what it wrote to stdout and stderr, at most `max` bytes of whole lines, without
 * colours. Caller frees.
 */
char *server_process_last_words(struct server_process *process, size_t max);

/*
 * Ends it and all that descends from it, in whatever group or session: SIGTERM, then SIGKILL for
 * whoever is left after 5 s. No zombie is left either. False: some of them may go on. NULL is fine.
 */
bool server_process_stop(struct server_process *process);

#endif
