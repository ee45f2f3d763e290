#include "profiles/lock.h"

#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIRECTORY_SWITCH "--user-data-dir="

/* Every Chrome locks this database when it starts, a headless shell too, until it has ended. */
#define DATABASE_LOCK "Default/Local Storage/leveldb/LOCK"

enum {
    CLAIM_GRACE_MS = 1000, /* for a runner that is just ending */
    RETRY_MS = 20,
};

/* What the arguments of a process say of its profile. */
enum mention {
    MENTION_THIS,    /* they name the directory */
    MENTION_ANOTHER, /* they name another one by an absolute path */
    MENTION_NONE,    /* they name none, or one relative to a directory that is not known here */
};

static bool is_same_directory(const char *a, const char *b)
{
    struct stat info_a;
    struct stat info_b;
    return strcmp(a, b) == 0 || (stat(a, &info_a) == 0 && stat(b, &info_b) == 0 &&
                                 info_a.st_dev == info_b.st_dev && info_a.st_ino == info_b.st_ino);
}

static enum mention mention_of(const char *directory, const char *arguments, size_t length)
{
    enum mention mention = MENTION_NONE;
    for (const char *at = arguments; at < arguments + length; at += strlen(at) + 1) {
        if (strncmp(at, DIRECTORY_SWITCH, strlen(DIRECTORY_SWITCH)) != 0) {
            continue;
        }
        const char *named = at + strlen(DIRECTORY_SWITCH);
        if (named[0] == '/' && is_same_directory(named, directory)) {
            return MENTION_THIS;
        }
        mention = named[0] == '/' ? MENTION_ANOTHER : MENTION_NONE;
    }
    return mention;
}

/* Chrome, Chromium, their headless shells, and what is built from them. */
static bool is_browser_name(const char *program)
{
    static const char *const words[] = { "chrom", "headless", "edge", "brave", "opera", "vivaldi" };
    const char *slash = strrchr(program, '/');
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strstr(slash ? slash + 1 : program, words[i])) {
            return true;
        }
    }
    return false;
}

/*
 * The lock outlives a killed Chrome, and its pid may belong to any process by now. So the living
 * process must name the directory; a browser that names none has it as its default, or names it
 * relative to a directory of its own. What cannot be looked into counts as a holder.
 */
static bool is_holder(pid_t pid, const char *directory)
{
    size_t length = 0;
    CLEANUP_FREE char *arguments = platform_process_arguments(pid, &length);
    if (!arguments) {
        return platform_process_is_alive(pid);
    }
    enum mention mention = mention_of(directory, arguments, length);
    return mention == MENTION_THIS ||
           (mention == MENTION_NONE && length > 0 && is_browser_name(arguments));
}

/*
 * A lock of the kernel's never outlives its process, and is seen from other containers and, where
 * their file system passes locks on, from other hosts.
 */
static bool is_database_held(const char *directory, pid_t *ret_pid)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    CLEANUP_FREE char *path = xasprintf("%s/" DATABASE_LOCK, directory);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    bool is_held = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    close(fd);
    *ret_pid = is_held && lock.l_pid > 0 ? lock.l_pid : 0;
    return is_held;
}

/* Whether a browser may be listening. It does not matter whether it still reads, and when. */
static bool is_socket_held(const char *directory)
{
    static const int nobody[] = { ENOENT, ENOTDIR, ELOOP, ECONNREFUSED, EPROTOTYPE };
    CLEANUP_FREE char *path = xasprintf("%s/SingletonSocket", directory);
    int fd = platform_socket_connect(path);
    if (fd >= 0) {
        close(fd);
        return true;
    }
    for (size_t i = 0; i < sizeof(nobody) / sizeof(nobody[0]); i++) {
        if (errno == nobody[i]) {
            return false;
        }
    }
    return true;
}

