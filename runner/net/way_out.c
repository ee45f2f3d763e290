#include "runner/net/way_out.h"

#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/net/lookup.h"
#include "runner/net/socket.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MAX_TUNNELS = 1024,
    MAX_LOOKUPS = 64, /* concurrent lookups; each uses a thread */
    GREETING_MS = 10000,
    CONNECT_MS = 30000,    /* for the lookup and all addresses */
    ONE_ADDRESS_MS = 8000, /* then the next address is tried */
    HALF_OPEN_MS = 60000,  /* without a byte, once one end has stopped sending */
    BUFFER_SIZE = 64 * 1024,
    REQUEST_SIZE = 4 + 1 + 255 + 2, /* longest request */
};

/* RFC 1928: values in messages. */
enum {
    VERSION = 5,
    NO_LOGIN = 0,
    NO_METHOD = 0xff,
    CONNECT = 1,
    ADDRESS_IP4 = 1,
    ADDRESS_NAME = 3,
    ADDRESS_IP6 = 4,
    SUCCEEDED = 0,
    FAILED = 1,
    NOT_ALLOWED = 2,
    HOST_UNREACHABLE = 4,
    COMMAND_UNKNOWN = 7,
};

struct tunnel;

/* One end of a tunnel, with the bytes received from it and not yet written to the other end. */
struct side {
    struct tunnel *tunnel;
    struct side *other;
    struct loop_source *source; /* NULL: none */
    int fd;
    bool has_ended; /* the peer has stopped sending */
    unsigned char *bytes;
    size_t start, end;
};

enum tunnel_state { GREETING, REQUEST, CONNECTING, OPEN };

/* Used on the loop thread only. */
struct tunnel {
    struct way_out *way_out;
    struct tunnel *next;
    enum tunnel_state state;
    struct side client, server;
    struct loop_timer *timer; /* NULL while both ends of the open tunnel send */
    struct url_parts peer;    /* its scheme is known from the first byte that the client sends */
    int asked_port;           /* the port before the user's mapping */
    struct query *query;      /* the pending one; NULL: none */
    struct ip_address addresses[LOOKUP_MAX_ADDRESSES];
    size_t address_count, address_index;
    int64_t end_ms;
};

struct way_out {
    struct loop *loop;
    char *mapping;
    struct socket_set sockets;
    struct loop_source *listener;
    int spare_fd; /* closed temporarily to refuse a client when no other descriptor is free */
    struct tunnel *tunnels; /* the newest first */
    size_t tunnel_count;
    struct query *queries;
    size_t query_count;
    struct way_out_rules *rules;
};

/* A name that is looked up for a tunnel. */
struct query {
    struct query *next;
    struct way_out *way_out; /* NULL: it is closed, and the answer is on its way to the loop */
    struct tunnel *tunnel;   /* NULL after the tunnel has ended */
    struct lookup *lookup;
};

/* Tunnels. */

static void side_finish(struct side *side)
{
    if (side->source) {
        loop_unwatch(TAKE(side->source));
    }
    free(side->bytes);
}

static void tunnel_end(struct tunnel *tunnel)
{
    struct way_out *way_out = tunnel->way_out;
    struct tunnel **at = &way_out->tunnels;
    while (*at != tunnel) {
        at = &(*at)->next;
    }
    *at = tunnel->next;
    way_out->tunnel_count--;
    if (tunnel->query) {
        tunnel->query->tunnel = NULL;
    }
    if (tunnel->timer) {
        loop_timer_cancel(tunnel->timer);
    }
    side_finish(&tunnel->client);
    side_finish(&tunnel->server);
    free(tunnel);
}

/* When one end closes, the other is closed, too. */
static void on_closed(void *data)
{
    struct side *side = data;
    side->source = NULL;
    tunnel_end(side->tunnel);
}

