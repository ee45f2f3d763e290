/* The commands of agents: a table of them, and the actions that they become. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_COMMANDS_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_COMMANDS_H

#include <browser_runner/error.h>
#include <jansson.h>

/* Who works a command off. */
enum app_command_kind {
    APP_COMMAND_ACTION,   /* an action of ours */
    APP_COMMAND_NAVIGATE, /* the same, whose URL may be relative */
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
    /* Adds the parameters of the action beside the target's. INVALID_ACTION. NULL: there is none.
     */
    bool (*fill)(const json_t *command, json_t *action, struct br_error *err);
};

/* NULL: there is none of this name. */
const struct app_command *app_command_find(const char *type);

/* Whether a message of this type is no command, and needs no answer: telemetry of others. */
bool app_command_is_ignored(const char *type);

/*
 * The action, without its target. INVALID_ACTION for a command that is not well formed, its target
 * included. The caller decrefs *ret_action.
 */
bool app_command_action(const struct app_command *row, const json_t *command, json_t **ret_action,
                        struct br_error *err);

/* A member of `options`, or where it is not there of the command itself. Borrowed. */
json_t *app_command_option(const json_t *command, const char *name);

/*
 * Adds how the action finds the target when no id is known for it: the attributes of a stableId,
 * a selector, a text with or without a role. TARGET_NOT_FOUND where the action knows no way.
 */
bool app_command_set_target(const json_t *target, json_t *action, struct br_error *err);

#endif
