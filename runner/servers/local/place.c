#include "runner/servers/local/place.h"

#include "runner/base/memory.h"
#include "runner/base/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { MAX_LOG_BYTES = 1024 * 1024 };

/* Returns the variable's value if it is an absolute path, else NULL. */
static const char *absolute(const char *variable)
{
    const char *value = getenv(variable);
    return value && value[0] == '/' ? value : NULL;
}

static char *temporary_directory(void)
{
    const char *temporary = absolute("TMPDIR");
    return xasprintf("%s/browser-runner-%lu", temporary ? temporary : "/tmp",
                     (unsigned long)geteuid());
}

static bool is_own_directory(const struct stat *info)
{
    return S_ISDIR(info->st_mode) && info->st_uid == geteuid();
}

/*
 * Chooses the directories. The user's runtime directory may be created while a daemon already uses
 * the temporary one: in containers, after su and in cron jobs Chrome is the first to create it.
 */
static void choose_directories(struct local_place *place)
{
    const char *runtime = absolute("XDG_RUNTIME_DIR");
    struct stat info;
    char *temporary = temporary_directory();
    char *own = runtime ? xasprintf("%s/browser-runner", runtime) : NULL;
    bool has_runtime = runtime && stat(runtime, &info) == 0 && info.st_uid == geteuid();
    place->directory = has_runtime ? own : temporary;
    place->other = has_runtime ? temporary : own;
}

/* Refuses a directory of another user, who may have made one of that name in /tmp. */
static bool prepare_private(const char *directory, struct br_error *err)
{
    struct stat info;
    if (mkdir(directory, 0700) != 0 && errno != EEXIST) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot create %s", directory);
    }
    if (lstat(directory, &info) != 0) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot examine %s", directory);
    }
    if (is_own_directory(&info) && (info.st_mode & 077) == 0) {
        return true;
    }
    error_set(err, BR_UNKNOWN_ERROR, "%s is not a directory that only you own and may enter",
              directory);
    return error_hint(err, "remove it, or set XDG_RUNTIME_DIR to a directory of mode 0700");
}

static bool make_parents(const char *path, struct br_error *err)
{
    CLEANUP_FREE char *partial = xstrdup(path);
    for (char *slash = strchr(partial + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(partial, 0700) != 0 && errno != EEXIST) {
            return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot create %s", partial);
        }
        *slash = '/';
    }
    return true;
}

/* Without a home the log is in the daemon's own directory: in a shared one it could be a link. */
static char *log_path(const struct local_place *place)
{
    const char *state = absolute("XDG_STATE_HOME");
    const char *home = absolute("HOME");
    if (state) {
        return xasprintf("%s/browser-runner/daemon.log", state);
    }
    return home ? xasprintf("%s/.local/state/browser-runner/daemon.log", home)
                : xasprintf("%s/daemon.log", place->directory);
}

bool local_place_prepare(struct local_place *ret_place, struct br_error *err)
{
    struct sockaddr_un address;
    *ret_place = (struct local_place){ .directory = NULL };
    choose_directories(ret_place);
    ret_place->log = log_path(ret_place);
    ret_place->socket = xasprintf("%s/daemon.sock", ret_place->directory);
    ret_place->lock = xasprintf("%s/daemon.lock", ret_place->directory);
    if (strlen(ret_place->socket) >= sizeof(address.sun_path)) {
        error_set(err, BR_UNKNOWN_ERROR, "%s is too long for a socket's path", ret_place->socket);
        return error_hint(err, "set XDG_RUNTIME_DIR to a shorter path");
    }
    return prepare_private(ret_place->directory, err);
}

void local_place_finish(struct local_place *place)
{
    free(place->directory);
    free(place->other);
    free(place->socket);
    free(place->lock);
    free(place->log);
}

static int open_log(const char *path, struct br_error *err)
{
    struct stat info;
    if (!make_parents(path, err)) {
        return -1;
    }
    if (stat(path, &info) == 0 && info.st_size > MAX_LOG_BYTES) {
        CLEANUP_FREE char *older = xasprintf("%s.1", path);
        rename(path, older);
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write to %s", path);
    }
    return fd;
}

int local_place_open_log(struct local_place *place, struct br_error *err)
{
    struct br_error ignored;
    int fd = open_log(place->log, &ignored);
    if (fd < 0) { /* the home may be read-only */
        free(place->log);
        place->log = xasprintf("%s/daemon.log", place->directory);
        fd = open_log(place->log, err);
    }
    return fd;
}

static bool is_ours(int fd, struct br_error *err)
{
    struct ucred peer = { 0 };
    socklen_t size = sizeof(peer);
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno,
                               "cannot determine the owner of the daemon");
    }
    return peer.uid == geteuid() ||
           error_set(err, BR_UNKNOWN_ERROR, "the daemon belongs to another user (%lu)",
                     (unsigned long)peer.uid);
}

/* Returns the path of a file in the other directory if only we may enter it; else NULL. */
static char *file_of_other(const struct local_place *place, const char *name)
{
    struct stat info;
    bool is_private = place->other && lstat(place->other, &info) == 0 && is_own_directory(&info) &&
                      (info.st_mode & 077) == 0;
    return is_private ? xasprintf("%s/%s", place->other, name) : NULL;
}

int local_place_connect(const struct local_place *place, struct br_error *err)
{
    int fd = platform_socket_connect(place->socket);
    CLEANUP_FREE char *other = fd < 0 ? file_of_other(place, "daemon.sock") : NULL;
    if (other) {
        fd = platform_socket_connect(other);
    }
    *err = (struct br_error){ 0 };
    if (fd >= 0 && !is_ours(fd, err)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Whether a daemon that uses the other directory lives. */
static bool is_other_held(const struct local_place *place)
{
    CLEANUP_FREE char *path = file_of_other(place, "daemon.lock");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    bool is_held = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (fd >= 0) {
        close(fd);
    }
    return is_held;
}

int local_place_lock(const struct local_place *place, bool *ret_is_held, struct br_error *err)
{
    int fd = open(place->lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    *ret_is_held = false;
    if (fd < 0) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot open %s", place->lock);
        return -1;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        *ret_is_held = is_other_held(place);
        if (*ret_is_held) {
            close(fd);
            return -1;
        }
        /* The lock is valid without the number, too. */
        bool is_told = ftruncate(fd, 0) == 0 && dprintf(fd, "%ld\n", (long)getpid()) > 0;
        (void)is_told;
        return fd;
    }
    *ret_is_held = errno == EWOULDBLOCK;
    error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot lock %s", place->lock);
    close(fd);
    return -1;
}

static long holder_of(const char *lock)
{
    char text[24] = "";
    int fd = open(lock, O_RDONLY | O_CLOEXEC);
    bool is_held = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ssize_t count = is_held ? read(fd, text, sizeof(text) - 1) : 0;
    if (fd >= 0) {
        close(fd);
    }
    return count > 0 ? strtol(text, NULL, 10) : 0;
}

long local_place_lock_holder(const struct local_place *place)
{
    CLEANUP_FREE char *other = file_of_other(place, "daemon.lock");
    long holder = holder_of(place->lock);
    return holder > 0 || !other ? holder : holder_of(other);
}

char *local_version(void)
{
    char build[2 * 6 + 1];
    return platform_build_id(build, sizeof(build))
               ? xasprintf("%s+%s", BROWSER_RUNNER_VERSION, build)
               : xstrdup(BROWSER_RUNNER_VERSION);
}
