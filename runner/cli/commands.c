#include "runner/cli/commands.h"

#include "runner/base/names.h"

#include <string.h>

const struct command *const commands[] = {
    &command_run,        &command_act,
    &command_session,    &command_serve,
    &command_worker,     &command_submit,
    &command_results,    &command_mcp,
    &command_bridge,     &command_console,
    &command_shot,       &command_snapshot,
    &command_check,      &command_diff,
    &command_history,    &command_doctor,
    &command_profile,    &command_schema,
    &command_tools,      &command_skill,
    &command_completion, NULL,
};
enum { COMMAND_COUNT = sizeof(commands) / sizeof(commands[0]) - 1 };

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

int command_unknown(const char *name)
{
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        names[i] = commands[i]->name;
    }
    const char *nearest = names_nearest(name, names, COMMAND_COUNT);
    cli_warn("unknown command \"%s\"; %s%s%s", name, nearest ? "did you mean \"" : "see --help",
             nearest ? nearest : "", nearest ? "\"?" : "");
    return EXIT_USAGE;
}
