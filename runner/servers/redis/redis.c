#include "runner/servers/redis/redis.h"

#include "runner/base/clock.h"
#include "runner/base/file.h"
#include "runner/base/memory.h"
#include "runner/net/server_url.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    CONNECT_MS = 5000,   /* for an address, including TLS */
    REPLY_MS = 20000,    /* for a reply, or for the server to take a command */
    FIRST_PAUSE_MS = 50, /* before the second attempt to connect; then twice as long each time … */
    LAST_PAUSE_MS = 2000,          /* … up to this */
    MAX_REPLY = 600 * 1024 * 1024, /* Redis itself has no value above 512 MB */
    MAX_DB = 1000000,
};

struct redis {
    struct redis_address address;
    int fd; /* -1: not connected */
    SSL_CTX *tls_context;
    SSL *tls;
    redisReader *reader;
    unsigned connections;
    int64_t connected_ms;
    int pause_ms; /* before the next attempt to connect */
};

/* A step of a call: what has to happen until when. */
struct redis_step {
    struct deadline by;
    int stop_fd;
};

/* Decodes %XX. NULL if that is not valid. Caller frees. */
static char *decode(const char *text, size_t length)
{
    char *decoded = xmalloc(length + 1);
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned byte = (unsigned char)text[i];
        if (text[i] == '%') {
            char digits[3] = { 0 };
            memcpy(digits, text + i + 1, length - i > 2 ? 2 : 0);
            if (strspn(digits, "0123456789abcdefABCDEF") != 2 || sscanf(digits, "%x", &byte) != 1 ||
                byte == 0) {
                free(decoded);
                return NULL;
            }
            i += 2;
        }
        decoded[count++] = (char)byte;
    }
    decoded[count] = '\0';
    return decoded;
}

static bool read_db(const char *text, int *ret_db)
{
    char *end = NULL;
    long db = strtol(text, &end, 10);
    *ret_db = (int)db;
    return strspn(text, "0123456789") == strlen(text) && *text && *end == '\0' && db <= MAX_DB;
}

/* "user:password", ":password", or only a password, as redis-cli reads it. */
static bool read_user(const char *text, size_t length, struct redis_address *address)
{
    const char *colon = memchr(text, ':', length);
    size_t user_length = colon ? (size_t)(colon - text) : 0;
    const char *password = colon ? colon + 1 : text;
    address->user = user_length ? decode(text, user_length) : NULL;
    address->password = decode(password, length - (size_t)(password - text));
    return address->password && (address->user || !user_length);
}

/* "host", "host:port", "[::1]:port". */
static bool read_host(const char *text, size_t length, struct redis_address *address)
{
    const char *end = text + length;
    const char *host = text;
    const char *host_end = memchr(text, ':', length);
    const char *rest = host_end ? host_end : end;
    host_end = rest;
    if (length && *text == '[') {
        host = text + 1;
        host_end = memchr(text, ']', length);
        rest = host_end ? host_end + 1 : end;
    }
    if (!host_end || host_end == host || (rest < end && *rest != ':')) {
        return false;
    }
    address->host = xstrndup(host, (size_t)(host_end - host));
    address->port = rest < end ? xstrndup(rest + 1, (size_t)(end - rest - 1)) : xstrdup("6379");
    size_t digits = strspn(address->port, "0123456789");
    long port = strtol(address->port, NULL, 10);
    return digits > 0 && digits <= 5 && address->port[digits] == '\0' && port > 0 && port < 65536;
}

static bool read_network(const char *rest, struct redis_address *address)
{
    size_t length = strcspn(rest, "/?#");
    const char *host = rest;
    for (size_t i = 0; i < length; i++) {
        host = rest[i] == '@' ? rest + i + 1 : host; /* the last one: a password may have some */
    }
    const char *path = rest + length;
    return (host == rest || read_user(rest, (size_t)(host - rest) - 1, address)) &&
           read_host(host, length - (size_t)(host - rest), address) &&
           (*path == '\0' || strcmp(path, "/") == 0 ||
            (*path == '/' && read_db(path + 1, &address->db)));
}

static bool read_unix(const char *rest, struct redis_address *address)
{
    size_t length = strcspn(rest, "?");
    const char *query = rest + length;
    address->path = decode(rest, length);
    return address->path && *address->path == '/' &&
           strlen(address->path) < sizeof(((struct sockaddr_un *)NULL)->sun_path) &&
           (*query == '\0' || (strncmp(query, "?db=", 4) == 0 && read_db(query + 4, &address->db)));
}

