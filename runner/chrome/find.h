/* Finds the browser to drive. Nothing is ever installed: the errors name the command to do so. */
#ifndef RUNNER_CHROME_FIND_H
#define RUNNER_CHROME_FIND_H

#include "runner/base/clock.h"
#include "runner/base/error.h"

#include <stddef.h>

/* A place where a browser may be installed. */
struct chrome_place {
    const char *name;     /* the name users give it, such as "chromium" */
    const char *platform; /* as returned by platform_name() */
    const char *place;    /* an absolute path, or a command searched for in PATH */
};

/* Returns the usual places in order of preference. Static storage. */
const struct chrome_place *chrome_places(size_t *ret_count);

/*
 * Returns the absolute path of an executable. `wanted` is a path (contains '/'), a name from the
 * table of places, or another command in PATH. NULL means the environment variable
 * BROWSER_RUNNER_CHROME or, if that is unset or empty, the first place where a browser exists.
 * Caller frees; NULL with BR_BROWSER_NOT_FOUND, whose hint says how to install one.
 */
char *chrome_find(const char *wanted, struct br_error *err);

/* As chrome_find(), with another table of places and without the environment variable. */
char *chrome_find_among(const struct chrome_place *places, size_t count, const char *wanted,
                        struct br_error *err);

/*
 * Returns the first line of `program --version`, such as "Chromium 156.0.8078.79". The process and
 * its children have ended when this returns. Caller frees; NULL with an error, also if the line is
 * not a version of Chrome.
 */
char *chrome_version(const char *program, struct deadline deadline, struct br_error *err);

#endif
