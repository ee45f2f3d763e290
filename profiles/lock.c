#include "profiles/lock.h"

#include "runner/base/memory.h"
#include "runner/base/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIRECTORY_SWITCH "--user-data-dir="

static bool is_same_directory(const char *a, const char *b)
{
    struct stat info_a;
    struct stat info_b;
    return stat(a, &info_a) == 0 && stat(b, &info_b) == 0 && info_a.st_dev == info_b.st_dev &&
           info_a.st_ino == info_b.st_ino;
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
    bool has_other_directory = false;
    for (const char *at = arguments; at < arguments + length; at += strlen(at) + 1) {
        if (strncmp(at, DIRECTORY_SWITCH, strlen(DIRECTORY_SWITCH)) != 0) {
            continue;
        }
        const char *named = at + strlen(DIRECTORY_SWITCH);
        if (named[0] == '/' && is_same_directory(named, directory)) {
            return true;
        }
        has_other_directory = named[0] == '/';
    }
    return length > 0 && is_browser_name(arguments) && !has_other_directory;
}

/* Splits "<host>-<pid>" at its last hyphen; false when it is nothing of the kind. */
static bool target_read(const char *target, struct profile_lock *lock)
{
    const char *hyphen = strrchr(target, '-');
    int pid = 0;
    int end = 0;
    if (!hyphen || sscanf(hyphen + 1, "%9d%n", &pid, &end) != 1 || hyphen[1 + end] || pid <= 0) {
        return false;
    }
    snprintf(lock->host, sizeof(lock->host), "%.*s", (int)(hyphen - target), target);
    lock->pid = pid;
    return true;
}

static enum profile_lock_state lock_state(const struct profile_lock *lock, const char *directory)
{
    char host[sizeof(lock->host)];
    if (lock->pid == 0) {
        return PROFILE_LOCK_STALE;
    }
    if (!platform_host_name(host, sizeof(host)) || strcmp(host, lock->host) != 0) {
        return PROFILE_LOCK_OTHER_HOST;
    }
    bool is_held = platform_process_is_alive(lock->pid) && is_holder(lock->pid, directory);
    return is_held ? PROFILE_LOCK_HELD : PROFILE_LOCK_STALE;
}

bool profile_lock_inspect(const char *directory, struct profile_lock *ret_lock,
                          struct br_error *err)
{
    *ret_lock = (struct profile_lock){ .state = PROFILE_LOCK_NONE };
    CLEANUP_FREE char *path = xasprintf("%s/SingletonLock", directory);
    ssize_t length = readlink(path, ret_lock->target, sizeof(ret_lock->target) - 1);
    if (length < 0 && (errno == ENOENT || errno == ENOTDIR)) {
        return true;
    }
    /* EINVAL: a file that is no link. Chrome takes it for a lock of nobody and removes it. */
    if (length < 0 && errno != EINVAL) {
        ret_lock->state = PROFILE_LOCK_UNKNOWN;
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "Cannot read the lock '%s'", path);
    }
    ret_lock->target[length < 0 ? 0 : length] = '\0';
    target_read(ret_lock->target, ret_lock);
    ret_lock->state = lock_state(ret_lock, directory);
    return true;
}

/*
 * Two of us that find the same stale lock take turns by an flock on the directory: the second one
 * must not remove the lock that the first one's Chrome has made meanwhile.
 */
static int turn_take(const char *directory)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        flock(fd, LOCK_EX);
    }
    return fd;
}

static bool remove_links(const char *directory, struct br_error *err)
{
    /* The lock goes last: as long as it is there, another Chrome starts the same removal. */
    static const char *const names[] = { "SingletonSocket", "SingletonCookie", "SingletonLock" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        CLEANUP_FREE char *path = xasprintf("%s/%s", directory, names[i]);
        if (unlink(path) != 0 && errno != ENOENT) {
            return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "Cannot remove the lock '%s'",
                                   path);
        }
    }
    return true;
}

static bool fail_held(const struct profile_lock *lock, const char *directory, struct br_error *err)
{
    error_set(err, BR_PROFILE_IN_USE, "The profile '%s' is in use by process %d", directory,
              (int)lock->pid);
    return error_hint(err, "End that browser, or take another profile with --temp-profile or "
                           "--project NAME.");
}

static bool fail_other_host(const struct profile_lock *lock, const char *directory,
                            struct br_error *err)
{
    error_set(err, BR_PROFILE_IN_USE, "The profile '%s' is locked by process %d of the host '%s'",
              directory, (int)lock->pid, lock->host);
    return error_hint(err,
                      "If you are sure that this browser is gone, as after a container's restart, "
                      "remove the lock with `browser-runner profile unlock`; else take another "
                      "profile with --temp-profile or --project NAME.");
}

static bool clear(const char *directory, bool with_other_hosts, struct br_error *err)
{
    struct profile_lock lock;
    if (!profile_lock_inspect(directory, &lock, err)) {
        return false;
    }
    switch (lock.state) {
    case PROFILE_LOCK_NONE:
    case PROFILE_LOCK_UNKNOWN:
        return true;
    case PROFILE_LOCK_HELD:
        return fail_held(&lock, directory, err);
    case PROFILE_LOCK_OTHER_HOST:
        return with_other_hosts ? remove_links(directory, err)
                                : fail_other_host(&lock, directory, err);
    case PROFILE_LOCK_STALE:
        return remove_links(directory, err);
    }
    return true;
}

static bool clear_in_turn(const char *directory, bool with_other_hosts, struct br_error *err)
{
    int fd = turn_take(directory);
    bool is_done = clear(directory, with_other_hosts, err);
    if (fd >= 0) {
        close(fd);
    }
    return is_done;
}

bool profile_lock_clear_stale(const char *directory, struct br_error *err)
{
    return clear_in_turn(directory, false, err);
}

bool profile_lock_break(const char *directory, struct br_error *err)
{
    return clear_in_turn(directory, true, err);
}
