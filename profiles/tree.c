#include "profiles/tree.h"

#include "runner/base/memory.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A level holds one descriptor; no profile is nearly as deep. */
enum { DEPTH_MAX = 200, RETRY_MS = 10 };

static DIR *open_directory(int parent_fd, const char *name)
{
    int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    DIR *directory = fdopendir(fd);
    if (!directory) {
        int error_number = errno;
        close(fd);
        errno = error_number;
    }
    return directory;
}

static bool is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Returns 0, or the errno of the first thing that stayed; the rest is removed all the same. */
static int remove_entry(int parent_fd, const char *name, int depth)
{
    if (unlinkat(parent_fd, name, 0) == 0 || errno == ENOENT) {
        return 0;
    }
    /* Linux says EISDIR for a directory, POSIX EPERM. */
    int unlink_error = errno;
    if (unlink_error != EISDIR && unlink_error != EPERM) {
        return unlink_error;
    }
    if (depth >= DEPTH_MAX) {
        return ENAMETOOLONG;
    }
    DIR *directory = open_directory(parent_fd, name);
    if (!directory) {
        /* ENOTDIR: a file that may not be unlinked; its own errno says more. */
        return errno == ENOENT ? 0 : errno == ENOTDIR ? unlink_error : errno;
    }
    int first_error = 0;
    struct dirent *entry = NULL;
    while ((entry = readdir(directory))) {
        int error_number = 0;
        if (!is_dot(entry->d_name)) {
            error_number = remove_entry(dirfd(directory), entry->d_name, depth + 1);
        }
        if (!first_error) {
            first_error = error_number;
        }
    }
    closedir(directory);
    if (unlinkat(parent_fd, name, AT_REMOVEDIR) == 0 || errno == ENOENT) {
        return 0;
    }
    return first_error ? first_error : errno;
}

bool tree_remove(const char *path, struct deadline deadline, struct br_error *err)
{
    int error_number = 0;
    while ((error_number = remove_entry(AT_FDCWD, path, 0)) != 0) {
        /* ENOTEMPTY: a process wrote into a directory that was just emptied. */
        if (error_number != ENOTEMPTY || deadline_passed(deadline)) {
            return error_set_errno(err, BR_UNKNOWN_ERROR, error_number, "Cannot remove '%s'", path);
        }
        /* Nothing tells when the last writer is done. */
        poll(NULL, 0, RETRY_MS);
    }
    return true;
}

static uint64_t entry_size(int parent_fd, const char *name, int depth)
{
    struct stat info;
    if (fstatat(parent_fd, name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
        return 0;
    }
    uint64_t size = (uint64_t)info.st_blocks * 512;
    DIR *directory = NULL;
    if (S_ISDIR(info.st_mode) && depth < DEPTH_MAX) {
        directory = open_directory(parent_fd, name);
    }
    if (!directory) {
        return size;
    }
    struct dirent *entry = NULL;
    while ((entry = readdir(directory))) {
        if (!is_dot(entry->d_name)) {
            size += entry_size(dirfd(directory), entry->d_name, depth + 1);
        }
    }
    closedir(directory);
    return size;
}

uint64_t tree_size(const char *path)
{
    return entry_size(AT_FDCWD, path, 0);
}

static bool make_directory(const char *path, struct br_error *err)
{
    struct stat info;
    if (mkdir(path, 0700) == 0) {
        return true;
    }
    int error_number = errno;
    /* A directory that exists can fail in other ways than EEXIST, such as EROFS. */
    if (stat(path, &info) == 0) {
        return S_ISDIR(info.st_mode) ||
               error_set(err, BR_UNKNOWN_ERROR, "'%s' is not a directory", path);
    }
    return error_set_errno(err, BR_UNKNOWN_ERROR, error_number, "Cannot create '%s'", path);
}

bool tree_create(const char *path, struct br_error *err)
{
    assert(path[0] == '/');
    CLEANUP_FREE char *part = xstrdup(path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!make_directory(part, err)) {
            return false;
        }
        *slash = '/';
    }
    return make_directory(part, err);
}
