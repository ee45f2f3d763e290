/*
 * The rules of --schemes, --files, --no-eval, --allow and --deny for what a client of the endpoint
 * sends. Any thread.
 */
#ifndef RUNNER_SERVERS_CDP_RULES_H
#define RUNNER_SERVERS_CDP_RULES_H

#include "runner/base/policy.h"
#include "runner/servers/cdp/methods.h"

#include <jansson.h>

/* Whether the parameters of a method matter to the rules; policy NULL: there are none. */
bool rules_need_params(const struct policy *policy, const struct method *method);

/*
 * Whether a command may go on, POLICY_DENIED if not; method NULL: it is not known. Paths in its
 * parameters become those that were judged, absolute and without links.
 */
bool rules_allow(const struct policy *policy, const struct method *method, const char *name,
                 json_t *params, struct br_error *err);

/* Whether one of the parameters that hold code is there; *ret_name is its name. */
bool rules_find_code(const struct method *method, const json_t *params, char ret_name[64]);

/* The name of the rule that an error of rules_allow() is about, such as "files". */
void rules_name(const struct br_error *err, char ret_name[32]);

#endif
