/* What the commands of warm sessions have in common: a request to the daemon, and its answer. */
#ifndef RUNNER_CLI_WARM_H
#define RUNNER_CLI_WARM_H

#include "runner/cli/command.h"
#include "runner/cli/interrupt.h"

#include <jansson.h>
#include <stdint.h>

/* The name of the session that is meant. Borrowed. */
const char *warm_session_name(const struct cli_options *options, const char *given);

/* { version, op, session }. Caller decrefs. */
json_t *warm_request(const char *op, const char *session);

/*
 * Adds what a session is opened with, all paths absolute: what the options say, and what holds for
 * a new one where they say nothing.
 */
bool warm_add_settings(json_t *request, const struct cli_options *given, struct br_error *err);

struct warm_exchange {
    struct interrupt *interrupt; /* a signal cancels what was asked for; NULL: of ours */
    bool forbids_start;          /* of a daemon */
    int64_t timeout_ms;          /* for the whole answer */
    void *data;
    /* A line that is no error. False with the error ends it. */
    bool (*on_line)(void *data, json_t *line, const char *text, struct br_error *err);
    bool was_interrupted; /* afterwards */
};

/*
 * Sends the request, which it takes ownership of, and hands all lines of the answer over. A daemon
 * of another version makes room where it can. False with the error, that of an "error" line too.
 */
bool warm_ask(struct warm_exchange *exchange, json_t *request, struct br_error *err);

#endif
