/* A parameter of an action as an option of the command line: --full-page, --viewport.width 300. */
#ifndef RUNNER_CLI_ACT_PARAM_H
#define RUNNER_CLI_ACT_PARAM_H

#include "runner/actions/action_type.h"

/*
 * Reads the option at words[*index] and its value, behind an `=` or as the next word, into the
 * parameters; *index is then that of the last word it took. Names may be written in either way,
 * --full-page or --fullPage, and with dots: --to.text Basket. One that takes several is given
 * several times. INVALID_ACTION with its name.
 */
bool act_param_read(const struct action_type *type, int count, char **words, int *index,
                    json_t *params, struct br_error *err);

/* Puts what a word means into the parameters: as the row has it, if it can be that. */
bool act_param_put(const struct param *row, const char *text, json_t *params, struct br_error *err);

/* An address as people write it, with its scheme: https, or http for this computer and addresses
 * by number. Caller frees. */
char *act_param_url(const char *text);

/* Paths of files in the parameters that are no absolute ones become such, from the directory. */
void act_param_place_files(const struct action_type *type, const char *directory, json_t *params);

#endif
