/* Files of a report: whole or not at all, and readable by whoever may read their directory. */
#ifndef RUNNER_CHECKS_REPORT_FILE_OUT_H
#define RUNNER_CHECKS_REPORT_FILE_OUT_H

#include "runner/base/error.h"

#include <stddef.h>

/*
 * Replaces the file at once. Its permissions are the directory's: a report is made by one user of a
 * CI machine and read by others.
 */
bool report_file_write(const char *path, const void *bytes, size_t size, struct br_error *err);

#endif
