/* Estimates the tokens of a text. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_TOKENS_H
#define RUNNER_SNAPSHOT_OUTLINE_TOKENS_H

#include <stddef.h>

/* Returns about how many tokens a model needs for it; rather too many than too few. */
int print_tokens(const char *text, size_t length);

#endif