bool redis_address_read(const char *url, struct redis_address *ret_address, struct br_error *err)
{
    *ret_address = (struct redis_address){ .is_tls = strncmp(url, "rediss://", 9) == 0 };
    bool is_network = ret_address->is_tls || strncmp(url, "redis://", 8) == 0;
    bool is_read = is_network ? read_network(strchr(url, ':') + 3, ret_address)
                              : strncmp(url, "unix://", 7) == 0 && read_unix(url + 7, ret_address);
    if (is_read) {
        return true;
    }
    redis_address_finish(ret_address);
    error_set(err, BR_INVALID_ACTION, "this is not the address of a Redis server");
    return error_hint(err, "write redis://[[user]:password@]host[:port][/db], rediss://… for TLS, "
                           "or unix:///path/to/socket[?db=N]; encode special characters as %%XX");
}

void redis_address_finish(struct redis_address *address)
{
    free(address->path);
    free(address->host);
    free(address->port);
    free(address->user);
    free(address->password);
    *address = (struct redis_address){ 0 };
}

static void disconnect(struct redis *redis)
{
    SSL_free(redis->tls);
    redis->tls = NULL;
    if (redis->reader) {
        redisReaderFree(redis->reader);
    }
    redis->reader = NULL;
    if (redis->fd >= 0) {
        close(redis->fd);
    }
    redis->fd = -1;
}

struct redis *redis_create(const char *url, struct br_error *err)
{
    struct redis_address address;
    if (!redis_address_read(url, &address, err)) {
        return NULL;
    }
    struct redis *redis = xcalloc(1, sizeof(*redis));
    redis->address = address;
    redis->fd = -1;
    return redis;
}

void redis_destroy(struct redis *redis)
{
    if (redis) {
        disconnect(redis);
        SSL_CTX_free(redis->tls_context);
        redis_address_finish(&redis->address);
        free(redis);
    }
}

unsigned redis_connections(const struct redis *redis)
{
    return redis->connections;
}

int64_t redis_connected_ms(const struct redis *redis)
{
    return redis->connected_ms;
}

static bool lost(struct br_error *err, const char *what)
{
    return error_set(err, BR_NETWORK_ERROR, "the connection to Redis was lost: %s", what);
}

/* Waits for the descriptor. Fails with NETWORK_ERROR after the deadline, and with CANCELLED. */
static bool await(int fd, short events, const struct redis_step *step, const char *what,
                  struct br_error *err)
{
    struct pollfd fds[] = { { .fd = fd, .events = events },
                            { .fd = step->stop_fd, .events = POLLIN } };
    for (;;) {
        int64_t left_ms = deadline_left_ms(step->by);
        int count = poll(fds, 2, left_ms > INT32_MAX ? INT32_MAX : (int)left_ms);
        if (count > 0 && fds[1].revents) {
            return error_set(err, BR_CANCELLED, "stopped while waiting for Redis");
        }
        if (count > 0) {
            return true;
        }
        if (count == 0 && deadline_passed(step->by)) {
            return error_set(err, BR_NETWORK_ERROR, "Redis did not answer in time: %s", what);
        }
    }
}

/* Returns a socket that is connecting or connected; -1 with errno. */
static int open_socket(const struct sockaddr *address, socklen_t length)
{
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && connect(fd, address, length) != 0 && errno != EINPROGRESS) {
        int failure = errno;
        close(fd);
        errno = failure;
        return -1;
    }
    return fd;
}

/* Connects to one address. The socket is redis->fd. */
static bool connect_to(struct redis *redis, const struct sockaddr *address, socklen_t length,
                       const struct redis_step *step, struct br_error *err)
{
    int failure = 0;
    socklen_t size = sizeof(failure);
    redis->fd = open_socket(address, length);
    if (redis->fd < 0) {
        failure = errno;
    } else if (!await(redis->fd, POLLOUT, step, "connecting", err)) {
        return false;
    } else {
        getsockopt(redis->fd, SOL_SOCKET, SO_ERROR, &failure, &size);
    }
    return failure == 0 ||
           error_set_errno(err, BR_NETWORK_ERROR, failure, "cannot connect to Redis");
}

