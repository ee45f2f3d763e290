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

static char *read_open(int fd, const char *path, size_t max_size, size_t *ret_size,
                       struct br_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        error_set(err, BR_INVALID_ACTION, "%s is no file", path);
        return NULL;
    }
    if ((size_t)info.st_size > max_size) {
        error_set(err, BR_LIMIT_EXCEEDED, "%s is larger than %zu bytes", path, max_size);
        return NULL;
    }
    char *bytes = xmalloc((size_t)info.st_size + 1);
    ssize_t length = read_up_to(fd, bytes, (size_t)info.st_size);
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
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) {
        error_set_errno(err, BR_INVALID_ACTION, errno, "cannot read %s", path);
        return NULL;
    }
    char *bytes = read_open(fd, path, max_size, ret_size, err);
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