/* Splits "<host>-<pid>" at the last hyphen; leaves both empty when it is nothing of the kind. */
static void target_read(struct profile_lock *lock)
{
    const char *hyphen = strrchr(lock->target, '-');
    int pid = 0;
    int end = 0;
    if (!hyphen || sscanf(hyphen + 1, "%9d%n", &pid, &end) != 1 || hyphen[1 + end] || pid <= 0 ||
        (size_t)(hyphen - lock->target) >= sizeof(lock->host)) {
        return;
    }
    snprintf(lock->host, sizeof(lock->host), "%.*s", (int)(hyphen - lock->target), lock->target);
    lock->pid = pid;
}

/* Reads what there is at the path of a lock; nothing is fine. */
static bool link_read(const char *path, struct profile_lock *ret_lock, struct br_error *err)
{
    struct stat info;
    *ret_lock = (struct profile_lock){ .state = PROFILE_LOCK_NONE };
    if (lstat(path, &info) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return true;
        }
        ret_lock->state = PROFILE_LOCK_UNKNOWN;
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot read the lock '%s'", path);
    }
    if (S_ISDIR(info.st_mode)) {
        ret_lock->state = PROFILE_LOCK_UNKNOWN;
        error_set(err, BR_UNKNOWN_ERROR, "the lock '%s' is a directory", path);
        return error_hint(
            err, "remove it, or take another profile with ⟨profile⟩ DIR or ⟨temp-profile⟩");
    }
    /* A file that is no link is nobody's lock, but Chrome does not start as long as it is there. */
    ssize_t length = readlink(path, ret_lock->target, sizeof(ret_lock->target) - 1);
    ret_lock->target[length < 0 ? 0 : length] = '\0';
    ret_lock->state = PROFILE_LOCK_STALE;
    ret_lock->made_at = info.st_mtim;
    target_read(ret_lock);
    return true;
}

static bool is_of_this_host(const struct profile_lock *lock)
{
    char host[sizeof(lock->host)];
    return platform_host_name(host, sizeof(host)) && strcmp(host, lock->host) == 0;
}

bool profile_lock_inspect(const char *directory, struct profile_lock *ret_lock,
                          struct br_error *err)
{
    CLEANUP_FREE char *path = xasprintf("%s/SingletonLock", directory);
    if (!link_read(path, ret_lock, err)) {
        return false;
    }
    bool is_here = is_of_this_host(ret_lock);
    pid_t holder = 0;
    if (is_here && platform_process_is_alive(ret_lock->pid) &&
        is_holder(ret_lock->pid, directory)) {
        ret_lock->state = PROFILE_LOCK_HELD;
    } else if (is_database_held(directory, &holder)) {
        ret_lock->state = PROFILE_LOCK_HELD;
        ret_lock->pid = holder;
    } else if (ret_lock->pid > 0 && !is_here) {
        ret_lock->state = PROFILE_LOCK_OTHER_HOST;
    }
    return true;
}

static bool fail_held(const struct profile_lock *lock, const char *directory, struct br_error *err)
{
    if (lock->pid > 0) {
        error_set(err, BR_PROFILE_IN_USE, "the profile '%s' is in use by process %d", directory,
                  (int)lock->pid);
    } else {
        error_set(err, BR_PROFILE_IN_USE,
                  "the profile '%s' is in use by a browser of another container or host",
                  directory);
    }
    return error_hint(
        err, "end that browser, or take another profile with ⟨temp-profile⟩ or ⟨project⟩ NAME");
}

static bool fail_other_host(const struct profile_lock *lock, const char *directory,
                            struct br_error *err)
{
    error_set(err, BR_PROFILE_IN_USE, "the profile '%s' is locked by process %d of the host '%s'",
              directory, (int)lock->pid, lock->host);
    return error_hint(err,
                      "if you are sure that this browser is gone, as after a container's restart, "
                      "remove the lock with `browser-runner profile unlock`; else take another "
                      "profile with ⟨temp-profile⟩ or ⟨project⟩ NAME");
}

static char *notice_of(const struct profile_lock *lock, bool is_forced)
{
    if (lock->pid == 0) {
        return xstrdup("removed a lock that names no process");
    }
    if (lock->state == PROFILE_LOCK_OTHER_HOST) {
        return xasprintf("removed the lock of process %d of host '%s'%s", (int)lock->pid,
                         lock->host, is_forced ? "" : ": nothing answers on its socket");
    }
    return xasprintf("removed the lock of process %d, which %s", (int)lock->pid,
                     platform_process_is_alive(lock->pid) ? "is another program by now"
                                                          : "has ended");
}

