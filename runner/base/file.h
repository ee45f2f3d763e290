/* Whole files: read up to a limit, and written so that nobody ever sees half of one. */
#ifndef RUNNER_BASE_FILE_H
#define RUNNER_BASE_FILE_H

#include "runner/base/file_root.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Whether the path is a regular file that can be read: if not, INVALID_ACTION with the path and
 * what else it is, and LIMIT_EXCEEDED when it has more than max_size bytes. Never waits, as opening
 * a pipe would. Of this and of the two others: in a root, POLICY_DENIED outside of it; NULL: it may
 * be anywhere.
 */
bool file_check_in(const struct file_root *root, const char *path, uint64_t max_size,
                   struct br_error *err);

/* The bytes of a file and a 0 behind them; caller frees. NULL with the errors of file_check_in().
 */
char *file_read_in(const struct file_root *root, const char *path, size_t max_size,
                   size_t *ret_size, struct br_error *err);
char *file_read(const char *path, size_t max_size, size_t *ret_size, struct br_error *err);

/*
 * Puts the bytes in the place of what is at the path, at once and for the user alone (mode 0600).
 * INVALID_ACTION with the path when that cannot be.
 */
bool file_write_in(const struct file_root *root, const char *path, const void *bytes, size_t size,
                   struct br_error *err);
bool file_write(const char *path, const void *bytes, size_t size, struct br_error *err);

/*
 * Writes all bytes; *ret_written, unless it is NULL, says how many of them are out. False with
 * errno. The second closes the descriptor as well, whatever happens.
 */
bool file_write_all(int fd, const void *bytes, size_t size, size_t *ret_written);
bool file_write_and_close(int fd, const void *bytes, size_t size);

#endif
