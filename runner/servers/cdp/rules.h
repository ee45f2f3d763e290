/*
 * Applies the rules of --schemes, --files, --no-eval, --allow and --deny to commands of the
 * endpoint's clients. Any thread.
 */
#ifndef RUNNER_SERVERS_CDP_RULES_H
#define RUNNER_SERVERS_CDP_RULES_H

#include "runner/base/policy.h"
#include "runner/servers/cdp/methods.h"

#include <jansson.h>

/* Whether the rules depend on the parameters of a method. policy NULL: no rules. */
bool rules_need_params(const struct policy *policy, const struct method *method);

/*
 * Whether a command is allowed; POLICY_DENIED if not. method NULL: unknown. Replaces paths in
 * params by the checked ones, which are absolute and without links.
 */
bool rules_allow(const struct policy *policy, const struct method *method, const char *name,
                 json_t *params, struct br_error *err);

/* Finds a parameter that contains code and is not empty. *ret_name is its name. */
bool rules_find_code(const struct method *method, const json_t *params, char ret_name[64]);

/* Returns in ret_name the name of the rule in an error of rules_allow(), such as "files". */
void rules_name(const struct br_error *err, char ret_name[32]);

#endif
