/*
 * The container behind `struct br_action`: a type, parameters as JSON values, and where each of
 * them stood in its source. What is a valid action is known to runner/actions alone.
 */
#ifndef RUNNER_BASE_ACTION_H
#define RUNNER_BASE_ACTION_H

#include "runner/base/memory.h"

#include <browser_runner/action.h>
#include <jansson.h>

/* Counted from 1; 0 where there is no source text. */
struct source_position {
    unsigned line, column;
};

struct br_action {
    char *type; /* never NULL */
    struct source_position position;
    json_t *params; /* object: name to value */
    struct action_param_position {
        char *name;
        struct source_position position;
    } * positions; /* of those parameters that have one */
    size_t position_count, position_capacity;
};

/* Never NULL. Caller frees with br_action_destroy(). */
struct br_action *action_create(const char *type, struct source_position position);

/* Adds a parameter, takes ownership of value. False, adding nothing, if the name is there. */
bool action_add(struct br_action *action, const char *name, json_t *value,
                struct source_position position);

/* Where the parameter stood; the action's own position when that is not known. */
struct source_position action_param_position(const struct br_action *action, const char *name);

DEFINE_CLEANUP(struct br_action *, cleanup_action, br_action_destroy)
#define CLEANUP_ACTION CLEANUP(cleanup_action)

#endif
