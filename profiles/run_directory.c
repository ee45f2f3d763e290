#include "profiles/run_directory.h"

#include "profiles/orphan.h"
#include "profiles/tree.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/base/strbuf.h"

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

enum {
    ENDING_GRACE_MS = 1500, /* for browsers whose runner was killed just now: they write and end */
    REMOVE_GRACE_MS = 500,  /* for the files of the last processes of a killed one */
    NOTICE_MAX = 4096,
};

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
    int count = sscanf(name, PREFIX "%10u-%9d-%20" SCNu64 "-%n", &uid, &pid, &start_time, &end);
    if (count != 3 || end == 0 || strlen(name + end) != 6 || uid != geteuid() || pid <= 0) {
        return false;
    }
    *ret_pid = pid;
    *ret_start_time = start_time;
    return true;
}

/*
 * Opens and locks the directory if its process is gone; -1 if not. A process of another pid
 * namespace that shares the directory looks dead from here, but its flock does not.
 */
static int abandoned_open(int parent_fd, const char *name)
{
    pid_t pid = 0;
    uint64_t start_time = 0;
    struct stat info;
    if (!name_read(name, &pid, &start_time) ||
        (platform_process_is_alive(pid) && platform_process_start_time(pid) == start_time)) {
        return -1;
    }
    int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && (fstat(fd, &info) != 0 || info.st_uid != geteuid() ||
                    (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Best effort: what cannot be removed now stays for the next launch. */
static void sweep_one(const char *path, struct deadline grace, struct strbuf *notice)
{
    struct br_error ignored;
    pid_t killed = orphan_end(path, grace);
    if (killed) {
        strbuf_add_format(notice, "%sended process %d, a browser whose runner was gone",
                          notice->length > 0 ? "; " : "", (int)killed);
    }
    tree_remove(path, deadline_in_ms(killed ? REMOVE_GRACE_MS : 0), &ignored);
}

static void sweep(const char *base, struct deadline grace, struct strbuf *notice)
{
    DIR *directory = opendir(base);
    struct dirent *entry = NULL;
    while (directory && (entry = readdir(directory))) {
        /* Held to the end, so that another runner does not sweep here too. */
        int fd = abandoned_open(dirfd(directory), entry->d_name);
        if (fd >= 0) {
            CLEANUP_FREE char *path = xasprintf("%s/%s", base, entry->d_name);
            sweep_one(path, grace, notice);
            close(fd);
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

/* The user's TMPDIR without slashes at its end; NULL when there is none. Caller frees. */
static char *user_base(void)
{
    const char *variable = getenv("TMPDIR");
    if (!variable || variable[0] != '/') {
        return NULL;
    }
    char *base = xstrdup(variable);
    size_t length = strlen(base);
    while (length > 1 && base[length - 1] == '/') {
        base[--length] = '\0';
    }
    return base;
}

/*
 * Where the directory is to be, after all those places are swept that may have been taken before. A
 * temporary profile lives in memory where there is plenty: Chrome starts faster on it, and removing
 * it takes no time. Elsewhere, and where the user says so, on the disk. Caller frees.
 */
static char *choose_base(bool with_profile, struct strbuf *notice)
{
    struct deadline grace = deadline_in_ms(ENDING_GRACE_MS);
    CLEANUP_FREE char *base = user_base();
    CLEANUP_FREE char *wanted = base ? path_template(base) : NULL;
    if (wanted && is_short_enough(wanted)) {
        sweep(base, grace, notice);
        return TAKE(base);
    }
    const char *memory = platform_memory_directory();
    sweep("/tmp", grace, notice);
    if (memory) {
        sweep(memory, grace, notice);
    }
    bool is_roomy = memory && platform_shared_memory_free() >= ROOMY_MEMORY;
    return xstrdup(with_profile && is_roomy && !base ? memory : "/tmp");
}

/* Makes the directory; returns its path, or NULL with an error. */
static char *make(bool with_profile, struct strbuf *notice, struct br_error *err)
{
    CLEANUP_FREE char *base = choose_base(with_profile, notice);
    CLEANUP_FREE char *path = path_template(base);
    if (!mkdtemp(path)) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot make a directory in '%s'", base);
        error_hint(err, "set TMPDIR to a directory that exists and that you may write to");
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

static struct run_directory *create(bool with_profile, struct strbuf *notice, struct br_error *err)
{
    CLEANUP(cleanup_run_directory) struct run_directory *run = xcalloc(1, sizeof(*run));
    run->fd = -1;
    run->path = make(with_profile, notice, err);
    if (!run->path) {
        return NULL;
    }
    run->fd = open(run->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    /* A file system without flock is fine: the name alone tells then. */
    if (run->fd < 0 || (flock(run->fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot lock '%s'", run->path);
        return NULL;
    }
    run->tmp = xasprintf("%s/tmp", run->path);
    run->profile = with_profile ? xasprintf("%s/profile", run->path) : NULL;
    if (!tree_create(run->tmp, err) || (run->profile && !tree_create(run->profile, err))) {
        return NULL;
    }
    return TAKE(run);
}

struct run_directory *run_directory_create(bool with_profile, char **ret_notice,
                                           struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf notice = STRBUF_INIT(NOTICE_MAX);
    struct run_directory *run = create(with_profile, &notice, err);
    *ret_notice = notice.length > 0 ? strbuf_take(&notice) : NULL;
    return run;
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

bool run_directory_record(struct run_directory *run, pid_t browser, const char *profile,
                          struct br_error *err)
{
    return orphan_record(run->path, browser, profile, err);
}

void run_directory_clear_tmp(struct run_directory *run)
{
    tree_clear(run->tmp);
}

bool run_directory_remove(struct run_directory *run, struct deadline deadline, struct br_error *err)
{
    return tree_remove(run->path, deadline, err);
}
