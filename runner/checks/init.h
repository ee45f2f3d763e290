/* Creates a first suite: from addresses, or from the files of other programs. */
#ifndef RUNNER_CHECKS_INIT_H
#define RUNNER_CHECKS_INIT_H

#include "runner/base/error.h"

#include <jansson.h>
#include <stddef.h>

/*
 * Writes a suite of the pages at the URLs (http, https or file; or file paths) to the file, and
 * smoke.schema.json beside it, for completion in editors, unless that exists. Never overwrites a
 * file. False with INVALID_ACTION and a remedy.
 */
bool check_init(const char *file, const char *const *urls, size_t count, struct br_error *err);

/*
 * Writes a suite in the same way from `source`, a file or an http or https URL: BackstopJS's
 * backstop.json, Lost Pixel's configuration, Storybook's index.json, a sitemap.xml, or a list of
 * addresses, one a line. From `baselines`, the folder of BackstopJS's or Lost Pixel's pictures
 * (NULL: none), those become baselines whose width is that of their viewport. Returns what was not
 * taken over, an array of sentences that the caller decrefs; NULL with the error.
 */
json_t *import_suite(const char *source, const char *file, const char *baselines,
                     struct br_error *err);

/* Writes the suite and its schema; adds "$schema", and viewports if it has none. */
bool init_write(const char *file, json_t *suite, struct br_error *err);

/*
 * Returns a name for a check, made of a text or of an address's path, that is not in `used` yet,
 * and adds it there. Caller frees.
 */
char *init_name(json_t *used, const char *text);

#endif
