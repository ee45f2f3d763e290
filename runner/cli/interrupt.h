/*
 * Ctrl-C and its like: the first signal ends the action that runs, in an orderly way; a second one,
 * or too long a time without an end, ends the program at once.
 */
#ifndef RUNNER_CLI_INTERRUPT_H
#define RUNNER_CLI_INTERRUPT_H

#include <browser_runner/session.h>

struct interrupt;

/*
 * From now on SIGINT, SIGTERM and SIGHUP interrupt the session, and if dies_with_parent is set the
 * end of the parent process does, too; that counts as a first signal, never as a second one. To be
 * called while the program has one thread, so that all later ones leave the signals alone.
 */
struct interrupt *interrupt_create(bool dies_with_parent);

/* The session to interrupt; NULL for none. */
void interrupt_set_session(struct interrupt *interrupt, struct br_session *session);

bool interrupt_was_received(struct interrupt *interrupt);

/* Readable after a signal: for a wait on input. */
int interrupt_fd(const struct interrupt *interrupt);

void interrupt_destroy(struct interrupt *interrupt);

#endif
