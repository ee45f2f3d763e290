/* "Did you mean": finds the nearest of a list of known names. */
#ifndef RUNNER_BASE_NAMES_H
#define RUNNER_BASE_NAMES_H

#include "runner/base/error.h"

#include <stddef.h>

/*
 * Returns the known name with the fewest edits (insert, delete, change, swap of neighbours; case is
 * ignored), or NULL if none is near enough: at most a third of its length, rounded, and at least
 * one edit. Names over 64 characters match nothing.
 */
const char *names_nearest(const char *name, const char *const *known, size_t count);

/*
 * Sets the hint of an error about an unknown name: the nearest known name, or else all of them.
 * Returns false.
 */
bool names_hint(const char *name, const char *const *known, size_t count, struct br_error *err);

#endif
