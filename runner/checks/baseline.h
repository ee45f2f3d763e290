/*
 * Baselines: the pictures that checks are compared with. Each is a PNG named after its check, with
 * a small JSON file beside it that records where it was made.
 */
#ifndef RUNNER_CHECKS_BASELINE_H
#define RUNNER_CHECKS_BASELINE_H

#include "runner/checks/suite.h"

#include <jansson.h>

/* Maximum size in bytes of a picture that is read. */
enum { BASELINE_MAX_PNG = 256 * 1024 * 1024 };

struct baseline {
    char *png; /* NULL: no baseline */
    size_t size;
    json_t *origin;           /* object as baseline_write() takes it; NULL: unknown */
    const char *origin_fault; /* why it is unknown: the file beside the picture is "missing" or
                                 "broken"; static */
};

/* A missing baseline is not an error; an unreadable one is INVALID_ACTION. */
bool baseline_read(const struct suite *suite, const char *id, struct baseline *ret_baseline,
                   struct br_error *err);
void baseline_finish(struct baseline *baseline);

/*
 * Returns the JSON to write beside a picture that was taken in this environment (see
 * environment.h); width and height are in pixels of the picture, scale is pixels per CSS pixel.
 * Caller decrefs.
 */
json_t *baseline_origin(const json_t *environment, int width, int height, double scale);

/*
 * Replaces the baseline by a picture; `origin` is {browser, fonts, system, scale, width, height}.
 * NULL: unknown, a JSON file beside the picture is removed. Creates the folder if necessary.
 */
bool baseline_write(const struct suite *suite, const char *id, const void *png, size_t size,
                    const json_t *origin, struct br_error *err);

/* Removes the picture, which must exist, and the file beside it. */
bool baseline_remove(const struct suite *suite, const char *id, struct br_error *err);

/* Writes only the JSON file beside the picture; `origin` NULL removes it. */
bool baseline_write_origin(const struct suite *suite, const char *id, const json_t *origin,
                           struct br_error *err);

/*
 * Returns the names of pictures in the folder that belong to no check of the suite, an array in
 * alphabetical order that the caller decrefs. Files that are not named like a baseline are ignored.
 */
json_t *baseline_stale(const struct suite *suite);

/* Removes these pictures, and the files beside them. */
bool baseline_prune(const struct suite *suite, const json_t *stale, struct br_error *err);

#endif
