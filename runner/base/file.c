#include "runner/base/file.h"

#include "runner/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads until the end or until `size` bytes are there. -1 with errno. */
static ssize_t read_up_to(int fd, char *bytes, size_t size)
{
    size_t length = 0;
    while (length < size) {
        ssize_t count = read(fd, bytes + length, size - length);
        if (count == 0) {
            break;
        }
        if (count < 0 && errno != EINTR) {
            return -1;
        }
        length += count > 0 ? (size_t)count : 0;
    }
    return (ssize_t)length;
}

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode)    ? "a directory"
           : S_ISFIFO(mode) ? "a pipe"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

static int fail_to_open(const char *path, int failure, struct br_error *err)
{
    error_set_errno(err, BR_INVALID_ACTION, failure, "cannot read %s", path);
    if (failure == ENOENT || failure == ENOTDIR) {
        error_hint(err, "a relative path begins where browser-runner was started");
    } else if (failure == EACCES) {
        error_hint(err, "whoever runs browser-runner needs the right to read it");
    }
    return -1;
}

static int fail_for_kind(const char *path, mode_t mode, struct br_error *err)
{
    error_set(err, BR_INVALID_ACTION, "%s is no file: it is %s", path, kind_of(mode));
    error_hint(err, "name a regular file; what comes out of a pipe can be put into one first");
    return -1;
}

/* -1 with the error. What is no file is not even opened: that may wait, or do something. */
static int open_regular(const char *path, uint64_t max_size, struct stat *ret_info,
                        struct br_error *err)
{
    if (stat(path, ret_info) != 0) {
        return fail_to_open(path, errno, err);
    }
    if (!S_ISREG(ret_info->st_mode)) {
        return fail_for_kind(path, ret_info->st_mode, err);
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) {
        return fail_to_open(path, errno, err);
    }
    /* It may be another one by now. */
    if (fstat(fd, ret_info) != 0 || !S_ISREG(ret_info->st_mode)) {
        close(fd);
        return fail_for_kind(path, ret_info->st_mode, err);
    }
    if ((uint64_t)ret_info->st_size > max_size) {
        close(fd);
        error_set(err, BR_LIMIT_EXCEEDED, "%s has %lld bytes, more than %llu", path,
                  (long long)ret_info->st_size, (unsigned long long)max_size);
        return -1;
    }
    return fd;
}

bool file_check(const char *path, uint64_t max_size, struct br_error *err)
{
    struct stat info;
    int fd = open_regular(path, max_size, &info, err);
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0;
}

static char *read_open(int fd, const struct stat *info, const char *path, size_t *ret_size,
                       struct br_error *err)
{
    char *bytes = xmalloc((size_t)info->st_size + 1);
    ssize_t length = read_up_to(fd, bytes, (size_t)info->st_size);
    if (length < 0) {
        error_set_errno(err, BR_INVALID_ACTION, errno, "cannot read %s", path);
        free(bytes);
        return NULL;
    }
    bytes[length] = '\0';
    *ret_size = (size_t)length;
    return bytes;
}

char *file_read(const char *path, size_t max_size, size_t *ret_size, struct br_error *err)
{
    struct stat info;
    int fd = open_regular(path, max_size, &info, err);
    if (fd < 0) {
        return NULL;
    }
    char *bytes = read_open(fd, &info, path, ret_size, err);
    close(fd);
    return bytes;
}

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t count = write(fd, bytes, size);
        if (count < 0 && errno != EINTR) {
            return false;
        }
        bytes += count > 0 ? count : 0;
        size -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

bool file_write(const char *path, const void *bytes, size_t size, struct br_error *err)
{
    CLEANUP_FREE char *new_path = xasprintf("%s.XXXXXX", path);
    int fd = mkostemp(new_path, O_CLOEXEC);
    if (fd < 0) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write %s", path);
    }
    bool is_written = write_all(fd, bytes, size);
    int failure = errno;
    if (close(fd) != 0 && is_written) {
        is_written = false;
        failure = errno;
    }
    if (is_written && rename(new_path, path) != 0) {
        is_written = false;
        failure = errno;
    }
    if (!is_written) {
        unlink(new_path);
        return error_set_errno(err, BR_INVALID_ACTION, failure, "cannot write %s", path);
    }
    return true;
}
