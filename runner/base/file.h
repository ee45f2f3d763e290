/* Whole files: read up to a limit, and written so that a reader never sees an incomplete one. */
#ifndef RUNNER_BASE_FILE_H
#define RUNNER_BASE_FILE_H

#include "runner/base/file_root.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Checks that the path is a regular file that can be read. INVALID_ACTION names the path and what
 * it is instead; LIMIT_EXCEEDED if it has more than max_size bytes. Never blocks, as opening a pipe
 * would. For this and the next two functions: with a root, a path outside it is POLICY_DENIED; a
 * NULL root allows any path.
 */
bool file_check_in(const struct file_root *root, const char *path, uint64_t max_size,
                   struct br_error *err);

/*
 * Returns the bytes of a file and a terminating NUL; caller frees. NULL with the errors of
 * file_check_in().
 */
char *file_read_in(const struct file_root *root, const char *path, size_t max_size,
                   size_t *ret_size, struct br_error *err);
char *file_read(const char *path, size_t max_size, size_t *ret_size, struct br_error *err);

/*
 * Replaces the file atomically; only the user can read it (mode 0600). INVALID_ACTION with the path
 * on failure.
 */
bool file_write_in(const struct file_root *root, const char *path, const void *bytes, size_t size,
                   struct br_error *err);
bool file_write(const char *path, const void *bytes, size_t size, struct br_error *err);

/*
 * Writes all bytes; *ret_written, if not NULL, receives how many were written. Returns false with
 * errno. file_write_and_close() also closes the descriptor in every case.
 */
bool file_write_all(int fd, const void *bytes, size_t size, size_t *ret_written);
bool file_write_and_close(int fd, const void *bytes, size_t size);

/*
 * Returns the file of the certificates that this machine trusts, for an OpenSSL that was built for
 * another distribution. NULL if the user names a file or a directory, which OpenSSL reads itself,
 * or if there is none. Static.
 */
const char *file_of_certificates(void);

#endif
