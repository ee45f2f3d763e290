/* The words behind `act` as an instruction: click "Sign in", type "#email" a@b.c --clear. */
#ifndef RUNNER_CLI_ACT_WORDS_H
#define RUNNER_CLI_ACT_WORDS_H

#include "runner/base/error.h"

#include <jansson.h>
#include <stdio.h>

/*
 * words[0] is a type of action or another name of one; behind it are its plain words, by the table
 * of what they mean, and its parameters: --name value, --name=value, --switch, --no-switch. Behind
 * `--` all are plain. What is a plain word of a parameter that was given counts for the next one.
 * Relative paths of files are made absolute from `directory`.
 *
 * An array of one instruction, or two of the same type, each valid: {"type": "click", "text":
 * "Sign in"}. A word may mean an element in two ways; the second is for the case that the first has
 * failed as act_words_goes_on() says; where it fails, too, the first answer says more. Each failure
 * counts for the limits of a session. INVALID_ACTION with the usage as the hint. Caller decrefs.
 */
json_t *act_words_read(int count, char **words, const char *directory, struct br_error *err);

/*
 * Whether the second instruction is to be tried after this response to the first: the element was
 * not found, or several were, and no press of the mouse has reached the page.
 */
bool act_words_goes_on(const json_t *response);

/* What the words of each type mean, with examples. */
void act_words_usage(FILE *file);

/* The examples, each the words behind `browser-runner act` as a shell reads them; NULL at the end.
 */
const char *act_words_example(size_t index);

#endif
