/*
 * Load for a relay of debug-bridge, for relay.mjs; it parses no JSON, so that it is not what is
 * measured. Prints one JSON object.
 *
 *   bench_relay PORT stream SIZE AGENTS MS        messages of one app, as fast as they come through
 *   bench_relay PORT paced SIZE AGENTS RATE MS    RATE a second; how long each is on its way
 *   bench_relay PORT connections COUNT            an app and an agent in each session; they stay
 *                                                 open until stdin ends
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_AGENTS = 16,
    MAX_HEADER = 14,          /* of a frame */
    STAMP_DIGITS = 19,        /* nanoseconds of the monotonic clock */
    WINDOW = 1024 * 1024,     /* bytes that were sent and have not arrived at all agents */
    MIN_WINDOW = 16,          /* in messages, whatever their length */
    READ_AT_ONCE = 32 * 1024, /* bytes to wait for when latency is not measured */
    CHUNK = 64 * 1024,        /* messages are sent in blocks of this many bytes, or one by one */
    WARM_UP_MS = 500,
    PATIENCE_MS = 10000,
    AT_ONCE = 50, /* connections made at the same time */
};

/* The state of a client's reading. */
struct reader {
    uint8_t header[MAX_HEADER];
    size_t header_length;
    uint64_t left;   /* of the frame's payload */
    uint64_t length; /* of the message so far */
    bool is_in_frame, is_control, is_last;
    char stamp[STAMP_DIGITS + 1];
};

struct client {
    int fd;
    struct reader reader;
    uint64_t received; /* messages of the sent length */
};

struct load {
    int port, agent_count;
    struct client app, agents[MAX_AGENTS];
    char *message;   /* as JSON */
    size_t length;   /* of the message */
    size_t stamp_at; /* offset of the stamp in the message */
    uint8_t *frames; /* the messages of a block, masked */
    size_t frame_length, frames_length, frames_sent;
    uint64_t sent, window; /* number of messages */
    double *latencies;     /* ms; NULL: not measured */
    size_t latency_count, latency_capacity;
};

