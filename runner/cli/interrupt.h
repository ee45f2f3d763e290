/*
 * Handles Ctrl-C and similar signals: the first one ends the running action in an orderly way; a
 * second one, or an end that takes too long, ends the program at once.
 */
#ifndef RUNNER_CLI_INTERRUPT_H
#define RUNNER_CLI_INTERRUPT_H

#include <browser_runner/session.h>
#include <signal.h>

struct interrupt;

/*
 * SIGINT, SIGTERM and SIGHUP interrupt the session from now on; with dies_with_parent the end of
 * the parent process does, too, and counts as a first signal, never as a second one. Call this
 * while the program has one thread, so that all later threads block the signals.
 */
struct interrupt *interrupt_create(bool dies_with_parent);

/*
 * The same for a server, which has 30 s for its orderly end. SIGHUP, even if the parent process had
 * it ignored, makes the eventfd of interrupt_reload_fd() readable; it interrupts only if the
 * terminal of the server was closed.
 */
struct interrupt *interrupt_create_for_server(bool dies_with_parent);
int interrupt_reload_fd(const struct interrupt *interrupt);

/* Changes the time for an orderly end, before a signal comes. */
void interrupt_set_end(struct interrupt *interrupt, int end_ms);

/* Sets the session to interrupt; NULL for none. */
void interrupt_set_session(struct interrupt *interrupt, struct br_session *session);

bool interrupt_was_received(struct interrupt *interrupt);

/* Returns a descriptor that is readable after a signal, to wait for together with input. */
int interrupt_fd(const struct interrupt *interrupt);

void interrupt_destroy(struct interrupt *interrupt);

/*
 * For a program that waits in a single place, and needs no thread for signals. interrupt_exits(): a
 * signal ends it at once, with the exit code of an interrupted run. interrupt_open_signals():
 * returns a descriptor that is readable while a signal is pending; *ret_before receives the signal
 * mask to restore after closing it. interrupt_take(): reads one signal from it.
 */
void interrupt_exits(void);
int interrupt_open_signals(sigset_t *ret_before);
void interrupt_take(int fd);

#endif
