/* Formats the result of a comparison as JSON and for people. */
#ifndef RUNNER_CLI_DIFF_TEXT_H
#define RUNNER_CLI_DIFF_TEXT_H

#include "imaging/diff_options.h"

#include <jansson.h>

/* Returns the object that `diff --json` prints. Caller decrefs. */
json_t *diff_to_json(const struct image_diff *diff, const struct image_diff_options *options);

/* Returns a few lines, each with a newline. Caller frees. */
char *diff_to_text(const struct image_diff *diff, const struct image_diff_options *options);

#endif
