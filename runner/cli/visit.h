/* Shared code of the commands that open one page. */
#ifndef RUNNER_CLI_VISIT_H
#define RUNNER_CLI_VISIT_H

#include "runner/cli/command.h"

#include <jansson.h>

/*
 * Checks that the steps of visit_page() and the command's own action, with these parameters, are
 * valid.
 */
bool visit_check(const struct cli_options *options, const char *type, const json_t *params,
                 struct br_error *err);

/*
 * Runs an action given by its parameters. NULL with the error of a failed one; the caller destroys
 * the response.
 */
struct br_response *visit_act(struct br_session *session, const struct cli_options *options,
                              const char *type, const json_t *params, struct br_error *err);

/* Prints the tool's warnings, because the response itself is not shown. */
void visit_warn(const struct br_response *response);

/* The command's work on the page. */
typedef bool visit_work(struct br_session *session, const struct cli_options *options,
                        struct br_error *err);

/*
 * Opens the page of the first operand, does the work, and ends. Returns the exit code. Call
 * visit_check() first.
 */
int visit_page(struct cli_options *options, visit_work *work);

#endif