/* Looks the server's name up until the deadline. */
static bool find_server(const struct redis_address *address, const struct redis_step *step,
                        struct lookup_addresses *ret_addresses, struct br_error *err)
{
    struct server_url server = { 0 };
    struct in6_addr ignored;
    server.is_numeric = inet_pton(AF_INET, address->host, &ignored) == 1 ||
                        inet_pton(AF_INET6, address->host, &ignored) == 1;
    if (strlen(address->host) >= sizeof(server.host)) {
        return error_set(err, BR_INVALID_ACTION, "the name of the Redis server is too long");
    }
    memcpy(server.host, address->host, strlen(address->host));
    if (server_url_resolve(&server, step->by, ret_addresses, err)) {
        return true;
    }
    err->code = BR_NETWORK_ERROR;
    return false;
}

static bool connect_network(struct redis *redis, const struct redis_step *step,
                            struct br_error *err)
{
    const struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
                                    .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV };
    struct lookup_addresses names;
    if (!find_server(&redis->address, step, &names, err)) {
        return false;
    }
    bool is_connected = false;
    for (size_t i = 0; i < names.count && !is_connected; i++) {
        struct addrinfo *address = NULL;
        int failure = getaddrinfo(names.items[i], redis->address.port, &hints, &address);
        if (failure != 0) {
            error_set(err, BR_NETWORK_ERROR, "%s: %s", names.items[i], gai_strerror(failure));
            continue;
        }
        disconnect(redis);
        is_connected = connect_to(redis, address->ai_addr, address->ai_addrlen, step, err);
        freeaddrinfo(address);
    }
    return is_connected || error_context(err, "%s:%s", redis->address.host, redis->address.port);
}

static bool connect_unix(struct redis *redis, const struct redis_step *step, struct br_error *err)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    memcpy(address.sun_path, redis->address.path, strlen(redis->address.path));
    return connect_to(redis, (struct sockaddr *)&address, sizeof(address), step, err) ||
           error_context(err, "%s", redis->address.path);
}

static bool fail_tls(const char *what, struct br_error *err)
{
    char text[256] = "unknown reason";
    unsigned long code = ERR_get_error();
    if (code) {
        ERR_error_string_n(code, text, sizeof(text));
    }
    ERR_clear_error();
    return error_set(err, BR_NETWORK_ERROR, "TLS to Redis: %s: %s", what, text);
}

/* After SSL_read() and similar functions: waits for what they need. */
static bool await_tls(struct redis *redis, int result, const struct redis_step *step,
                      struct br_error *err)
{
    int reason = SSL_get_error(redis->tls, result);
    if (reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE) {
        return await(redis->fd, reason == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, step, "TLS", err);
    }
    long verdict = SSL_get_verify_result(redis->tls);
    if (verdict != X509_V_OK) {
        ERR_clear_error();
        error_set(err, BR_NETWORK_ERROR, "the certificate of the Redis server is not trusted: %s",
                  X509_verify_cert_error_string(verdict));
        return error_hint(err, "name the file of its authority in $SSL_CERT_FILE, and the server "
                               "by a name that is in the certificate");
    }
    return reason == SSL_ERROR_ZERO_RETURN ? lost(err, "the server closed it")
                                           : fail_tls("the connection failed", err);
}

static bool start_tls(struct redis *redis, const struct redis_step *step, struct br_error *err)
{
    if (!redis->tls_context) {
        redis->tls_context = SSL_CTX_new(TLS_client_method());
    }
    SSL_CTX *context = redis->tls_context;
    const char *certificates = file_of_certificates();
    if (!context || !SSL_CTX_set_default_verify_paths(context) ||
        (certificates && !SSL_CTX_load_verify_locations(context, certificates, NULL))) {
        return fail_tls("cannot be set up", err);
    }
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    redis->tls = SSL_new(context);
    struct in6_addr ignored;
    const char *host = redis->address.host;
    bool is_address =
        inet_pton(AF_INET, host, &ignored) == 1 || inet_pton(AF_INET6, host, &ignored) == 1;
    X509_VERIFY_PARAM *checks = redis->tls ? SSL_get0_param(redis->tls) : NULL;
    if (!checks || !SSL_set_fd(redis->tls, redis->fd) ||
        !(is_address ? X509_VERIFY_PARAM_set1_ip_asc(checks, host)
                     : SSL_set_tlsext_host_name(redis->tls, host) &&
                           X509_VERIFY_PARAM_set1_host(checks, host, 0))) {
        return fail_tls("cannot be set up", err);
    }
    int result = SSL_connect(redis->tls);
    while (result != 1) {
        if (!await_tls(redis, result, step, err)) {
            return false;
        }
        result = SSL_connect(redis->tls);
    }
    return true;
}

