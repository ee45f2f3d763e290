/* What pictures depend on besides the page: the browser, the fonts, the system. */
#ifndef RUNNER_CHECKS_ENVIRONMENT_H
#define RUNNER_CHECKS_ENVIRONMENT_H

#include <jansson.h>
#include <stdbool.h>

/*
 * {runner, system, fonts, ci}; the caller adds the browser after starting it. "fonts" is a
 * fingerprint of the names and sizes of all installed font files. Caller decrefs.
 */
json_t *environment_describe(bool is_ci);

/*
 * Describes how the origin of a baseline (see baseline.h) differs from this environment, as the
 * beginning of a sentence such as "Chrome/150.0.1 instead of Chrome/156.0.2"; NULL if no difference
 * is known. Caller frees.
 */
char *environment_difference(const json_t *environment, const json_t *origin);

#endif
