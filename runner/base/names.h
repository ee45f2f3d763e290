/* "Did you mean": the nearest of a list of known names. */
#ifndef RUNNER_BASE_NAMES_H
#define RUNNER_BASE_NAMES_H

#include "runner/base/error.h"

#include <stddef.h>

/*
 * The known name with the fewest edits (insert, delete, change, swap of neighbours; case counts
 * for nothing), or NULL when none is near: at most a third of its
 * length, rounded, and at least one. Names over 64 characters are near to nothing.
 */
const char *names_nearest(const char *name, const char *const *known, size_t count);

/* The hint of an error about an unknown name: the nearest one, or else all. Returns false. */
bool names_hint(const char *name, const char *const *known, size_t count, struct br_error *err);

#endif
