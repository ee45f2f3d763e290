/* Processes the plain words of an instruction, slot by slot. */
#ifndef RUNNER_CLI_ACT_TAKE_H
#define RUNNER_CLI_ACT_TAKE_H

#include "runner/actions/action_type.h"
#include "runner/cli/act_table.h"

/* The state of reading an instruction's words. */
struct act_reading {
    struct act_row row;
    const struct action_type *type;
    json_t *params;
    const char **words; /* the plain words */
    size_t count, next;
    bool has_element; /* a word names it */
};

/* Assigns words to the row's slots: required slots come before optional ones. */
bool act_take_words(struct act_reading *reading, struct br_error *err);

/* Sets a parameter of the type from a word. */
bool act_take_param(struct act_reading *reading, const char *name, const char *text,
                    struct br_error *err);

/* Sets the usage of the row as the hint. Returns false. */
bool act_take_usage(const struct act_row *row, struct br_error *err);

#endif
