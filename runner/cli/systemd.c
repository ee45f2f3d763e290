#include "runner/cli/systemd.h"

#include "runner/cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_FD = STDERR_FILENO + 1, MAX_SOCKETS = 1024 };

static const char fdnames[] = "LISTEN_FDNAMES";

/* A whole number from 0 on; -1: it is none. */
static long long read_number(const char *text)
{
    char *end = NULL;
    if (*text < '0' || *text > '9') {
        return -1;
    }
    errno = 0;
    long long number = strtoll(text, &end, 10);
    return *end || errno ? -1 : number;
}

/* Whether a variable names this process. */
static bool is_for_us(const char *variable, bool is_needed)
{
    const char *pid = getenv(variable);
    return pid ? read_number(pid) == (long long)getpid() : !is_needed;
}

static size_t count_names(const char *names)
{
    size_t count = 1;
    for (const char *at = strchr(names, ':'); at; at = strchr(at + 1, ':')) {
        count++;
    }
    return count;
}

/* Sockets without a name get the name that systemd uses for them. */
static void add_socket(struct systemd *systemd, int fd, const char **names)
{
    const char *name = *names ? *names : "unknown";
    size_t length = strcspn(name, ":");
    systemd->sockets[systemd->socket_count++] = (struct systemd_socket){
        .fd = fd,
        .name = xasprintf("%.*s", (int)(length < 256 ? length : 256), name),
    };
    *names = *names ? name + length + (name[length] == ':') : NULL;
}

static bool read_sockets(struct systemd *systemd, struct br_error *err)
{
    const char *count_text = getenv("LISTEN_FDS");
    const char *names = getenv(fdnames);
    if (!count_text || !is_for_us("LISTEN_PID", true)) {
        return true;
    }
    long long count = read_number(count_text);
    if (count < 0 || count > MAX_SOCKETS) {
        return error_set(err, BR_INVALID_ACTION, "LISTEN_FDS is \"%.40s\", not a number up to %d",
                         count_text, MAX_SOCKETS);
    }
    if (names && count > 0 && count_names(names) != (size_t)count) {
        return error_set(err, BR_INVALID_ACTION, "%s has %zu names for %lld sockets", fdnames,
                         count_names(names), count);
    }
    systemd->sockets = xcalloc((size_t)count, sizeof(*systemd->sockets));
    for (int fd = FIRST_FD; fd < FIRST_FD + (int)count; fd++) {
        if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) {
            return error_set_errno(err, BR_INVALID_ACTION, errno,
                                   "LISTEN_FDS is %lld, but descriptor %d is not open", count, fd);
        }
        add_socket(systemd, fd, &names);
    }
    return true;
}

static bool read_address(struct systemd *systemd, struct br_error *err)
{
    const char *address = getenv("NOTIFY_SOCKET");
    struct sockaddr_un room;
    if (!address || !*address) {
        return true;
    }
    if ((*address != '/' && *address != '@') || strlen(address) > sizeof(room.sun_path)) {
        return error_set(err, BR_INVALID_ACTION,
                         "NOTIFY_SOCKET is neither a path nor an abstract name of at most %zu "
                         "bytes: %.100s",
                         sizeof(room.sun_path), address);
    }
    systemd->notify_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (systemd->notify_fd < 0) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "no socket for NOTIFY_SOCKET");
    }
    systemd->address = xstrdup(address);
    return true;
}

static bool read_watchdog(struct systemd *systemd, struct br_error *err)
{
    const char *text = getenv("WATCHDOG_USEC");
    if (!text || !is_for_us("WATCHDOG_PID", false)) {
        return true;
    }
    long long us = read_number(text);
    if (us <= 0) {
        return error_set(err, BR_INVALID_ACTION, "WATCHDOG_USEC is \"%.40s\", not a number above 0",
                         text);
    }
    long long ms = us / 1000;
    systemd->watchdog_ms = ms < 1 ? 1 : ms > INT_MAX ? INT_MAX : (int)ms;
    return true;
}

