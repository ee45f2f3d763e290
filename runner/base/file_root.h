/*
 * A folder that may not be left: whoever gives paths gets at nothing else, wherever symbolic links
 * lead. What is opened is opened below the folder's descriptor, without following a link that came
 * meanwhile.
 */
#ifndef RUNNER_BASE_FILE_ROOT_H
#define RUNNER_BASE_FILE_ROOT_H

#include "runner/base/error.h"

struct file_root;

/* NULL with INVALID_ACTION: it has to be a directory. Caller closes. */
struct file_root *file_root_open(const char *directory, struct br_error *err);

/* A root that holds nothing. Caller closes. */
struct file_root *file_root_nothing(void);

/* NULL is fine. */
void file_root_close(struct file_root *root);

/*
 * The absolute path, without links, of what is there, or of what may be made there; it begins in
 * the working directory where it is relative. POLICY_DENIED outside of the root, and where nobody
 * could tell whether it is outside. Caller frees.
 */
char *file_root_resolve(const struct file_root *root, const char *path, struct br_error *err);

/*
 * Whether nothing below a directory that file_root_resolve() has given leads out of the root:
 * Chrome follows links when it is given a whole directory.
 */
bool file_root_holds_all(const struct file_root *root, const char *directory, struct br_error *err);

/* open(2) of what file_root_resolve() has given: -1 with errno, ELOOP when a link came meanwhile.
 */
int file_root_open_path(const struct file_root *root, const char *resolved, int flags);

#endif