static void die(const char *what)
{
    fprintf(stderr, "bench_relay: %s: %s\n", what, strerror(errno));
    exit(1); /* NOLINT: a tool without threads */
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static double processor_ms(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static void write_whole(int fd, const void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t count = write(fd, (const char *)bytes + done, length - done);
        if (count <= 0) {
            die("write");
        }
        done += (size_t)count;
    }
}

static int dial(int port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int on = 1;
    struct timeval patience = { .tv_sec = PATIENCE_MS / 1000 };
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        die("connect");
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    return fd;
}

static void ask(int fd, int port, const char *role, int session)
{
    char request[512];
    int length = snprintf(request, sizeof(request),
                          "GET /debug?role=%s&sessionId=bench-%d&appId=bench-app HTTP/1.1\r\n"
                          "Host: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
                          "Sec-WebSocket-Version: 13\r\n\r\n",
                          role, session, port);
    write_whole(fd, request, (size_t)length);
}

/* Reads one byte at a time: what follows the headers belongs to the reader. */
static void await_upgrade(int fd)
{
    char answer[2048];
    size_t length = 0;
    while (length < 4 || memcmp(answer + length - 4, "\r\n\r\n", 4) != 0) {
        if (length == sizeof(answer) || read(fd, answer + length, 1) != 1) {
            die("no answer to the handshake");
        }
        length++;
    }
    if (strncmp(answer, "HTTP/1.1 101", 12) != 0) {
        errno = 0;
        die("the handshake was refused");
    }
}

static struct client join(int port, const char *role, int session)
{
    struct client client = { .fd = dial(port) };
    ask(client.fd, port, role, session);
    await_upgrade(client.fd);
    fcntl(client.fd, F_SETFL, O_NONBLOCK);
    return client;
}

static void note_latency(struct load *load, const struct reader *reader)
{
    if (load->latency_count == load->latency_capacity) {
        load->latency_capacity = load->latency_capacity * 2 + 1024;
        load->latencies =
            realloc(load->latencies, load->latency_capacity * sizeof(*load->latencies));
        if (!load->latencies) {
            die("memory");
        }
    }
    load->latencies[load->latency_count++] =
        (double)(now_ns() - strtoll(reader->stamp, NULL, 10)) / 1e6;
}

/* RFC 6455, 5.2; servers do not mask. Returns false until the header is complete. */
static bool read_header(struct reader *reader, uint8_t byte)
{
    reader->header[reader->header_length++] = byte;
    const uint8_t *header = reader->header;
    if (reader->header_length < 2) {
        return false;
    }
    size_t extra = header[1] == 127 ? 8 : header[1] == 126 ? 2 : 0;
    if (reader->header_length < 2 + extra) {
        return false;
    }
    reader->left = extra ? 0 : header[1];
    for (size_t i = 0; i < extra; i++) {
        reader->left = reader->left << 8 | header[2 + i];
    }
    reader->is_last = header[0] & 0x80;
    reader->is_control = header[0] & 0x08;
    reader->header_length = 0;
    reader->is_in_frame = true;
    return true;
}

/* Keeps the part of these bytes of the message that is its stamp. */
static void keep_stamp(const struct load *load, struct reader *reader, const uint8_t *bytes,
                       size_t count)
{
    uint64_t from = reader->length;
    for (size_t i = 0; i < STAMP_DIGITS; i++) {
        uint64_t at = load->stamp_at + i;
        if (at >= from && at < from + count) {
            reader->stamp[i] = (char)bytes[at - from];
        }
    }
}

static void end_frame(struct load *load, struct client *client)
{
    struct reader *reader = &client->reader;
    reader->is_in_frame = false;
    if (reader->is_control || !reader->is_last) {
        return;
    }
    if (reader->length == load->length) {
        client->received++;
        if (load->latencies) {
            note_latency(load, reader);
        }
    }
    reader->length = 0;
}

static void take(struct load *load, struct client *client, const uint8_t *bytes, size_t count)
{
    struct reader *reader = &client->reader;
    for (size_t at = 0; at < count;) {
        if (!reader->is_in_frame) {
            if (read_header(reader, bytes[at++]) && reader->left == 0) {
                end_frame(load, client);
            }
            continue;
        }
        size_t step = reader->left < count - at ? (size_t)reader->left : count - at;
        if (!reader->is_control && load->latencies) {
            keep_stamp(load, reader, bytes + at, step);
        }
        reader->length += reader->is_control ? 0 : step;
        reader->left -= step;
        at += step;
        if (reader->left == 0) {
            end_frame(load, client);
        }
    }
}

static void drain(struct load *load, struct client *client)
{
    static uint8_t bytes[256 * 1024];
    ssize_t count = read(client->fd, bytes, sizeof(bytes));
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
        errno = count == 0 ? 0 : errno;
        die("the relay has closed the connection");
    }
    if (count > 0) {
        take(load, client, bytes, (size_t)count);
    }
}

/* Creates a message to which a relay need not add anything. */
static void make_message(struct load *load, size_t size)
{
    static const char head[] = "{\"protocolVersion\":1,\"sessionId\":\"bench-0\",\"timestamp\":"
                               "1700000000000,\"origin\":\"app\",\"appId\":\"bench-app\",\"type\":"
                               "\"console\",\"stamp\":\"";
    static const char middle[] = "\",\"args\":[\"";
    static const char tail[] = "\"]}";
    size_t fixed = strlen(head) + STAMP_DIGITS + strlen(middle) + strlen(tail);
    load->length = size > fixed ? size : fixed;
    load->stamp_at = strlen(head);
    load->message = malloc(load->length + 1);
    if (!load->message) {
        die("memory");
    }
    memset(load->message, 'x', load->length);
    memcpy(load->message, head, strlen(head));
    memset(load->message + load->stamp_at, '0', STAMP_DIGITS);
    memcpy(load->message + load->stamp_at + STAMP_DIGITS, middle, strlen(middle));
    memcpy(load->message + load->length - strlen(tail), tail, strlen(tail));
}

