/* Shared code of the commands for warm sessions: a request to the daemon, and its answer. */
#ifndef RUNNER_CLI_WARM_H
#define RUNNER_CLI_WARM_H

#include "runner/cli/command.h"
#include "runner/cli/interrupt.h"

#include <jansson.h>
#include <stdint.h>

/* Returns the name of the session to use. Borrowed. */
const char *warm_session_name(const struct cli_options *options, const char *given);

/*
 * Adds the settings for opening a session, with absolute paths: those of the options, and the
 * defaults of a new session.
 */
bool warm_add_settings(json_t *request, const struct cli_options *given, struct br_error *err);

struct warm_exchange {
    struct interrupt *interrupt; /* a signal cancels the request; NULL: handled here */
    bool forbids_start;          /* of a daemon: it must run already */
    int64_t timeout_ms;          /* limit for the whole answer */
    void *data;
    /* Receives a line that is not an error. Returning false with the error ends the exchange. */
    bool (*on_line)(void *data, json_t *line, const char *text, struct br_error *err);
    bool was_interrupted; /* set at the end */
};

/*
 * Sends the request, of which it takes ownership, and passes all lines of the answer on. A daemon
 * of another version is replaced if possible. Returns false with the error, also that of an "error"
 * line.
 */
bool warm_ask(struct warm_exchange *exchange, json_t *request, struct br_error *err);

#endif