static bool send_all(struct redis *redis, const char *bytes, size_t length,
                     const struct redis_step *step, struct br_error *err)
{
    while (length > 0) {
        ssize_t count = 0;
        if (redis->tls) {
            int size = length > INT32_MAX ? INT32_MAX : (int)length;
            count = SSL_write(redis->tls, bytes, size);
            if (count <= 0 && !await_tls(redis, (int)count, step, err)) {
                return false;
            }
        } else {
            count = send(redis->fd, bytes, length, MSG_NOSIGNAL);
            if (count < 0 && errno != EAGAIN && errno != EINTR) {
                return lost(err, strerror(errno));
            }
            if (count < 0 && !await(redis->fd, POLLOUT, step, "sending a command", err)) {
                return false;
            }
        }
        bytes += count > 0 ? count : 0;
        length -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

/* Receives some bytes. */
static bool receive(struct redis *redis, const struct redis_step *step, struct br_error *err)
{
    char bytes[16 * 1024];
    ssize_t count = 0;
    if (redis->tls) {
        count = SSL_read(redis->tls, bytes, sizeof(bytes));
        if (count <= 0) {
            return await_tls(redis, (int)count, step, err);
        }
    } else {
        count = recv(redis->fd, bytes, sizeof(bytes), 0);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
            return await(redis->fd, POLLIN, step, "waiting for a reply", err);
        }
        if (count <= 0) {
            return lost(err, count == 0 ? "the server closed it" : strerror(errno));
        }
    }
    return redisReaderFeed(redis->reader, bytes, (size_t)count) == REDIS_OK ||
           lost(err, redis->reader->errstr);
}

/* Returns the next reply; NULL with the error, after which the connection is useless. */
static redisReply *receive_reply(struct redis *redis, const struct redis_step *step,
                                 struct br_error *err)
{
    void *reply = NULL;
    size_t received = 0;
    while (!reply) {
        if (redisReaderGetReply(redis->reader, &reply) != REDIS_OK) {
            lost(err, redis->reader->errstr);
            return NULL;
        }
        received = redis->reader->len;
        if (!reply && (received > MAX_REPLY || !receive(redis, step, err))) {
            if (received > MAX_REPLY) {
                lost(err, "its reply is too long");
            }
            return NULL;
        }
    }
    return reply;
}

/* Whether a refusal says that the server will be ready later. */
static bool is_passing(const redisReply *reply)
{
    static const char *const codes[] = { "LOADING ",  "MASTERDOWN ", "CLUSTERDOWN ",
                                         "TRYAGAIN ", "READONLY ",   "BUSY " };
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        if (strncmp(reply->str, codes[i], strlen(codes[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* Sends a command once. NULL with the error; a refusal is UNKNOWN_ERROR unless it will pass. */
static redisReply *ask(struct redis *redis, const char *command, size_t length,
                       const struct redis_step *step, struct br_error *err)
{
    redisReply *reply =
        send_all(redis, command, length, step, err) ? receive_reply(redis, step, err) : NULL;
    if (!reply) {
        disconnect(redis);
        return NULL;
    }
    if (reply->type == REDIS_REPLY_ERROR) {
        bool will_pass = is_passing(reply);
        if (will_pass) {
            disconnect(redis); /* the name may be another server's by then */
        }
        error_set(err, will_pass ? BR_NETWORK_ERROR : BR_UNKNOWN_ERROR, "Redis: %s", reply->str);
        freeReplyObject(reply);
        return NULL;
    }
    return reply;
}

static bool ask_once(struct redis *redis, const struct redis_step *step, struct br_error *err,
                     int count, const char *const *words)
{
    char *command = NULL;
    int length = redisFormatCommandArgv(&command, count, (const char **)words, NULL);
    CLEANUP_REPLY redisReply *reply = ask(redis, command, (size_t)length, step, err);
    redisFreeCommand(command);
    return reply;
}

static bool log_in(struct redis *redis, const struct redis_step *step, struct br_error *err)
{
    const struct redis_address *address = &redis->address;
    char db[16];
    snprintf(db, sizeof(db), "%d", address->db);
    const char *const auth[] = { "AUTH", address->user ? address->user : address->password,
                                 address->password };
    const char *const select[] = { "SELECT", db };
    return (!address->password || ask_once(redis, step, err, address->user ? 3 : 2, auth)) &&
           (!address->db || ask_once(redis, step, err, 2, select));
}

static bool open_connection(struct redis *redis, const struct redis_step *within,
                            struct br_error *err)
{
    const struct redis_step step = { deadline_earlier(within->by, deadline_in_ms(CONNECT_MS)),
                                     within->stop_fd };
    bool is_open = (redis->address.path ? connect_unix(redis, &step, err)
                                        : connect_network(redis, &step, err)) &&
                   (!redis->address.is_tls || start_tls(redis, &step, err));
    if (is_open) {
        redis->reader = redisReaderCreate();
        is_open = log_in(redis, &step, err);
    }
    if (!is_open) {
        disconnect(redis);
        return false;
    }
    redis->connections++;
    redis->connected_ms = clock_monotonic_ms();
    return true;
}

/* Waits before the next attempt; returns false when there is none. Keeps the error. */
static bool pause_before_next(struct redis *redis, const struct redis_step *step, int longest_ms,
                              struct br_error *err)
{
    struct br_error why;
    redis->pause_ms = redis->pause_ms ? 2 * redis->pause_ms : FIRST_PAUSE_MS;
    redis->pause_ms = redis->pause_ms > longest_ms ? longest_ms : redis->pause_ms;
    /* Many workers that lost the same server do not come back at the same moment. */
    int pause_ms = redis->pause_ms / 2 + (int)(clock_monotonic_ms() % (redis->pause_ms / 2 + 1));
    const struct redis_step pause = { deadline_earlier(step->by, deadline_in_ms(pause_ms)),
                                      step->stop_fd };
    if (await(-1, 0, &pause, "pausing", &why) || why.code == BR_CANCELLED) {
        *err = why;
        return false;
    }
    return !deadline_passed(step->by);
}

/* Sends a formatted command until it is answered. Takes ownership of the command. */
static redisReply *call(struct redis *redis, const struct redis_wait *wait, char *command,
                        int length, struct br_error *err)
{
    if (length < 0) {
        error_set(err, BR_UNKNOWN_ERROR, "a command for Redis could not be written");
        return NULL;
    }
    const struct redis_step whole = { wait->within_ms < 0
                                          ? DEADLINE_NEVER
                                          : deadline_in_ms(wait->within_ms + wait->block_ms),
                                      wait->stop_fd };
    int longest_ms =
        wait->pause_ms > 0 && wait->pause_ms < LAST_PAUSE_MS ? wait->pause_ms : LAST_PAUSE_MS;
    redisReply *reply = NULL;
    do {
        const struct redis_step step = {
            deadline_earlier(whole.by, deadline_in_ms(wait->block_ms + REPLY_MS)), wait->stop_fd
        };
        if (redis->fd >= 0 || open_connection(redis, &whole, err)) {
            reply = ask(redis, command, (size_t)length, &step, err);
        }
    } while (!reply && err->code == BR_NETWORK_ERROR &&
             pause_before_next(redis, &whole, longest_ms, err));
    if (reply) {
        redis->pause_ms = 0;
    }
    redisFreeCommand(command);
    return reply;
}

redisReply *redis_call(struct redis *redis, const struct redis_wait *wait, struct br_error *err,
                       const char *format, ...)
{
    va_list args;
    char *command = NULL;
    va_start(args, format);
    int length = redisvFormatCommand(&command, format, args);
    va_end(args);
    return call(redis, wait, command, length, err);
}

redisReply *redis_call_words(struct redis *redis, const struct redis_wait *wait,
                             struct br_error *err, const char *const *words, size_t count)
{
    char *command = NULL;
    int length = redisFormatCommandArgv(&command, (int)count, (const char **)words, NULL);
    return call(redis, wait, command, length, err);
}

int redis_integer(const redisReply *reply, struct br_error *err)
{
    if (reply && reply->type == REDIS_REPLY_INTEGER) {
        return (int)reply->integer;
    }
    if (reply) {
        error_set(err, BR_UNKNOWN_ERROR, "Redis sent a reply of an unexpected type");
    }
    return -1;
}
