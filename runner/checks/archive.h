/*
 * ZIP archives that come from outside, such as the artifact in which CI kept a report. Nothing of
 * an archive is trusted: an archive with a name that leaves its folder, a link, an encrypted or an
 * oversized part is refused as a whole.
 */
#ifndef RUNNER_CHECKS_ARCHIVE_H
#define RUNNER_CHECKS_ARCHIVE_H

#include "runner/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Limits of an archive; beyond one of them it is refused with LIMIT_EXCEEDED. */
#define ARCHIVE_MAX_SIZE ((size_t)1 << 30)   /* bytes of the file, and of what is extracted */
#define ARCHIVE_MAX_PART ((size_t)256 << 20) /* unpacked bytes of a file in it */
enum {
    ARCHIVE_MAX_PARTS = 50000, /* files and folders in it */
    ARCHIVE_MAX_NAME = 1024,   /* bytes */
};

/*
 * Receives the files of an archive, in the order of its central directory: only what that lists is
 * in the archive, whatever else its bytes contain. Folders are not reported.
 */
struct archive_taker {
    /* Returns whether the file is wanted; others are checked, but not unpacked. */
    bool (*wants)(void *data, const char *name);
    /* Receives the content, which is borrowed. Returns false with the error to end the reading. */
    bool (*take)(void *data, const char *name, const void *bytes, size_t size,
                 struct br_error *err);
    void *data;
};

/*
 * Reads an archive in memory. Names are relative paths with slashes, without "..". INVALID_ACTION
 * says which part is wrong; earlier parts may have been extracted. Files are stored or deflated;
 * archives in several parts, and those larger than 4 GB, are refused.
 */
bool archive_read(const void *bytes, size_t size, const struct archive_taker *taker,
                  struct br_error *err);

/*
 * Unpacks the report that the archive at `path` contains, results.json and its pictures, into a new
 * folder below TMPDIR. Returns the folder, for archive_remove(); NULL with the error, and nothing
 * is left behind.
 */
char *archive_unpack_report(const char *path, struct br_error *err);

/* Removes the folder with everything in it, and frees its name; NULL does nothing. */
void archive_remove(char *folder);

#endif