/* Writes the bytes of this side to the other side. Returns false if the other side is closed. */
static bool side_flush(struct side *side)
{
    while (side->start < side->end) {
        ssize_t count = send(side->other->fd, side->bytes + side->start, side->end - side->start,
                             MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return errno == EAGAIN;
        }
        side->start += (size_t)count;
    }
    side->start = side->end = 0;
    return true;
}

static void set_timer(struct tunnel *tunnel, int64_t ms);

/*
 * The peer has stopped sending, and all its bytes are written: tells the other end, which may still
 * answer. Returns false if the other end has stopped, too.
 */
static bool pass_end(struct side *side)
{
    if (side->other->has_ended && side->other->end == 0) {
        return false;
    }
    shutdown(side->other->fd, SHUT_WR);
    set_timer(side->tunnel, HALF_OPEN_MS);
    return true;
}

/* The descriptor accepts bytes again. Returns false to close it. */
static bool on_writable(void *data, int fd)
{
    struct side *from = ((struct side *)data)->other;
    (void)fd;
    if (!side_flush(from)) {
        return false;
    }
    if (from->end > 0) {
        loop_source_await_writable(from->other->source, on_writable);
        return true;
    }
    if (from->has_ended) {
        return pass_end(from);
    }
    loop_source_read(from->source, true);
    return true;
}

static bool check_first_byte(struct tunnel *tunnel, unsigned char byte);

static bool relay(struct side *side)
{
    if (side->end > 0) {
        return true; /* earlier bytes are not written yet */
    }
    ssize_t count = recv(side->fd, side->bytes, BUFFER_SIZE, MSG_DONTWAIT);
    if (count < 0) {
        return errno == EAGAIN || errno == EINTR;
    }
    if (count == 0) {
        side->has_ended = true;
        loop_source_read(side->source, false);
        return pass_end(side);
    }
    if (side == &side->tunnel->client && !*side->tunnel->peer.scheme &&
        !check_first_byte(side->tunnel, side->bytes[0])) {
        return false;
    }
    side->end = (size_t)count;
    if (side->other->has_ended) {
        set_timer(side->tunnel, HALF_OPEN_MS);
    }
    if (!side_flush(side)) {
        return false;
    }
    if (side->end > 0) {
        loop_source_read(side->source, false);
        loop_source_await_writable(side->other->source, on_writable);
    }
    return true;
}

static bool tunnel_reply(struct tunnel *tunnel, int code)
{
    const unsigned char reply[] = {
        VERSION, (unsigned char)code, 0, ADDRESS_IP4, 0, 0, 0, 0, 0, 0
    };
    return send(tunnel->client.fd, reply, sizeof(reply), MSG_NOSIGNAL | MSG_DONTWAIT) ==
           sizeof(reply);
}

/* Never call this inside a callback of the client's source: it closes that source. */
static void tunnel_fail(struct tunnel *tunnel, int code)
{
    tunnel_reply(tunnel, code);
    tunnel_end(tunnel);
}

/* Applying the rules. */

/* `address`: the address that the name resolves to; NULL: not known yet. */
static bool is_allowed(const struct tunnel *tunnel, const struct ip_address *address)
{
    return way_out_rules_allow(tunnel->way_out->rules, &tunnel->peer, tunnel->asked_port, address);
}

/* TLS begins with a record of type 22, http and WebSockets with a letter. */
static bool check_first_byte(struct tunnel *tunnel, unsigned char byte)
{
    snprintf(tunnel->peer.scheme, sizeof(tunnel->peer.scheme), "%s", byte == 22 ? "https" : "http");
    return is_allowed(tunnel, &tunnel->addresses[tunnel->address_index - 1]);
}

/* Connecting. */

static void try_next(struct tunnel *tunnel);

static void on_late(void *data)
{
    struct tunnel *tunnel = data;
    tunnel->timer = NULL;
    if (tunnel->state == CONNECTING && tunnel->server.source) {
        loop_unwatch(TAKE(tunnel->server.source));
        try_next(tunnel);
    } else if (tunnel->state == CONNECTING) {
        tunnel_fail(tunnel, HOST_UNREACHABLE);
    } else {
        tunnel_end(tunnel);
    }
}

