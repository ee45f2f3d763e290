/* A first suite, made from addresses. */
#ifndef RUNNER_CHECKS_INIT_H
#define RUNNER_CHECKS_INIT_H

#include "runner/base/error.h"

#include <stddef.h>

/*
 * Writes a suite of the pages at the URLs (http, https or file; or paths of files) to the file, and
 * smoke.schema.json beside it, by which editors complete it, unless that is there. Never writes
 * over a file. False with INVALID_ACTION and the cure.
 */
bool check_init(const char *file, const char *const *urls, size_t count, struct br_error *err);

#endif
