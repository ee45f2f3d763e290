#include "runner/base/file_root.h"

#include "runner/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ENTRIES = 100000, MAX_DEPTH = 64 };

struct file_root {
    int fd;     /* -1: contains no files */
    char *path; /* absolute, without symbolic links; "" for "/" */
};

struct file_root *file_root_nothing(void)
{
    struct file_root *root = xcalloc(1, sizeof(*root));
    root->fd = -1;
    return root;
}

struct file_root *file_root_open(const char *directory, struct br_error *err)
{
    char *path = realpath(directory, NULL);
    int fd = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd < 0) {
        error_set_errno(err, BR_INVALID_ACTION, errno, "cannot open the directory %s", directory);
        free(path);
        return NULL;
    }
    if (strcmp(path, "/") == 0) {
        *path = '\0';
    }
    struct file_root *root = file_root_nothing();
    root->fd = fd;
    root->path = path;
    return root;
}

void file_root_close(struct file_root *root)
{
    if (root) {
        if (root->fd >= 0) {
            close(root->fd);
        }
        free(root->path);
        free(root);
    }
}

/* Returns the part of the path after the root's path and a slash; NULL if it is outside. */
static const char *below(const struct file_root *root, const char *resolved)
{
    size_t length = root->path ? strlen(root->path) : 0;
    bool is_below = root->path && strncmp(resolved, root->path, length) == 0 &&
                    (resolved[length] == '/' || resolved[length] == '\0');
    if (!is_below) {
        return NULL;
    }
    return resolved[length] == '/' ? resolved + length + 1 : resolved + length;
}

/*
 * Resolves a path that does not exist yet: its directory, and its name. NULL if the directory does
 * not exist either.
 */
static char *resolve_new(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    CLEANUP_FREE char *parent = slash ? xstrndup(path, (size_t)(slash - path) + 1) : xstrdup(".");
    bool is_name = *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
    CLEANUP_FREE char *directory = is_name ? realpath(parent, NULL) : NULL;
    if (!directory) {
        return NULL;
    }
    return xasprintf("%s/%s", strcmp(directory, "/") == 0 ? "" : directory, name);
}

static bool is_link(const char *path)
{
    char target[1];
    return readlink(path, target, sizeof(target)) >= 0;
}

char *file_root_resolve(const struct file_root *root, const char *path, struct br_error *err)
{
    char *resolved = realpath(path, NULL);
    if (!resolved && errno == ENOENT && !is_link(path)) {
        resolved = resolve_new(path);
    }
    if (resolved && below(root, resolved)) {
        return resolved;
    }
    free(resolved);
    /* The answer must not reveal what exists outside the root. */
    if (root->fd < 0) {
        error_set(err, BR_POLICY_DENIED, "%s is refused by ⟨files⟩ none", path);
    } else {
        error_set(err, BR_POLICY_DENIED, "%s is refused by ⟨files⟩ %s: it is not below that", path,
                  *root->path ? root->path : "/");
    }
    error_hint(err,
               "⟨files⟩ DIR, set when the session is opened, names the directory that may be used");
    return NULL;
}

static bool holds_all(const struct file_root *root, const char *directory, int depth, int *left,
                      struct br_error *err)
{
    DIR *entries = opendir(directory);
    bool is_fine = entries && depth < MAX_DEPTH;
    if (!is_fine) {
        error_set(err, BR_POLICY_DENIED, "%s cannot be searched, which ⟨files⟩ requires",
                  directory);
    }
    for (struct dirent *entry; is_fine && (entry = readdir(entries));) {
        CLEANUP_FREE char *path = xasprintf("%s/%s", directory, entry->d_name);
        bool is_self = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        if (is_self) {
            continue;
        }
        if (--*left < 0) {
            is_fine = error_set(err, BR_LIMIT_EXCEEDED, "%s contains more than %d files", directory,
                                MAX_ENTRIES);
        } else if (entry->d_type == DT_DIR) {
            is_fine = holds_all(root, path, depth + 1, left, err);
        } else if (entry->d_type != DT_REG) {
            CLEANUP_FREE char *resolved = file_root_resolve(root, path, err);
            is_fine = resolved;
        }
    }
    if (entries) {
        closedir(entries);
    }
    return is_fine;
}

bool file_root_holds_all(const struct file_root *root, const char *directory, struct br_error *err)
{
    int left = MAX_ENTRIES;
    return holds_all(root, directory, 0, &left, err);
}

int file_root_open_path(const struct file_root *root, const char *resolved, int flags)
{
    const char *rest = below(root, resolved);
    if (root->fd < 0 || !rest) {
        errno = EACCES;
        return -1;
    }
    int fd = fcntl(root->fd, F_DUPFD_CLOEXEC, 0);
    while (fd >= 0 && *rest) {
        size_t length = strcspn(rest, "/");
        CLEANUP_FREE char *name = xstrndup(rest, length);
        bool is_last = rest[length] == '\0';
        int next =
            openat(fd, name, O_NOFOLLOW | O_CLOEXEC | (is_last ? flags : O_RDONLY | O_DIRECTORY));
        int failure = errno;
        close(fd);
        errno = failure;
        fd = next;
        rest += length + (is_last ? 0 : 1);
    }
    return fd;
}
