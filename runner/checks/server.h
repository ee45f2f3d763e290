/*
 * The server of a suite: started before the checks when the suite says so, waited for until it
 * answers, and ended with everything it started.
 */
#ifndef RUNNER_CHECKS_SERVER_H
#define RUNNER_CHECKS_SERVER_H

#include "runner/base/error.h"
#include "runner/checks/suite.h"

struct server;

/*
 * Starts the command and waits until its URL answers with a status below 500 (with https: until
 * somebody listens there), at most its timeout. An interrupt_fd that becomes readable ends the
 * wait; -1 for none. What answers already is used if the suite allows it, and an error otherwise.
 * NULL with the error, which has the last lines of the output, and nothing left running: TIMEOUT,
 * INVALID_ACTION for what has to be mended in the suite or on the machine. Caller stops it.
 */
struct server *server_start(const struct suite_server *options, int interrupt_fd,
                            struct br_error *err);

/* Whether the server was there already and goes on afterwards. */
bool server_is_reused(const struct server *server);

/* False with the error, which has its last lines, when the program has ended by itself. */
bool server_check(struct server *server, struct br_error *err);

/* Ends it with all that descends from it, in at most 5 s and a moment. False: some of it may go on.
 * NULL is fine. */
bool server_stop(struct server *server);

#endif
