/* Creates a first suite from addresses. */
#ifndef RUNNER_CHECKS_INIT_H
#define RUNNER_CHECKS_INIT_H

#include "runner/base/error.h"

#include <stddef.h>

/*
 * Writes a suite of the pages at the URLs (http, https or file; or file paths) to the file, and
 * smoke.schema.json beside it, for completion in editors, unless that exists. Never overwrites a
 * file. False with INVALID_ACTION and a remedy.
 */
bool check_init(const char *file, const char *const *urls, size_t count, struct br_error *err);

#endif