static void set_timer(struct tunnel *tunnel, int64_t ms)
{
    if (tunnel->timer) {
        loop_timer_cancel(tunnel->timer);
    }
    tunnel->timer = loop_timer_start(tunnel->way_out->loop, ms, on_late, tunnel);
}

static void on_connect_failed(void *data)
{
    struct side *side = data;
    side->source = NULL;
    if (side->tunnel->state == CONNECTING) {
        try_next(side->tunnel);
    } else {
        tunnel_end(side->tunnel);
    }
}

/* If the descriptor is readable before it is connected, connecting has failed. */
static bool on_server_readable(void *data, int fd)
{
    struct side *side = data;
    (void)fd;
    return side->tunnel->state == OPEN && relay(side);
}

static bool on_connected(void *data, int fd)
{
    struct side *side = data;
    struct tunnel *tunnel = side->tunnel;
    int failure = 0;
    int on = 1;
    socklen_t length = sizeof(failure);
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &failure, &length) != 0 || failure != 0) {
        return false;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    loop_timer_cancel(TAKE(tunnel->timer));
    tunnel->state = OPEN;
    tunnel->server.bytes = xmalloc(BUFFER_SIZE);
    if (!tunnel_reply(tunnel, SUCCEEDED)) {
        return false;
    }
    loop_source_read(tunnel->client.source, true);
    return true;
}

static int connect_begin(const struct ip_address *address, int port)
{
    static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
    union {
        struct sockaddr any;
        struct sockaddr_in in4;
        struct sockaddr_in6 in6;
    } to = { .in6 = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port) } };
    socklen_t length = sizeof(to.in6);
    memcpy(&to.in6.sin6_addr, address->bytes, sizeof(address->bytes));
    if (memcmp(address->bytes, mapped, sizeof(mapped)) == 0) {
        to.in4 = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
        memcpy(&to.in4.sin_addr, address->bytes + sizeof(mapped), 4);
        length = sizeof(to.in4);
    }
    int fd = socket(to.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && connect(fd, &to.any, length) != 0 && errno != EINPROGRESS) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Connects to the next allowed address. Ends the tunnel if there is none. */
static void try_next(struct tunnel *tunnel)
{
    int code = HOST_UNREACHABLE;
    while (tunnel->address_index < tunnel->address_count) {
        const struct ip_address *address = &tunnel->addresses[tunnel->address_index++];
        if (!is_allowed(tunnel, address)) {
            code = NOT_ALLOWED;
            continue;
        }
        int64_t left_ms = tunnel->end_ms - clock_monotonic_ms();
        int fd = left_ms > 0 ? connect_begin(address, tunnel->peer.port) : -1;
        struct loop_source_handler handler = { .on_readable = on_server_readable,
                                               .on_closed = on_connect_failed,
                                               .data = &tunnel->server };
        struct br_error ignored;
        tunnel->server.fd = fd;
        tunnel->server.source =
            fd >= 0 ? loop_watch(tunnel->way_out->loop, fd, &handler, &ignored) : NULL;
        if (tunnel->server.source) {
            bool is_last = tunnel->address_index == tunnel->address_count;
            set_timer(tunnel, is_last || left_ms < ONE_ADDRESS_MS ? left_ms : ONE_ADDRESS_MS);
            loop_source_await_writable(tunnel->server.source, on_connected);
            return;
        }
    }
    tunnel_fail(tunnel, code);
}

/* Looking up names. */

