/* Parses parameters of an action as options: --full-page, --viewport.width 300. */
#ifndef RUNNER_CLI_ACT_PARAM_H
#define RUNNER_CLI_ACT_PARAM_H

#include "runner/actions/action_type.h"

/*
 * Reads the option at words[*index] and its value, after an `=` or as the next word, into the
 * parameters; advances *index to the last word consumed. Names may be spelled --full-page or
 * --fullPage, and have dots: --to.text Basket. A list parameter may be given several times.
 * INVALID_ACTION with the option's name.
 */
bool act_param_read(const struct action_type *type, int count, char **words, int *index,
                    json_t *params, struct br_error *err);

/* Sets the parameter from a word: with the row's type, if the word fits. */
bool act_param_put(const struct param *row, const char *text, json_t *params, struct br_error *err);

#endif
