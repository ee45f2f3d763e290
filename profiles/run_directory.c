#include "profiles/run_directory.h"

#include "profiles/tree.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define PREFIX "browser-runner-"

/* What Chrome puts behind its TMPDIR for the socket of its singleton. */
#define CHROME_SOCKET "/org.chromium.Chromium.XXXXXX/SingletonSocket"

/* What has to be free of the memory that Chrome shares, for a profile to be put there, too. */
#define ROOMY_MEMORY ((int64_t)1024 * 1024 * 1024)

struct run_directory {
    char *path;
    char *tmp;
    char *profile; /* NULL for a persistent profile */
    int fd;        /* of path, with an flock that ends with our process */
};

/*
 * Reads "browser-runner-<uid>-<pid>-<start time>-XXXXXX"; false for any other name and for those of
 * other users.
 */
static bool name_read(const char *name, pid_t *ret_pid, uint64_t *ret_start_time)
{
    unsigned int uid = 0;
    int pid = 0;
    uint64_t start_time = 0;
    int end = 0;
    int count = sscanf(name, PREFIX "%10u-%10d-%20" SCNu64 "-%n", &uid, &pid, &start_time, &end);
    if (count != 3 || end == 0 || strlen(name + end) != 6 || uid != geteuid() || pid <= 0) {
        return false;
    }
    *ret_pid = pid;
    *ret_start_time = start_time;
    return true;
}

/*
 * A process of another pid namespace that shares the directory looks dead from here, but its flock
 * does not.
 */
static bool is_abandoned(int parent_fd, const char *name)
{
    pid_t pid = 0;
    uint64_t start_time = 0;
    struct stat info;
    if (!name_read(name, &pid, &start_time) ||
        (platform_process_is_alive(pid) && platform_process_start_time(pid) == start_time)) {
        return false;
    }
    int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    bool is_ours = fstat(fd, &info) == 0 && info.st_uid == geteuid();
    bool is_free = flock(fd, LOCK_EX | LOCK_NB) == 0;
    close(fd);
    return is_ours && is_free;
}

/* Best effort: what cannot be removed now stays for the next launch. */
static void sweep(const char *base)
{
    DIR *directory = opendir(base);
    struct dirent *entry = NULL;
    while (directory && (entry = readdir(directory))) {
        if (is_abandoned(dirfd(directory), entry->d_name)) {
            struct br_error ignored;
            CLEANUP_FREE char *path = xasprintf("%s/%s", base, entry->d_name);
            tree_remove(path, deadline_in_ms(0), &ignored);
        }
    }
    if (directory) {
        closedir(directory);
    }
}

static bool is_short_enough(const char *path)
{
    struct sockaddr_un address;
    return strlen(path) + strlen("/tmp" CHROME_SOCKET) < sizeof(address.sun_path);
}

/* The template for mkdtemp. Caller frees. */
static char *path_template(const char *base)
{
    return xasprintf("%s/" PREFIX "%u-%d-%" PRIu64 "-XXXXXX", base, (unsigned int)geteuid(),
                     (int)getpid(), platform_process_start_time(getpid()));
}

/*
 * A temporary profile lives in memory where there is plenty: Chrome starts faster on it, and
 * removing it takes no time. Elsewhere, and where the user says so, on the disk.
 */
static const char *default_base(bool with_profile)
{
    const char *memory = platform_memory_directory();
    if (memory) {
        sweep(memory);
    }
    bool is_roomy = platform_shared_memory_free() >= ROOMY_MEMORY;
    return with_profile && memory && is_roomy ? memory : "/tmp";
}

static char *usual_base(bool with_profile)
{
    const char *variable = getenv("TMPDIR");
    bool is_given = variable && variable[0] == '/';
    char *base = xstrdup(is_given ? variable : default_base(with_profile));
    size_t length = strlen(base);
    while (length > 1 && base[length - 1] == '/') {
        base[--length] = '\0';
    }
    return base;
}

/* Makes the directory in base; returns its path, or NULL with an error. */
static char *make_in(const char *base, struct br_error *err)
{
    CLEANUP_FREE char *path = path_template(base);
    if (!is_short_enough(path)) {
        error_set(err, BR_UNKNOWN_ERROR, "'%s' is too long for the socket of the browser", path);
        return NULL;
    }
    sweep(base);
    if (!mkdtemp(path)) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "Cannot make a directory in '%s'", base);
        error_hint(err, "Set TMPDIR to a directory that exists and that you may write to.");
        return NULL;
    }
    return TAKE(path);
}

void run_directory_destroy(struct run_directory *run)
{
    if (!run) {
        return;
    }
    if (run->fd >= 0) {
        close(run->fd);
    }
    free(run->path);
    free(run->tmp);
    free(run->profile);
    free(run);
}

DEFINE_CLEANUP(struct run_directory *, cleanup_run_directory, run_directory_destroy)

struct run_directory *run_directory_create(bool with_profile, struct br_error *err)
{
    CLEANUP(cleanup_run_directory) struct run_directory *run = xcalloc(1, sizeof(*run));
    run->fd = -1;
    CLEANUP_FREE char *base = usual_base(with_profile);
    CLEANUP_FREE char *wanted = path_template(base);
    run->path = make_in(is_short_enough(wanted) ? base : "/tmp", err);
    if (!run->path) {
        return NULL;
    }
    run->fd = open(run->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    /* A file system without flock is fine: the name alone tells then. */
    if (run->fd < 0 || (flock(run->fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "Cannot lock '%s'", run->path);
        return NULL;
    }
    run->tmp = xasprintf("%s/tmp", run->path);
    run->profile = with_profile ? xasprintf("%s/profile", run->path) : NULL;
    if (!tree_create(run->tmp, err) || (run->profile && !tree_create(run->profile, err))) {
        return NULL;
    }
    return TAKE(run);
}

const char *run_directory_path(const struct run_directory *run)
{
    return run->path;
}

const char *run_directory_tmp(const struct run_directory *run)
{
    return run->tmp;
}

const char *run_directory_profile(const struct run_directory *run)
{
    return run->profile;
}

bool run_directory_remove(struct run_directory *run, struct deadline deadline, struct br_error *err)
{
    return tree_remove(run->path, deadline, err);
}
