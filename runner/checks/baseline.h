/*
 * Baselines: the pictures that checks are compared with. Each is a PNG named after its check, with
 * a small JSON file beside it that says where it was made.
 */
#ifndef RUNNER_CHECKS_BASELINE_H
#define RUNNER_CHECKS_BASELINE_H

#include "runner/checks/suite.h"

#include <jansson.h>

/* Bytes of a picture that is read. */
enum { BASELINE_MAX_PNG = 256 * 1024 * 1024 };

struct baseline {
    char *png; /* NULL: there is none */
    size_t size;
    json_t *origin;           /* object as baseline_write() takes it; NULL: not known */
    const char *origin_fault; /* why not: the file beside it is "missing" or "broken"; static */
};

/* A baseline that is not there is none; one that cannot be read is INVALID_ACTION. */
bool baseline_read(const struct suite *suite, const char *id, struct baseline *ret_baseline,
                   struct br_error *err);
void baseline_finish(struct baseline *baseline);

/* What is written beside a picture that was taken in this environment (see environment.h), pixels
 * of the picture and of a CSS pixel. Caller decrefs. */
json_t *baseline_origin(const json_t *environment, int width, int height, double scale);

/* Puts a picture in the place of the baseline; `origin` is {browser, fonts, system, scale, width,
 * height}. The folder is made if need be. */
bool baseline_write(const struct suite *suite, const char *id, const void *png, size_t size,
                    const json_t *origin, struct br_error *err);

/* Writes only what is beside the picture. */
bool baseline_write_origin(const struct suite *suite, const char *id, const json_t *origin,
                           struct br_error *err);

/*
 * The names of the pictures in the folder that no check of the suite has, an array in alphabetical
 * order; the caller's to decref. What a name does not show to be of a baseline is left alone.
 */
json_t *baseline_stale(const struct suite *suite);

/* Removes those, and what is beside them. */
bool baseline_prune(const struct suite *suite, const json_t *stale, struct br_error *err);

#endif
