/* The rows of the table of options, and parsers that they share. */
#ifndef RUNNER_CLI_OPTION_H
#define RUNNER_CLI_OPTION_H

#include "runner/cli/command.h"

/* Parses the argument, NULL if there is none, into the options. INVALID_ACTION. */
typedef bool option_set(struct cli_options *options, const char *value, struct br_error *err);

/* A row of the table of options. */
struct option {
    const char *name;     /* without its hyphens */
    char letter;          /* short form; 0: none */
    const char *argument; /* as in the help; NULL: a switch; "[=…]": optional */
    const char *help;
    int group;
    option_set *set;
};

/* Returns the row at an index; NULL after the last one. */
const struct option *options_table_at(size_t index);

bool option_is_of(const struct option *option, const struct command *command);

bool option_integer(const char *value, long min, long max, long *ret_number, struct br_error *err);
bool option_int(const char *value, long min, long max, int *field, struct br_error *err);

/* Accepts one of the NULL-terminated choices, and sets *field to the value. */
bool option_choice(const char *value, const char *const *choices, const char **field,
                   struct br_error *err);

#define DEFINE_STRING_OPTION(name, field)                                                          \
    bool name(struct cli_options *options, const char *value, struct br_error *err)                \
    {                                                                                              \
        (void)err;                                                                                 \
        options->field = value;                                                                    \
        return true;                                                                               \
    }
#define DEFINE_NUMBER_OPTION(name, field, min, max)                                                \
    bool name(struct cli_options *options, const char *value, struct br_error *err)                \
    {                                                                                              \
        return option_int(value, min, max, &options->field, err);                                  \
    }
#define DEFINE_SWITCH_OPTION(name, field)                                                          \
    bool name(struct cli_options *options, const char *value, struct br_error *err)                \
    {                                                                                              \
        (void)err;                                                                                 \
        (void)value;                                                                               \
        options->field = true;                                                                     \
        return true;                                                                               \
    }

#endif
