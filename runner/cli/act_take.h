/* What the plain words of an instruction put into it, slot by slot. */
#ifndef RUNNER_CLI_ACT_TAKE_H
#define RUNNER_CLI_ACT_TAKE_H

#include "runner/actions/action_type.h"
#include "runner/cli/act_table.h"

/* What is read so far of the words of an instruction. */
struct act_reading {
    struct act_row row;
    const struct action_type *type;
    json_t *params;
    json_t *ways;       /* of the element; NULL: no word names it */
    const char *option; /* of a list, its label or value; NULL: no word names it */
    const char **words; /* the plain ones */
    size_t count, next;
};

/* Gives each slot of the row its words: those that need one come before those that do not. */
bool act_take_words(struct act_reading *reading, struct br_error *err);

/* A parameter of the type, as a word says it. */
bool act_take_param(struct act_reading *reading, const char *name, const char *text,
                    struct br_error *err);

/* The usage of the row as the hint. Returns false. */
bool act_take_usage(const struct act_row *row, struct br_error *err);

#endif