static size_t frame(uint8_t *to, const char *text, size_t length)
{
    static const uint8_t mask[4] = { 0x37, 0xfa, 0x21, 0x3d };
    size_t at = 0;
    to[at++] = 0x81;
    if (length < 126) {
        to[at++] = (uint8_t)(0x80 | length);
    } else {
        int extra = length < 65536 ? 2 : 8;
        to[at++] = extra == 2 ? 0x80 | 126 : 0x80 | 127;
        for (int i = extra - 1; i >= 0; i--) {
            to[at++] = (uint8_t)((uint64_t)length >> (8 * i));
        }
    }
    memcpy(to + at, mask, sizeof(mask));
    at += sizeof(mask);
    for (size_t i = 0; i < length; i++) {
        to[at + i] = (uint8_t)text[i] ^ mask[i % 4];
    }
    return at + length;
}

static void make_frames(struct load *load, size_t count)
{
    load->frames = malloc(count * (load->length + MAX_HEADER));
    if (!load->frames) {
        die("memory");
    }
    load->frames_length = 0;
    for (size_t i = 0; i < count; i++) {
        load->frame_length = frame(load->frames + load->frames_length, load->message, load->length);
        load->frames_length += load->frame_length;
    }
}

static uint64_t delivered(const struct load *load)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < load->agent_count; i++) {
        uint64_t count = load->agents[i].received;
        least = count < least ? count : least;
    }
    return least;
}

/* Sends what fits into the window and the socket, in whole messages if possible. */
static void send_some(struct load *load)
{
    size_t in_part = load->frames_sent % load->frame_length;
    uint64_t room = load->window - (load->sent - delivered(load));
    size_t allowed =
        (size_t)room * load->frame_length + (in_part ? load->frame_length - in_part : 0);
    size_t left = load->frames_length - load->frames_sent;
    size_t length = allowed < left ? allowed : left;
    ssize_t count = length ? write(load->app.fd, load->frames + load->frames_sent, length) : 0;
    if (count < 0 && errno != EAGAIN) {
        die("write");
    }
    if (count > 0) {
        /* A message counts as sent when it has begun. */
        size_t end = load->frames_sent + (size_t)count;
        load->sent += (end + load->frame_length - 1) / load->frame_length -
                      (load->frames_sent + load->frame_length - 1) / load->frame_length;
        load->frames_sent = end == load->frames_length ? 0 : end;
    }
}

/* Waits until sockets are ready, or until the time, and reads them. */
static bool look(struct load *load, bool wants_to_send, int64_t until_ns)
{
    struct pollfd fds[MAX_AGENTS + 1];
    for (int i = 0; i < load->agent_count; i++) {
        fds[i] = (struct pollfd){ .fd = load->agents[i].fd, .events = POLLIN };
    }
    fds[load->agent_count] =
        (struct pollfd){ .fd = load->app.fd,
                         .events = (short)(POLLIN | (wants_to_send ? POLLOUT : 0)) };
    int64_t left = until_ns - now_ns();
    struct timespec wait = { .tv_sec = left > 0 ? left / 1000000000 : 0,
                             .tv_nsec = left > 0 ? left % 1000000000 : 0 };
    if (ppoll(fds, (nfds_t)load->agent_count + 1, &wait, NULL) < 0 && errno != EINTR) {
        die("poll");
    }
    for (int i = 0; i < load->agent_count; i++) {
        if (fds[i].revents) {
            drain(load, &load->agents[i]);
        }
    }
    if (fds[load->agent_count].revents & ~POLLOUT) {
        drain(load, &load->app);
    }
    return fds[load->agent_count].revents & POLLOUT;
}

static void stream_for(struct load *load, int ms)
{
    for (int64_t end = now_ns() + ms * 1000000LL; now_ns() < end;) {
        /* Not for a single message: otherwise system calls would be measured. */
        bool has_room = load->sent - delivered(load) <= load->window / 2 ||
                        load->frames_sent % load->frame_length != 0;
        if (look(load, has_room, end)) {
            send_some(load);
        }
    }
}

