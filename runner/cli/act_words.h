/* Parses the words after `act` as an instruction: click "Sign in", type "#email" a@b.c --clear. */
#ifndef RUNNER_CLI_ACT_WORDS_H
#define RUNNER_CLI_ACT_WORDS_H

#include "runner/base/error.h"

#include <jansson.h>
#include <stdio.h>

/*
 * Parses the words. words[0] is a type of action or another name of one. Then follow its plain
 * words, according to the table of their meanings, and its parameters: --name value, --name=value,
 * --switch, --no-switch. After `--` all words are plain. If a parameter is given as an option, the
 * plain words begin with the next one. Relative file paths are made absolute from `directory`.
 *
 * Returns the instruction, which is valid: {"type": "click", "element": "Sign in"}. INVALID_ACTION
 * with the usage as the hint. Caller decrefs.
 */
json_t *act_words_read(int count, char **words, const char *directory, struct br_error *err);

/* Returns the member of the inspected element that the words ask for; NULL: the whole answer. */
const char *act_words_member(int count, char **words);

/* Returns the type of action of a first word, which may be another name of it. */
const char *act_words_type(const char *word);

/* Prints the meaning of the words of each type, with examples. */
void act_words_usage(FILE *file);

/*
 * Returns an example: the words after `browser-runner act` as a shell reads them; NULL after the
 * last one.
 */
const char *act_words_example(size_t index);

#endif
