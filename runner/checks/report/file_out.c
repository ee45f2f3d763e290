#include "runner/checks/report/file_out.h"

#include "runner/base/file.h"
#include "runner/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Includes the trailing slash. Caller frees. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? xstrndup(path, (size_t)(slash - path) + 1) : xstrdup("./");
}

bool report_folder_make(const char *path, struct br_error *err)
{
    CLEANUP_FREE char *part = xstrdup(path);
    struct stat info;
    for (char *slash = part; slash;) {
        slash = strchr(slash + 1, '/');
        if (slash) {
            *slash = '\0';
        }
        /* Some file systems answer EROFS or EACCES for a folder that exists. */
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            int failure = errno;
            if (stat(part, &info) != 0) {
                return error_set_errno(err, BR_INVALID_ACTION, failure,
                                       "cannot create the folder %s", part);
            }
        }
        if (slash) {
            *slash = '/';
        }
    }
    return (stat(part, &info) == 0 && S_ISDIR(info.st_mode)) ||
           error_set(err, BR_INVALID_ACTION, "%s is no folder", path);
}

/* Tests whether a file can be created there, as report_file_write() will do. */
static bool try_folder(const char *folder, struct br_error *err)
{
    CLEANUP_FREE char *path = xasprintf("%s.try-XXXXXX", folder);
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write into %s", folder);
    }
    close(fd);
    unlink(path);
    return true;
}

bool report_file_prepare(const char *path, const char *option, struct br_error *err)
{
    CLEANUP_FREE char *folder = folder_of(path);
    struct stat info;
    bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    if (is_folder) {
        error_set(err, BR_INVALID_ACTION, "%s cannot be written: it is a folder", path);
    }
    return (!is_folder && report_folder_make(folder, err) && try_folder(folder, err)) ||
           error_hint(err, "name another place with %s", option);
}

bool report_file_write(const char *path, const void *bytes, size_t size, struct br_error *err)
{
    CLEANUP_FREE char *directory = folder_of(path);
    struct stat info;
    if (!file_write(path, bytes, size, err)) {
        return false;
    }
    if (stat(directory, &info) != 0 || chmod(path, info.st_mode & 0666) != 0) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot set the mode of %s", path);
    }
    return true;
}
