#include "tests/integration/net_rig.h"

#include "runner/base/clock.h"
#include "tests/integration/net_socket.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SHOWN = 60 };

static void note(struct net_rig *rig, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note(struct net_rig *rig, const char *format, ...)
{
    char line[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&rig->mutex);
    strbuf_add_string(&rig->log, line);
    strbuf_add_string(&rig->log, "\n");
    pthread_cond_broadcast(&rig->changed);
    pthread_mutex_unlock(&rig->mutex);
}

static bool on_open(void *data, uint64_t id, const struct net_peer *peer)
{
    struct net_rig *rig = data;
    pthread_mutex_lock(&rig->mutex);
    rig->last_pid = peer->pid;
    pthread_mutex_unlock(&rig->mutex);
    note(rig, "open %u %s?%s", (unsigned)id, peer->path, peer->query);
    return !rig->refuses && strcmp(peer->path, "/nowhere") != 0;
}

static void on_message(void *data, uint64_t id, const char *text, size_t length)
{
    struct net_rig *rig = data;
    assert(text[length] == '\0');
    note(rig, "message %u %zu %.*s", (unsigned)id, length, length < SHOWN ? (int)length : SHOWN,
         text);
    net_send(rig->listener, id, text, length, NET_REPLY);
}

static void on_end(void *data, uint64_t id)
{
    note(data, "end %u", (unsigned)id);
}

static void on_closed(void *data, uint64_t id)
{
    note(data, "closed %u", (unsigned)id);
}

void net_rig_start(struct net_rig *rig, enum net_framing framing)
{
    struct br_error err = { 0 };
    *rig = (struct net_rig){ .options = NET_LISTENER_OPTIONS_INIT };
    rig->log = (struct strbuf)STRBUF_INIT(STRBUF_UNCAPPED);
    pthread_mutex_init(&rig->mutex, NULL);
    condition_init(&rig->changed);
    snprintf(rig->directory, sizeof(rig->directory), "/tmp/net-rig-XXXXXX");
    assert_non_null(mkdtemp(rig->directory));
    snprintf(rig->path, sizeof(rig->path), "%s/socket", rig->directory);
    rig->options.name = "rig";
    rig->options.framing = framing;
    rig->options.unix_path = framing == NET_LINES ? rig->path : NULL;
    rig->options.handler = (struct net_handler){
        .data = rig,
        .on_open = on_open,
        .on_message = on_message,
        .on_end = on_end,
        .on_closed = on_closed,
    };
    rig->loop = loop_create(false, &err);
    assert_non_null(rig->loop);
}

void net_rig_listen(struct net_rig *rig)
{
    struct br_error err = { 0 };
    rig->listener = net_listen(rig->loop, &rig->options, &err);
    assert_string_equal(err.message, "");
    assert_non_null(rig->listener);
    rig->port = net_listener_port(rig->listener);
}

void net_rig_expect_refusal(struct net_rig *rig, const char *message, const char *hint)
{
    struct br_error err = { 0 };
    assert_null(net_listen(rig->loop, &rig->options, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    if (!strstr(err.message, message) || !strstr(err.hint, hint)) {
        fail_msg("%s (%s) instead of %s (%s)", err.message, err.hint, message, hint);
    }
}

void net_rig_finish(struct net_rig *rig)
{
    while (rig->client_count > 0) {
        net_rig_leave(rig, rig->clients[0]);
    }
    net_listener_close(rig->listener, 1000);
    loop_destroy(rig->loop);
    strbuf_finish(&rig->log);
    pthread_cond_destroy(&rig->changed);
    pthread_mutex_destroy(&rig->mutex);
    assert_int_equal(rmdir(rig->directory), 0);
}

int net_rig_set_up(void **state)
{
    struct net_rig *rig = xcalloc(1, sizeof(*rig));
    net_rig_start(rig, (enum net_framing)(uintptr_t)*state);
    *state = rig;
    return 0;
}

int net_rig_tear_down(void **state)
{
    net_rig_finish(*state);
    free(*state);
    return 0;
}

static size_t count_in(const struct strbuf *log, const char *text)
{
    size_t count = 0;
    for (const char *at = strstr(log->data, text); at; at = strstr(at + 1, text)) {
        count++;
    }
    return count;
}

bool net_rig_has(struct net_rig *rig, const char *text)
{
    return net_rig_count(rig, text) > 0;
}

size_t net_rig_count(struct net_rig *rig, const char *text)
{
    pthread_mutex_lock(&rig->mutex);
    size_t count = count_in(&rig->log, text);
    pthread_mutex_unlock(&rig->mutex);
    return count;
}

void net_rig_await_count(struct net_rig *rig, const char *text, size_t count)
{
    struct deadline deadline = deadline_in_ms(NET_RIG_MS);
    pthread_mutex_lock(&rig->mutex);
    while (count_in(&rig->log, text) < count &&
           condition_wait(&rig->changed, &rig->mutex, deadline)) {
    }
    bool is_there = count_in(&rig->log, text) >= count;
    if (!is_there) {
        print_error("\"%s\" did not come; there is:\n%s", text, rig->log.data);
    }
    pthread_mutex_unlock(&rig->mutex);
    assert_true(is_there);
}

void net_rig_await(struct net_rig *rig, const char *text)
{
    net_rig_await_count(rig, text, 1);
}

void net_rig_settle(struct net_rig *rig)
{
    enum {
        TURNS = 3
    }; /* a task ends the loop's wait, and ready descriptors are served before the next one */
    for (int i = 0; i < TURNS; i++) {
        loop_flush(rig->loop);
    }
}

static void set_limits(int fd)
{
    struct timeval limit = { .tv_sec = NET_RIG_MS / 1000 };
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

int net_client_tcp(int port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    set_limits(fd);
    return fd;
}

void net_client_write(int fd, const void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t count = send(fd, (const char *)bytes + done, length - done, MSG_NOSIGNAL);
        assert_true(count > 0);
        done += (size_t)count;
    }
}

void net_client_say(int fd, const char *text)
{
    net_client_write(fd, text, strlen(text));
}

bool net_client_read(int fd, void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t count = recv(fd, (char *)bytes + done, length - done, 0);
        if (count <= 0) {
            assert_false(count < 0 && errno == EAGAIN);
            return false;
        }
        done += (size_t)count;
    }
    return true;
}

ssize_t net_client_read_all(int fd, char *text, size_t size)
{
    size_t length = 0;
    ssize_t count = 1;
    while (length < size - 1 && (count = recv(fd, text + length, size - 1 - length, 0)) > 0) {
        length += (size_t)count;
    }
    text[length] = '\0';
    assert_false(count < 0 && errno == EAGAIN);
    return count < 0 ? -1 : (ssize_t)length;
}

int net_listening_tcp(uint32_t address)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(address) };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
    assert_int_equal(listen(fd, 5), 0);
    return fd;
}