/* Whoever made the link that was moved aside gets it back, unless there is a newer one. */
static void put_back(const char *aside, const struct profile_lock *moved, const char *path)
{
    if (moved->target[0] == '\0' || symlink(moved->target, path) == 0 || errno == EEXIST) {
        unlink(aside);
    } else {
        rename(aside, path);
    }
}

/*
 * A Chrome that finds a stale lock replaces it by its own, and so may do ours, between our look at
 * the lock and its removal. No call removes a name only as long as it leads to a certain file: so
 * the lock is moved to a name of our own, looked at again, and put back if it is another one.
 */
static bool remove_links(const char *directory, const struct profile_lock *lock,
                         bool *ret_is_removed, struct br_error *err)
{
    static const char *const others[] = { "SingletonSocket", "SingletonCookie" };
    struct br_error ignored;
    struct profile_lock moved;
    CLEANUP_FREE char *path = xasprintf("%s/SingletonLock", directory);
    CLEANUP_FREE char *aside = xasprintf("%s.%d", path, (int)getpid());
    *ret_is_removed = false;
    if (rename(path, aside) != 0) {
        return errno == ENOENT ||
               error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot remove the lock '%s'", path);
    }
    if (!link_read(aside, &moved, &ignored) || strcmp(moved.target, lock->target) != 0 ||
        moved.made_at.tv_sec != lock->made_at.tv_sec ||
        moved.made_at.tv_nsec != lock->made_at.tv_nsec) {
        put_back(aside, &moved, path);
        return true;
    }
    unlink(aside);
    *ret_is_removed = true;
    /* Best effort: a Chrome makes both anew when it has its lock. */
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        CLEANUP_FREE char *other = xasprintf("%s/%s", directory, others[i]);
        unlink(other);
    }
    return true;
}

static bool clear(const char *directory, bool is_forced, char **ret_notice, struct br_error *err)
{
    struct profile_lock lock;
    bool is_removed = false;
    *ret_notice = NULL;
    if (!profile_lock_inspect(directory, &lock, err)) {
        return false;
    }
    if (lock.state == PROFILE_LOCK_NONE) {
        return true;
    }
    if (lock.state == PROFILE_LOCK_HELD) {
        return fail_held(&lock, directory, err);
    }
    if (lock.state == PROFILE_LOCK_OTHER_HOST && !is_forced && is_socket_held(directory)) {
        return fail_other_host(&lock, directory, err);
    }
    if (!remove_links(directory, &lock, &is_removed, err)) {
        return false;
    }
    /* Where another one was quicker, that one says so, or its browser keeps ours from starting. */
    *ret_notice = is_removed ? notice_of(&lock, is_forced) : NULL;
    return true;
}

bool profile_lock_clear_stale(const char *directory, char **ret_notice, struct br_error *err)
{
    return clear(directory, false, ret_notice, err);
}

bool profile_lock_break(const char *directory, char **ret_notice, struct br_error *err)
{
    return clear(directory, true, ret_notice, err);
}

int profile_lock_claim(const char *directory, struct br_error *err)
{
    struct deadline grace = deadline_in_ms(CLAIM_GRACE_MS);
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot open the profile '%s'", directory);
        return -1;
    }
    while (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        if (deadline_passed(grace)) {
            close(fd);
            error_set(err, BR_PROFILE_IN_USE,
                      "the profile '%s' is in use by another browser-runner", directory);
            error_hint(err,
                       "end it, or take another profile with ⟨temp-profile⟩ or ⟨project⟩ NAME");
            return -1;
        }
        poll(NULL, 0, RETRY_MS);
    }
    return fd;
}

bool profile_is_named_by(const char *directory, pid_t pid)
{
    size_t length = 0;
    CLEANUP_FREE char *arguments = platform_process_arguments(pid, &length);
    return arguments && mention_of(directory, arguments, length) == MENTION_THIS;
}
