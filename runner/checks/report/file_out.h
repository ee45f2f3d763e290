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

/* Makes the folder, and those that it is in. */
bool report_folder_make(const char *path, struct br_error *err);

/* Makes the folder of the file and finds out whether report_file_write() will do, which a run that
 * takes long has to know before; `option` is the one that names another place. */
bool report_file_prepare(const char *path, const char *option, struct br_error *err);

#endif