struct sockaddr_un net_rig_address(const struct net_rig *rig)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    snprintf(address.sun_path, sizeof(address.sun_path), "%s", rig->path);
    return address;
}

int net_rig_connect(struct net_rig *rig)
{
    int fd = -1;
    if (rig->options.framing == NET_LINES) {
        struct sockaddr_un address = net_rig_address(rig);
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
        set_limits(fd);
    } else {
        fd = net_client_tcp(rig->port);
    }
    assert_true(rig->client_count < NET_RIG_CLIENTS);
    rig->clients[rig->client_count++] = fd;
    return fd;
}

int net_rig_open(struct net_rig *rig)
{
    return rig->options.framing == NET_LINES ? net_rig_connect(rig) : net_socket_open(rig, "/");
}

void net_rig_leave(struct net_rig *rig, int fd)
{
    size_t i = 0;
    while (i < rig->client_count && rig->clients[i] != fd) {
        i++;
    }
    assert_true(i < rig->client_count);
    rig->clients[i] = rig->clients[--rig->client_count];
    close(fd);
}

void net_rig_add_message(const struct net_rig *rig, struct strbuf *bytes, const char *text)
{
    if (rig->options.framing == NET_LINES) {
        strbuf_add_string(bytes, text);
        strbuf_add_string(bytes, "\n");
    } else {
        net_socket_add(bytes, NET_TEXT, true, text, strlen(text));
    }
}

void net_rig_say(const struct net_rig *rig, int fd, const char *text)
{
    CLEANUP_STRBUF struct strbuf bytes = STRBUF_INIT(STRBUF_UNCAPPED);
    net_rig_add_message(rig, &bytes, text);
    net_client_write(fd, bytes.data, bytes.length);
}

/* Reads a line, without its newline and nothing behind it; false at the end. */
static bool read_line(int fd, struct strbuf *line)
{
    enum { PART = 1 << 16 };
    CLEANUP_FREE char *part = xmalloc(PART);
    strbuf_clear(line);
    for (;;) {
        ssize_t count = recv(fd, part, PART, MSG_PEEK);
        if (count <= 0) {
            assert_false(count < 0 && errno == EAGAIN);
            return false;
        }
        const char *newline = memchr(part, '\n', (size_t)count);
        size_t length = newline ? (size_t)(newline - part) : (size_t)count;
        strbuf_add(line, part, length);
        assert_true(net_client_read(fd, part, length + (newline != NULL)));
        if (newline) {
            return true;
        }
    }
}

bool net_rig_read(const struct net_rig *rig, int fd, struct strbuf *message, int *ret_status)
{
    *ret_status = 0;
    return rig->options.framing == NET_LINES ? read_line(fd, message)
                                             : net_socket_read_message(fd, message, ret_status);
}

void net_rig_expect(const struct net_rig *rig, int fd, const char *expected)
{
    int status = 0;
    CLEANUP_STRBUF struct strbuf message = STRBUF_INIT(STRBUF_UNCAPPED);
    if (!net_rig_read(rig, fd, &message, &status)) {
        fail_msg("closed with %d instead of \"%.200s\"", status, expected);
    }
    if (strcmp(message.data, expected) != 0) {
        fail_msg("\"%.200s\" instead of \"%.200s\"", message.data, expected);
    }
}

void net_rig_expect_end(const struct net_rig *rig, int fd, int status)
{
    char byte;
    if (rig->options.framing == NET_LINES) {
        assert_int_equal(recv(fd, &byte, 1, 0), 0);
    } else {
        net_socket_expect_close(fd, status);
    }
}

void net_rig_expect_echo(const struct net_rig *rig, int fd, const char *text)
{
    net_rig_say(rig, fd, text);
    net_rig_expect(rig, fd, text);
}
