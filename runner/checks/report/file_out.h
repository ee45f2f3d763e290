/* Files of a report: written completely or not at all, with the permissions of their folder. */
#ifndef RUNNER_CHECKS_REPORT_FILE_OUT_H
#define RUNNER_CHECKS_REPORT_FILE_OUT_H

#include "runner/base/error.h"

#include <stddef.h>

/*
 * Replaces the file atomically. Its permissions are those of the folder: one user of a CI machine
 * writes a report, and others read it.
 */
bool report_file_write(const char *path, const void *bytes, size_t size, struct br_error *err);

/* Creates the folder and its parents. */
bool report_folder_make(const char *path, struct br_error *err);

/*
 * Creates the file's folder and checks that report_file_write() will succeed, so that a long run
 * fails early; `option` is the option for another place.
 */
bool report_file_prepare(const char *path, const char *option, struct br_error *err);

#endif
