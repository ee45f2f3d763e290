#include "runner/checks/report/file_out.h"

#include "runner/base/file.h"
#include "runner/base/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bool report_file_write(const char *path, const void *bytes, size_t size, struct br_error *err)
{
    const char *slash = strrchr(path, '/');
    CLEANUP_FREE char *directory =
        slash ? xstrndup(path, (size_t)(slash - path) + 1) : xstrdup(".");
    struct stat info;
    if (!file_write(path, bytes, size, err)) {
        return false;
    }
    if (stat(directory, &info) != 0 || chmod(path, info.st_mode & 0666) != 0) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot set the mode of %s", path);
    }
    return true;
}
