#include "runner/base/file.h"

#include "runner/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_NAMES = 100 /* number of names that are tried for a new file */ };

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
        error_hint(err,
                   "relative paths start at the directory in which browser-runner was started");
    } else if (failure == EACCES) {
        error_hint(err, "the user who runs browser-runner needs permission to read it");
    }
    return -1;
}

static int fail_for_kind(const char *path, mode_t mode, struct br_error *err)
{
    error_set(err, BR_INVALID_ACTION, "%s is not a file: it is %s", path, kind_of(mode));
    error_hint(err, "name a regular file; write the output of a pipe to one first");
    return -1;
}

static int open_in(const struct file_root *root, const char *path, int flags)
{
    return root ? file_root_open_path(root, path, flags) : open(path, flags);
}

/*
 * Returns -1 with the error. Anything but a regular file is not even opened, because opening may
 * block or have an effect.
 */
static int open_regular(const struct file_root *root, const char *given, uint64_t max_size,
                        struct stat *ret_info, struct br_error *err)
{
    CLEANUP_FREE char *resolved = root ? file_root_resolve(root, given, err) : NULL;
    const char *path = root ? resolved : given;
    if (!path) {
        return -1;
    }
    if (stat(path, ret_info) != 0) {
        return fail_to_open(path, errno, err);
    }
    if (!S_ISREG(ret_info->st_mode)) {
        return fail_for_kind(path, ret_info->st_mode, err);
    }
    int fd = open_in(root, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) {
        return fail_to_open(path, errno, err);
    }
    /* The path may lead to another file by now. */
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

bool file_check_in(const struct file_root *root, const char *path, uint64_t max_size,
                   struct br_error *err)
{
    struct stat info;
    int fd = open_regular(root, path, max_size, &info, err);
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

char *file_read_in(const struct file_root *root, const char *path, size_t max_size,
                   size_t *ret_size, struct br_error *err)
{
    struct stat info;
    int fd = open_regular(root, path, max_size, &info, err);
    if (fd < 0) {
        return NULL;
    }
    char *bytes = read_open(fd, &info, path, ret_size, err);
    close(fd);
    return bytes;
}

bool file_write_all(int fd, const void *bytes, size_t size, size_t *ret_written)
{
    size_t written = 0;
    ssize_t count = 0;
    while (written < size && (count >= 0 || errno == EINTR)) {
        count = write(fd, (const char *)bytes + written, size - written);
        written += count > 0 ? (size_t)count : 0;
    }
    if (ret_written) {
        *ret_written = written;
    }
    return written == size;
}

bool file_write_and_close(int fd, const void *bytes, size_t size)
{
    bool is_written = file_write_all(fd, bytes, size, NULL);
    int failure = errno;
    if (close(fd) != 0 && is_written) {
        return false;
    }
    errno = failure;
    return is_written;
}

char *file_read(const char *path, size_t max_size, size_t *ret_size, struct br_error *err)
{
    return file_read_in(NULL, path, max_size, ret_size, err);
}

/*
 * Creates a temporary file beside the one that it will replace. -1 with errno; caller frees
 * *ret_name.
 */
static int open_new(int directory_fd, const char *name, char **ret_name)
{
    for (int i = 0; i < MAX_NAMES; i++) {
        unsigned number = 0;
        if (getentropy(&number, sizeof(number)) != 0) {
            return -1;
        }
        char *new_name = xasprintf("%s.%08x", name, number);
        int fd = openat(directory_fd, new_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0) {
            *ret_name = new_name;
            return fd;
        }
        free(new_name);
        if (errno != EEXIST) {
            break;
        }
    }
    return -1;
}

/* False with errno. */
static bool write_at(int directory_fd, const char *name, const void *bytes, size_t size)
{
    CLEANUP_FREE char *new_name = NULL;
    int fd = open_new(directory_fd, name, &new_name);
    if (fd < 0) {
        return false;
    }
    if (file_write_and_close(fd, bytes, size) &&
        renameat(directory_fd, new_name, directory_fd, name) == 0) {
        return true;
    }
    int failure = errno;
    unlinkat(directory_fd, new_name, 0);
    errno = failure;
    return false;
}

static bool write_in_root(const struct file_root *root, const char *path, const void *bytes,
                          size_t size, struct br_error *err)
{
    CLEANUP_FREE char *resolved = file_root_resolve(root, path, err);
    if (!resolved) {
        return false;
    }
    const char *slash = strrchr(resolved, '/');
    CLEANUP_FREE char *parent =
        xstrndup(resolved, slash == resolved ? 1 : (size_t)(slash - resolved));
    int directory_fd = file_root_open_path(root, parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_written = directory_fd >= 0 && write_at(directory_fd, slash + 1, bytes, size);
    int failure = errno;
    if (directory_fd >= 0) {
        close(directory_fd);
    }
    return is_written || error_set_errno(err, BR_INVALID_ACTION, failure, "cannot write %s", path);
}

bool file_write_in(const struct file_root *root, const char *path, const void *bytes, size_t size,
                   struct br_error *err)
{
    if (root) {
        return write_in_root(root, path, bytes, size, err);
    }
    return write_at(AT_FDCWD, path, bytes, size) ||
           error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write %s", path);
}

bool file_write(const char *path, const void *bytes, size_t size, struct br_error *err)
{
    return file_write_in(NULL, path, bytes, size, err);
}

const char *file_of_certificates(void)
{
    /* Debian, Ubuntu and Alpine; Fedora; openSUSE; Alpine without the package. */
    static const char *const files[] = { "/etc/ssl/certs/ca-certificates.crt",
                                         "/etc/pki/tls/certs/ca-bundle.crt",
                                         "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem" };
    bool is_named = getenv("SSL_CERT_FILE") || getenv("SSL_CERT_DIR");
    for (size_t i = 0; !is_named && i < sizeof(files) / sizeof(files[0]); i++) {
        if (access(files[i], R_OK) == 0) {
            return files[i];
        }
    }
    return NULL;
}
