/* The commands of agents, and the actions that execute them. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_COMMANDS_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_COMMANDS_H

#include <browser_runner/error.h>
#include <jansson.h>

/* How a command is executed. */
enum app_command_kind {
    APP_COMMAND_ACTION,   /* by one action */
    APP_COMMAND_NAVIGATE, /* the same, with a URL that may be relative */
    APP_COMMAND_EVALUATE,
    APP_COMMAND_UI_TREE,
    APP_COMMAND_DOM_SNAPSHOT,
    APP_COMMAND_SCREENSHOT,
    APP_COMMAND_STATE,
};

struct app_command {
    const char *type;
    enum app_command_kind kind;
    enum { TARGET_NONE, TARGET_OPTIONAL, TARGET_NEEDED } target;
    /* Adds parameters, except the target's. Fails with INVALID_ACTION. NULL: no parameters. */
    bool (*fill)(const json_t *command, json_t *action, struct br_error *err);
};

/* NULL: unknown type. */
const struct app_command *app_command_find(const char *type);

/* Whether a message of this type is no command and gets no answer, such as other apps' telemetry.
 */
bool app_command_is_ignored(const char *type);

/*
 * Makes the action, without its target. INVALID_ACTION for a malformed command or target. The
 * caller decrefs *ret_action.
 */
bool app_command_action(const struct app_command *row, const json_t *command, json_t **ret_action,
                        struct br_error *err);

/* A member of `options`, or else of the command itself. Borrowed. */
json_t *app_command_option(const json_t *command, const char *name);

/*
 * Adds parameters that find the target without a node id: attributes for a stableId, a selector, or
 * a text with or without a role. TARGET_NOT_FOUND: the action cannot find it like that.
 */
bool app_command_set_target(const json_t *target, json_t *action, struct br_error *err);

#endif
