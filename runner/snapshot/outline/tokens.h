/* What a text costs. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_TOKENS_H
#define RUNNER_SNAPSHOT_OUTLINE_TOKENS_H

#include <stddef.h>

/* About how many tokens a model takes for it; rather too many than too few. */
int print_tokens(const char *text, size_t length);

#endif
