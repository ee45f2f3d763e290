/*
 * The server of a suite: started before the checks if the suite names one, awaited until it
 * answers, and ended together with all processes that it started.
 */
#ifndef RUNNER_CHECKS_SERVER_H
#define RUNNER_CHECKS_SERVER_H

#include "runner/base/error.h"
#include "runner/checks/suite.h"

struct server;

/*
 * Starts the command and waits until its URL answers with a status below 500 (with https: until its
 * port accepts connections), at most its timeout. The wait also ends when interrupt_fd becomes
 * readable; -1: none. If a server already answers, it is used if the suite allows that, otherwise
 * it is an error. Returns NULL with the error, which has the last lines of the output, and leaves
 * nothing running: TIMEOUT, or INVALID_ACTION if the suite or the machine must be corrected. Caller
 * stops it.
 */
struct server *server_start(const struct suite_server *options, int interrupt_fd,
                            struct br_error *err);

/* Whether the server was already running and stays afterwards. */
bool server_is_reused(const struct server *server);

/* Returns false with the error, which has its last lines, if the program has ended by itself. */
bool server_check(struct server *server, struct br_error *err);

/*
 * Ends it with all its descendants, in at most little more than 5 s. Returns false if some may
 * still run. NULL is fine.
 */
bool server_stop(struct server *server);

#endif
