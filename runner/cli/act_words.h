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
 * Returns an array of one instruction, or two of the same type, each valid: {"type": "click",
 * "text": "Sign in"}. A word may name an element in two ways; the second instruction is for the
 * case that the first has failed according to act_words_goes_on(). If the second fails, too, the
 * first answer is the more helpful one. Each failure counts for the session's error limits.
 * INVALID_ACTION with the usage as the hint. Caller decrefs.
 */
json_t *act_words_read(int count, char **words, const char *directory, struct br_error *err);

/*
 * Whether to try the second instruction after this response to the first: the element was not
 * found, or was ambiguous, and no mouse press has reached the page.
 */
bool act_words_goes_on(const json_t *response);

/* Prints the meaning of the words of each type, with examples. */
void act_words_usage(FILE *file);

/*
 * Returns an example: the words after `browser-runner act` as a shell reads them; NULL after the
 * last one.
 */
const char *act_words_example(size_t index);

#endif