static void on_looked_up(void *data)
{
    struct query *query = data;
    struct way_out *way_out = query->way_out;
    struct tunnel *tunnel = query->tunnel;
    if (!way_out) {
        free(query);
        return;
    }
    struct query **at = &way_out->queries;
    while (*at != query) {
        at = &(*at)->next;
    }
    *at = query->next;
    way_out->query_count--;
    if (tunnel) {
        struct lookup_addresses found;
        lookup_answer(query->lookup, &found);
        tunnel->query = NULL;
        for (size_t i = 0; i < found.count; i++) {
            struct ip_address *address = &tunnel->addresses[tunnel->address_count];
            tunnel->address_count += ip_address_read(found.items[i], address);
        }
        try_next(tunnel);
    }
    lookup_release(query->lookup);
    free(query);
}

/* On the resolver's thread. */
static void on_answer(void *data)
{
    const struct query *query = data;
    loop_post(query->way_out->loop, on_looked_up, data);
}

static bool query_begin(struct tunnel *tunnel, const char *host)
{
    struct way_out *way_out = tunnel->way_out;
    if (way_out->query_count == MAX_LOOKUPS) {
        return false;
    }
    struct query *query = xcalloc(1, sizeof(*query));
    *query = (struct query){ .next = way_out->queries, .way_out = way_out, .tunnel = tunnel };
    query->lookup = lookup_start(host, AI_ADDRCONFIG, on_answer, query);
    if (!query->lookup) {
        free(query);
        return false;
    }
    tunnel->query = query;
    way_out->queries = query;
    way_out->query_count++;
    return true;
}

static void on_addresses(void *data)
{
    struct tunnel *tunnel = data;
    tunnel->timer = NULL;
    try_next(tunnel);
}

static const char *const loopbacks[] = { "127.0.0.1", "::1" };

static bool is_localhost(const char *host)
{
    size_t length = strlen(host);
    return strcmp(host, "localhost") == 0 ||
           (length > 10 && strcmp(host + length - 10, ".localhost") == 0);
}

/* Returns false if the tunnel must fail with *ret_code. */
static bool connect_to_peer(struct tunnel *tunnel, int *ret_code)
{
    struct url_parts *peer = &tunnel->peer;
    struct url_parts real;
    char host[URL_MAX_HOST + 1];
    *ret_code = NOT_ALLOWED;
    tunnel->asked_port = peer->port;
    if (peer->is_address && peer->port == tunnel->way_out->sockets.port &&
        ip_address_is_private(&peer->address)) {
        return false; /* the peer is this server itself */
    }
    if (!is_allowed(tunnel, NULL)) {
        return false;
    }
    *ret_code = HOST_UNREACHABLE;
    memcpy(host, peer->host, sizeof(host));
    lookup_map(tunnel->way_out->mapping, host, sizeof(host), &peer->port);
    tunnel->end_ms = clock_monotonic_ms() + CONNECT_MS;
    tunnel->state = CONNECTING;
    set_timer(tunnel, CONNECT_MS);
    loop_source_read(tunnel->client.source, false);
    if (is_localhost(host)) {
        for (size_t i = 0; i < 2; i++) {
            ip_address_read(loopbacks[i], &tunnel->addresses[tunnel->address_count++]);
        }
    } else if (*host && url_host_read(host, &real) && real.is_address) {
        tunnel->addresses[tunnel->address_count++] = real.address;
    } else {
        *ret_code = FAILED;
        return *host && query_begin(tunnel, host);
    }
    /* Deferred: this is a callback of the client's source, which must not be closed in it. */
    loop_timer_cancel(tunnel->timer);
    tunnel->timer = loop_timer_start(tunnel->way_out->loop, 0, on_addresses, tunnel);
    return true;
}

/* Reading the client's requests. */

/* Returns the request's length, 0 if more bytes are needed, or -1 for a malformed request. */
static int request_length(const unsigned char *bytes, size_t count)
{
    if (count < 5) {
        return 0;
    }
    int type = bytes[3];
    return bytes[0] != VERSION || bytes[2] != 0 ? -1
           : type == ADDRESS_IP4                ? 4 + 4 + 2
           : type == ADDRESS_IP6                ? 4 + 16 + 2
           : type == ADDRESS_NAME               ? 4 + 1 + bytes[4] + 2
                                                : -1;
}