static void stream(struct load *load, int ms)
{
    size_t at_a_time = CHUNK / load->length;
    make_frames(load, at_a_time ? at_a_time : 1);
    load->window = WINDOW / load->length;
    load->window = load->window < MIN_WINDOW ? MIN_WINDOW : load->window;
    int least = READ_AT_ONCE;
    for (int i = 0; i < load->agent_count; i++) {
        setsockopt(load->agents[i].fd, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof(least));
    }
    stream_for(load, WARM_UP_MS);
    uint64_t before = delivered(load);
    double processor = processor_ms();
    int64_t began = now_ns();
    stream_for(load, ms);
    double seconds = (double)(now_ns() - began) / 1e9;
    uint64_t count = delivered(load) - before;
    printf("{\"messages\":%llu,\"seconds\":%.3f,\"processorMs\":%.1f}\n", (unsigned long long)count,
           seconds, processor_ms() - processor);
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return left < right ? -1 : left > right;
}

static void send_stamped(struct load *load)
{
    char stamp[STAMP_DIGITS + 1];
    snprintf(stamp, sizeof(stamp), "%0*lld", STAMP_DIGITS, (long long)now_ns());
    memcpy(load->message + load->stamp_at, stamp, STAMP_DIGITS);
    size_t length = frame(load->frames, load->message, load->length);
    for (size_t done = 0; done < length;) {
        ssize_t count = write(load->app.fd, load->frames + done, length - done);
        if (count < 0 && errno != EAGAIN) {
            die("write");
        }
        done += count > 0 ? (size_t)count : 0;
        if (done < length) {
            look(load, true, now_ns() + 1000000000LL);
        }
    }
    load->sent++;
}

static void pace(struct load *load, int rate, int ms)
{
    make_frames(load, 1);
    note_latency(load, &load->app.reader);
    load->latency_count = 0; /* only room was needed */
    int64_t next = now_ns();
    int64_t end = next + ms * 1000000LL;
    while (next < end) {
        if (now_ns() < next) {
            look(load, false, next);
            continue;
        }
        send_stamped(load);
        next += 1000000000LL / rate;
    }
    for (int64_t late = now_ns() + PATIENCE_MS * 1000000LL; delivered(load) < load->sent;) {
        look(load, false, late);
        if (now_ns() > late) {
            errno = 0;
            die("messages are missing");
        }
    }
    size_t count = load->latency_count;
    qsort(load->latencies, count, sizeof(*load->latencies), compare);
    printf("{\"messages\":%llu,\"p50\":%.4f,\"p99\":%.4f,\"max\":%.4f}\n",
           (unsigned long long)load->sent, load->latencies[count / 2],
           load->latencies[count * 99 / 100], load->latencies[count - 1]);
}

static void hold(int port, int count)
{
    int64_t began = now_ns();
    int fds[AT_ONCE];
    for (int made = 0; made < count;) {
        int step = count - made < AT_ONCE ? count - made : AT_ONCE;
        for (int i = 0; i < step; i++) {
            fds[i] = dial(port);
            ask(fds[i], port, (made + i) % 2 ? "agent" : "app", (made + i) / 2);
        }
        for (int i = 0; i < step; i++) {
            await_upgrade(fds[i]);
        }
        made += step;
    }
    printf("{\"connections\":%d,\"ms\":%.1f}\n", count, (double)(now_ns() - began) / 1e6);
    fflush(stdout);
    char byte;
    while (read(STDIN_FILENO, &byte, 1) > 0) {
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("bench_relay PORT stream|paced|connections …\n", stderr);
        return 2;
    }
    long numbers[6] = { 0 };
    for (int i = 1; i < argc && i <= 6; i++) {
        numbers[i - 1] = strtol(argv[i], NULL, 10);
    }
    struct load load = { .port = (int)numbers[0] };
    if (strcmp(argv[2], "connections") == 0) {
        hold(load.port, (int)numbers[2]);
        return 0;
    }
    load.agent_count = numbers[3] > 0 && numbers[3] <= MAX_AGENTS ? (int)numbers[3] : 1;
    make_message(&load, (size_t)numbers[2]);
    for (int i = 0; i < load.agent_count; i++) {
        load.agents[i] = join(load.port, "agent", 0);
    }
    load.app = join(load.port, "app", 0);
    if (strcmp(argv[2], "stream") == 0) {
        stream(&load, (int)numbers[4]);
    } else {
        pace(&load, numbers[4] > 0 ? (int)numbers[4] : 1, (int)numbers[5]);
    }
    free(load.message);
    free(load.frames);
    free(load.latencies);
    return 0;
}
