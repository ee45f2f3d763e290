#include "runner/servers/local/place.h"

#include "runner/base/memory.h"

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

static char *runtime_directory(void)
{
    const char *runtime = absolute("XDG_RUNTIME_DIR");
    const char *temporary = absolute("TMPDIR");
    struct stat info;
    if (runtime && stat(runtime, &info) == 0 && info.st_uid == geteuid()) {
        return xasprintf("%s/browser-runner", runtime);
    }
    return xasprintf("%s/browser-runner-%lu", temporary ? temporary : "/tmp",
                     (unsigned long)geteuid());
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
    if (S_ISDIR(info.st_mode) && info.st_uid == geteuid() && (info.st_mode & 077) == 0) {
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

static char *log_path(void)
{
    const char *state = absolute("XDG_STATE_HOME");
    const char *home = absolute("HOME");
    if (state) {
        return xasprintf("%s/browser-runner/daemon.log", state);
    }
    return xasprintf("%s/.local/state/browser-runner/daemon.log", home ? home : "/tmp");
}

bool local_place_prepare(struct local_place *ret_place, struct br_error *err)
{
    struct sockaddr_un address;
    *ret_place = (struct local_place){ .directory = runtime_directory(), .log = log_path() };
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
    free(place->socket);
    free(place->lock);
    free(place->log);
}

int local_place_open_log(const struct local_place *place, struct br_error *err)
{
    struct stat info;
    if (!make_parents(place->log, err)) {
        return -1;
    }
    if (stat(place->log, &info) == 0 && info.st_size > MAX_LOG_BYTES) {
        CLEANUP_FREE char *older = xasprintf("%s.1", place->log);
        rename(place->log, older);
    }
    int fd = open(place->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write to %s", place->log);
    }
    return fd;
}

bool local_place_is_ours(int fd, struct br_error *err)
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

int local_place_lock(const struct local_place *place, bool *ret_is_held, struct br_error *err)
{
    int fd = open(place->lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    *ret_is_held = false;
    if (fd < 0) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot open %s", place->lock);
        return -1;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
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

long local_place_lock_holder(const struct local_place *place)
{
    char text[24] = "";
    int fd = open(place->lock, O_RDONLY | O_CLOEXEC);
    bool is_held = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ssize_t count = is_held ? read(fd, text, sizeof(text) - 1) : 0;
    if (fd >= 0) {
        close(fd);
    }
    return count > 0 ? strtol(text, NULL, 10) : 0;
}
