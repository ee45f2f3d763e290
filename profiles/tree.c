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

enum {
    DEPTH_MAX = 200, /* a level holds one descriptor; no profile is nearly as deep */
    RETRY_MS = 10,
    LEAST_SPACE = 1024 * 1024, /* with less, Chrome runs and silently keeps nothing */
};

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

static int remove_entry(int parent_fd, const char *name, int depth);

/* As remove_entry, for everything in the directory. */
static int remove_entries(DIR *directory, int depth)
{
    int first_error = 0;
    struct dirent *entry = NULL;
    while ((entry = readdir(directory))) {
        int error_number = 0;
        if (!is_dot(entry->d_name)) {
            error_number = remove_entry(dirfd(directory), entry->d_name, depth);
        }
        if (!first_error) {
            first_error = error_number;
        }
    }
    return first_error;
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
    int first_error = remove_entries(directory, depth + 1);
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
            return error_set_errno(err, BR_UNKNOWN_ERROR, error_number, "cannot remove '%s'", path);
        }
        /* Nothing tells when the last writer is done. */
        poll(NULL, 0, RETRY_MS);
    }
    return true;
}

void tree_clear(const char *path)
{
    DIR *directory = open_directory(AT_FDCWD, path);
    if (directory) {
        remove_entries(directory, 1);
        closedir(directory);
    }
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
    return error_set_errno(err, BR_UNKNOWN_ERROR, error_number, "cannot create '%s'", path);
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

/* Returns 0, or the errno of what a file in the directory fails by. */
static int try_file(const char *directory)
{
    CLEANUP_FREE char *path = xasprintf("%s/.browser-runner-XXXXXX", directory);
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    unlink(path);
    int error_number = 0;
    do {
        error_number = posix_fallocate(fd, 0, LEAST_SPACE);
    } while (error_number == EINTR);
    close(fd);
    /* Some file systems cannot say. */
    return error_number == EOPNOTSUPP || error_number == EINVAL ? 0 : error_number;
}

bool tree_check_writable(const char *path, struct br_error *err)
{
    bool is_permitted = faccessat(AT_FDCWD, path, R_OK | W_OK | X_OK, AT_EACCESS) == 0;
    int error_number = is_permitted ? try_file(path) : errno;
    return error_number == 0 ||
           error_set_errno(err, BR_UNKNOWN_ERROR, error_number, "cannot write to '%s'", path);
}