static bool read_peer(const unsigned char *bytes, struct url_parts *ret_peer)
{
    char host[URL_MAX_HOST + 1] = "";
    char number[INET6_ADDRSTRLEN] = "";
    size_t length = bytes[3] == ADDRESS_IP4 ? 4 : bytes[3] == ADDRESS_IP6 ? 16 : 1U + bytes[4];
    if (bytes[3] == ADDRESS_NAME) {
        memcpy(host, bytes + 5, bytes[4]);
        if (strlen(host) != bytes[4]) {
            return false;
        }
        if (strchr(host, ':')) { /* an address, which some clients send as a name */
            snprintf(number, sizeof(number), "%.45s", host);
        }
    } else {
        inet_ntop(bytes[3] == ADDRESS_IP4 ? AF_INET : AF_INET6, bytes + 4, number, sizeof(number));
    }
    if (*number) {
        snprintf(host, sizeof(host), strchr(number, ':') ? "[%s]" : "%s", number);
    }
    if (!url_host_read(host, ret_peer)) {
        return false;
    }
    ret_peer->port = (bytes[4 + length] << 8) | bytes[5 + length];
    return true;
}

static bool take_greeting(struct tunnel *tunnel)
{
    struct side *client = &tunnel->client;
    size_t length = client->end >= 2 ? 2U + client->bytes[1] : 2;
    if (client->end < length) {
        return client->bytes[0] == VERSION || client->end == 0;
    }
    bool is_fine = client->bytes[0] == VERSION && memchr(client->bytes + 2, NO_LOGIN, length - 2) &&
                   client->end == length;
    unsigned char answer[] = { VERSION, is_fine ? NO_LOGIN : NO_METHOD };
    bool is_sent =
        send(client->fd, answer, sizeof(answer), MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof(answer);
    client->end = 0;
    tunnel->state = REQUEST;
    return is_fine && is_sent;
}

static bool take_request(struct tunnel *tunnel)
{
    struct side *client = &tunnel->client;
    int code = FAILED;
    int length = request_length(client->bytes, client->end);
    if (length == 0 || (length > 0 && client->end < (size_t)length)) {
        return true;
    }
    if (length < 0 || client->end > (size_t)length || !read_peer(client->bytes, &tunnel->peer)) {
        code = FAILED;
    } else if (client->bytes[1] != CONNECT) {
        code = COMMAND_UNKNOWN;
    } else if (connect_to_peer(tunnel, &code)) {
        client->end = 0;
        return true;
    }
    tunnel_reply(tunnel, code);
    return false;
}

static bool on_client_readable(void *data, int fd)
{
    struct side *client = data;
    struct tunnel *tunnel = client->tunnel;
    if (tunnel->state == OPEN) {
        return relay(client);
    }
    if (tunnel->state == CONNECTING) {
        return true; /* read it when the server is connected */
    }
    ssize_t count = recv(fd, client->bytes + client->end, REQUEST_SIZE - client->end, MSG_DONTWAIT);
    if (count <= 0) {
        return count < 0 && (errno == EAGAIN || errno == EINTR);
    }
    client->end += (size_t)count;
    return tunnel->state == GREETING ? take_greeting(tunnel) : take_request(tunnel);
}

static void tunnel_begin(struct way_out *way_out, int fd)
{
    struct tunnel *tunnel = xcalloc(1, sizeof(*tunnel));
    struct loop_source_handler handler = { .on_readable = on_client_readable,
                                           .on_closed = on_closed,
                                           .data = &tunnel->client };
    struct br_error ignored;
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    tunnel->way_out = way_out;
    tunnel->client = (struct side){
        .tunnel = tunnel, .other = &tunnel->server, .fd = fd, .bytes = xmalloc(BUFFER_SIZE)
    };
    tunnel->server = (struct side){ .tunnel = tunnel, .other = &tunnel->client, .fd = -1 };
    tunnel->next = way_out->tunnels;
    way_out->tunnels = tunnel;
    way_out->tunnel_count++;
    set_timer(tunnel, GREETING_MS);
    tunnel->client.source = loop_watch(way_out->loop, fd, &handler, &ignored);
    if (!tunnel->client.source) {
        tunnel_end(tunnel);
    }
}

/*
 * Ends the oldest tunnel whose client has not sent its request, so that clients that say nothing do
 * not keep Chrome out. Returns false if there is none.
 */
static bool make_room(struct way_out *way_out)
{
    struct tunnel *oldest = NULL;
    for (struct tunnel *tunnel = way_out->tunnels; tunnel; tunnel = tunnel->next) {
        if (tunnel->state == GREETING || tunnel->state == REQUEST) {
            oldest = tunnel;
        }
    }
    if (oldest) {
        tunnel_end(oldest);
    }
    return oldest;
}

/* Otherwise the client would stay in the backlog, and the loop would be woken again and again. */
static void turn_away(struct way_out *way_out, int listening_fd)
{
    close(way_out->spare_fd);
    int client = accept4(listening_fd, NULL, NULL, SOCK_CLOEXEC);
    if (client >= 0) {
        close(client);
    }
    way_out->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static bool on_incoming(void *data, int fd)
{
    struct way_out *way_out = data;
    int client = -1;
    while ((client = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
        if (way_out->tunnel_count == MAX_TUNNELS && !make_room(way_out)) {
            close(client);
        } else {
            tunnel_begin(way_out, client);
        }
    }
    if (errno == EMFILE || errno == ENFILE) {
        turn_away(way_out, fd);
    }
    return true; /* accept() may fail for one client; keep listening */
}

struct opening {
    struct way_out *way_out;
    struct br_error *err;
    bool is_open;
};

static void begin_listening(void *data)
{
    struct opening *opening = data;
    struct way_out *way_out = opening->way_out;
    struct loop_source_handler handler = { .on_readable = on_incoming, .data = way_out };
    int fd = way_out->sockets.fds[0];
    way_out->sockets.count = 0;
    way_out->listener = loop_watch(way_out->loop, fd, &handler, opening->err);
    opening->is_open = way_out->listener;
}

static void finish(struct way_out *way_out)
{
    socket_set_finish(&way_out->sockets);
    if (way_out->spare_fd >= 0) {
        close(way_out->spare_fd);
    }
    way_out_rules_destroy(way_out->rules);
    free(way_out->mapping);
    free(way_out);
}

struct way_out *way_out_open(struct loop *loop, const char *mapping, struct br_error *err)
{
    struct way_out *way_out = xcalloc(1, sizeof(*way_out));
    struct opening opening = { .way_out = way_out, .err = err };
    way_out->loop = loop;
    way_out->mapping = xstrdup(mapping);
    way_out->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    way_out->rules = way_out_rules_create();
    if (socket_listen_tcp(&way_out->sockets, "127.0.0.1", 0, err)) {
        loop_call(loop, begin_listening, &opening);
    }
    if (!opening.is_open) {
        finish(way_out);
        error_context(err, "the way out for requests under rules");
        return NULL;
    }
    return way_out;
}

static void end_all(void *data)
{
    struct way_out *way_out = data;
    loop_unwatch(way_out->listener);
    while (way_out->tunnels) {
        tunnel_end(way_out->tunnels);
    }
    while (way_out->queries) {
        struct query *query = way_out->queries;
        way_out->queries = query->next;
        if (lookup_release(query->lookup)) {
            query->way_out = NULL;
        } else {
            free(query);
        }
    }
}

void way_out_close(struct way_out *way_out)
{
    if (way_out) {
        loop_call(way_out->loop, end_all, way_out);
        finish(way_out);
    }
}

struct way_out_rules *way_out_rules(const struct way_out *way_out)
{
    return way_out->rules;
}

int way_out_port(const struct way_out *way_out)
{
    return way_out->sockets.port;
}
