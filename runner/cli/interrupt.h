/*
 * Ctrl-C and its like: the first signal ends the action that runs, in an orderly way; a second one,
 * or too long a time without an end, ends the program at once.
 */
#ifndef RUNNER_CLI_INTERRUPT_H
#define RUNNER_CLI_INTERRUPT_H

#include <browser_runner/session.h>
#include <signal.h>

struct interrupt;

/*
 * From now on SIGINT, SIGTERM and SIGHUP interrupt the session, and if dies_with_parent is set the
 * end of the parent process does, too; that counts as a first signal, never as a second one. To be
 * called while the program has one thread, so that all later ones leave the signals alone.
 */
struct interrupt *interrupt_create(bool dies_with_parent);

/*
 * The same for a server, which has 30 s for its orderly end. SIGHUP, even if the parent process had
 * it ignored, makes the eventfd of interrupt_reload_fd() readable; it interrupts only if the
 * terminal of the server was closed.
 */
struct interrupt *interrupt_create_for_server(bool dies_with_parent);
int interrupt_reload_fd(const struct interrupt *interrupt);

/* The session to interrupt; NULL for none. */
void interrupt_set_session(struct interrupt *interrupt, struct br_session *session);

bool interrupt_was_received(struct interrupt *interrupt);

/* Readable after a signal: for a wait on input. */
int interrupt_fd(const struct interrupt *interrupt);

void interrupt_destroy(struct interrupt *interrupt);

/*
 * For a program that waits in one place alone, and needs no thread for it. interrupt_exits(): from
 * now on a signal ends it at once, with the exit code of one that was interrupted.
 * interrupt_open_signals(): a descriptor that is readable while one waits; *ret_before is what the
 * signal mask is to come back to when it is closed. interrupt_take(): takes one out of it.
 */
void interrupt_exits(void);
int interrupt_open_signals(sigset_t *ret_before);
void interrupt_take(int fd);

#endif
