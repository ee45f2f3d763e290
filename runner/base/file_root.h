/*
 * A directory that paths cannot leave, even through symbolic links. Files are opened below the
 * directory's descriptor without following links, so that a link created after the check has no
 * effect.
 */
#ifndef RUNNER_BASE_FILE_ROOT_H
#define RUNNER_BASE_FILE_ROOT_H

#include "runner/base/error.h"

struct file_root;

/* Returns NULL with INVALID_ACTION if it is not a directory. Caller closes. */
struct file_root *file_root_open(const char *directory, struct br_error *err);

/* Returns a root that contains no files. Caller closes. */
struct file_root *file_root_nothing(void);

/* NULL is fine. */
void file_root_close(struct file_root *root);

/*
 * Returns the absolute path, without links, of an existing file or of a file that may be created
 * there; a relative path starts at the working directory. POLICY_DENIED outside the root, and if
 * that cannot be determined. Caller frees.
 */
char *file_root_resolve(const struct file_root *root, const char *path, struct br_error *err);

/*
 * Whether no entry below a directory returned by file_root_resolve() leads out of the root: Chrome
 * follows links when it is given a whole directory.
 */
bool file_root_holds_all(const struct file_root *root, const char *directory, struct br_error *err);

/*
 * open(2) for a path returned by file_root_resolve(): -1 with errno, ELOOP if a link was created
 * since.
 */
int file_root_open_path(const struct file_root *root, const char *resolved, int flags);

#endif
