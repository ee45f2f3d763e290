/* What pictures depend on beside the page: the browser, the fonts, the system. */
#ifndef RUNNER_CHECKS_ENVIRONMENT_H
#define RUNNER_CHECKS_ENVIRONMENT_H

#include <jansson.h>
#include <stdbool.h>

/*
 * {runner, system, fonts, ci}; the browser is added by whoever has started it. "fonts" is a
 * fingerprint of the names and sizes of all installed font files. Caller decrefs.
 */
json_t *environment_describe(bool is_ci);

/*
 * In what the origin of a baseline (see baseline.h) differs from here, as the beginning of a
 * sentence such as "Chrome/150.0.1 instead of Chrome/156.0.2"; NULL: in nothing that is known.
 * Caller frees.
 */
char *environment_difference(const json_t *environment, const json_t *origin);

#endif
