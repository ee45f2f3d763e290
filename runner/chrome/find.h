/*
 * Which browser to drive. It is never installed from here: the errors name the command that does.
 */
#ifndef RUNNER_CHROME_FIND_H
#define RUNNER_CHROME_FIND_H

#include "runner/base/clock.h"
#include "runner/base/error.h"

#include <stddef.h>

/* A place where a browser may be. */
struct chrome_place {
    const char *name;     /* what users call it, such as "chromium" */
    const char *platform; /* as platform_name() */
    const char *place;    /* an absolute path, or a command that is looked for in PATH */
};

/* The usual places, the ones to be taken first in front. Static storage. */
const struct chrome_place *chrome_places(size_t *ret_count);

/*
 * The absolute path of an executable. `wanted` is a path (it contains a '/'), a name of the table
 * of places, or another command in PATH; NULL stands for the environment's BROWSER_RUNNER_CHROME
 * and, where that is unset or empty, for the first of the places that has one.
 * Caller frees; NULL with BR_BROWSER_NOT_FOUND, and the hint says how to get one.
 */
char *chrome_find(const char *wanted, struct br_error *err);

/* As chrome_find in another table of places, and without the environment variable. */
char *chrome_find_among(const struct chrome_place *places, size_t count, const char *wanted,
                        struct br_error *err);

/*
 * What `program --version` prints on its first line, such as "Chromium 156.0.8078.79". The process
 * and its children are gone when this returns. Caller frees; NULL with an error, also where that is
 * no version of a Chrome.
 */
char *chrome_version(const char *program, struct deadline deadline, struct br_error *err);

#endif