bool systemd_init(struct systemd *systemd, struct br_error *err)
{
    static const char *const variables[] = { "LISTEN_PID",     "LISTEN_FDS",    fdnames,
                                             "LISTEN_PIDFDID", "NOTIFY_SOCKET", "WATCHDOG_USEC",
                                             "WATCHDOG_PID" };
    *systemd = (struct systemd)SYSTEMD_INIT;
    bool is_fine =
        read_sockets(systemd, err) && read_address(systemd, err) && read_watchdog(systemd, err);
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        unsetenv(variables[i]);
    }
    return is_fine;
}

void systemd_finish(struct systemd *systemd)
{
    for (size_t i = 0; i < systemd->socket_count; i++) {
        if (systemd->sockets[i].fd >= 0) {
            close(systemd->sockets[i].fd);
        }
        free(systemd->sockets[i].name);
    }
    free(systemd->sockets);
    free(systemd->address);
    if (systemd->notify_fd >= 0) {
        close(systemd->notify_fd);
    }
    *systemd = (struct systemd)SYSTEMD_INIT;
}

static bool is_in(const char *const *list, const char *name)
{
    while (*list && strcmp(*list, name) != 0) {
        list++;
    }
    return *list;
}

static size_t count_of_name(const struct systemd *systemd, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < systemd->socket_count; i++) {
        count += strcmp(systemd->sockets[i].name, name) == 0;
    }
    return count;
}

bool systemd_check_names(const struct systemd *systemd, const char *const *known,
                         const char *const *served, struct br_error *err)
{
    for (size_t i = 0; i < systemd->socket_count; i++) {
        const char *name = systemd->sockets[i].name;
        if (!is_in(known, name)) {
            struct strbuf names = STRBUF_INIT(STRBUF_UNCAPPED);
            for (size_t j = 0; known[j]; j++) {
                strbuf_add_format(&names, "%s%s", j ? ", " : "", known[j]);
            }
            error_set(err, BR_INVALID_ACTION,
                      "\"%s\", a socket of the service manager (descriptor %d), is not the name of "
                      "a server",
                      name, systemd->sockets[i].fd);
            error_hint(err, "set FileDescriptorName= in its socket unit to one of %s", names.data);
            strbuf_finish(&names);
            return false;
        }
        if (!is_in(served, name)) {
            error_set(err, BR_INVALID_ACTION,
                      "the service manager has a socket for %s, which is not served", name);
            return error_hint(err, "add --%s, or remove that socket unit", name);
        }
        if (count_of_name(systemd, name) > SOCKET_MAX) {
            return error_set(err, BR_INVALID_ACTION,
                             "the service manager has more than %d sockets for %s", SOCKET_MAX,
                             name);
        }
    }
    return true;
}

void systemd_take(struct systemd *systemd, const char *name, struct net_listener_options *listener)
{
    for (size_t i = 0; i < systemd->socket_count && listener->fd_count < SOCKET_MAX; i++) {
        struct systemd_socket *item = &systemd->sockets[i];
        if (item->fd >= 0 && (!name || strcmp(item->name, name) == 0)) {
            listener->fds[listener->fd_count++] = item->fd;
            item->fd = -1;
        }
    }
}

/* The name of an abstract socket begins with a NUL, and ends without one. */
void systemd_notify(const struct systemd *systemd, const char *text)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (!systemd->address) {
        return;
    }
    size_t length = strlen(systemd->address);
    memcpy(address.sun_path, systemd->address, length);
    if (*systemd->address == '@') {
        address.sun_path[0] = '\0';
    }
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    ssize_t count = -1;
    do {
        count = sendto(systemd->notify_fd, text, strlen(text), MSG_NOSIGNAL,
                       (const struct sockaddr *)&address, size);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        cli_warn("cannot notify the service manager of \"%.20s…\": %s", text, strerror(errno));
    }
}

void systemd_notify_reloading(const struct systemd *systemd)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    CLEANUP_FREE char *text =
        xasprintf("RELOADING=1\nMONOTONIC_USEC=%lld", now.tv_sec * 1000000LL + now.tv_nsec / 1000);
    systemd_notify(systemd, text);
}
