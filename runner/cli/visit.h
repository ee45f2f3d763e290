/* What the commands that look at one page have in common. */
#ifndef RUNNER_CLI_VISIT_H
#define RUNNER_CLI_VISIT_H

#include "runner/cli/command.h"

#include <jansson.h>

/*
 * Whether all that visit_page() does first can be done as the options say, and then the command's
 * own action with these parameters.
 */
bool visit_check(const struct cli_options *options, const char *type, const json_t *params,
                 struct br_error *err);

/*
 * Runs an action that is given as its parameters. NULL with the error of one that fails; the caller
 * destroys the response.
 */
struct br_response *visit_act(struct br_session *session, const struct cli_options *options,
                              const char *type, const json_t *params, struct br_error *err);

/* What the tool itself has to say: nobody sees the response. */
void visit_warn(const struct br_response *response);

/* What is done with the page. */
typedef bool visit_work(struct br_session *session, const struct cli_options *options,
                        struct br_error *err);

/*
 * Opens the page of the first operand, does the work, ends. Returns the exit code. To be called
 * when visit_check() has found nothing.
 */
int visit_page(struct cli_options *options, visit_work *work);

#endif
