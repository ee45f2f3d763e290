#include "tests/integration/fake_peer.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* RFC 6455, 5.2. */
enum {
    WS_CONTINUATION = 0,
    WS_TEXT = 1,
    WS_CLOSE = 8,
    WS_PING = 9,
    WS_PONG = 10,
    WS_FINAL = 0x80,
    WS_MASKED = 0x80,
};

struct fake_peer {
    int in_fd, out_fd; /* both are the same for a WebSocket */
    bool is_websocket;
    size_t split;
    bool is_lockstep;
    struct strbuf out;
    struct strbuf in; /* received and not consumed */
    size_t taken;     /* how much of `in` */
    size_t scanned;   /* how much of `in` contains no end of a message */
    struct strbuf fragments;
};

static struct fake_peer *create(int in_fd, int out_fd, bool is_websocket)
{
    struct fake_peer *peer = xcalloc(1, sizeof(*peer));
    peer->in_fd = in_fd;
    peer->out_fd = out_fd;
    peer->is_websocket = is_websocket;
    peer->out = (struct strbuf)STRBUF_INIT(STRBUF_UNCAPPED);
    peer->in = (struct strbuf)STRBUF_INIT(STRBUF_UNCAPPED);
    peer->fragments = (struct strbuf)STRBUF_INIT(STRBUF_UNCAPPED);
    fcntl(in_fd, F_SETFL, O_NONBLOCK);
    fcntl(out_fd, F_SETFL, O_NONBLOCK);
    return peer;
}

struct fake_peer *fake_peer_create_pipe(int in_fd, int out_fd)
{
    return create(in_fd, out_fd, false);
}

struct fake_peer *fake_peer_create_websocket(int fd)
{
    return create(fd, fd, true);
}

void fake_peer_destroy(struct fake_peer *peer)
{
    if (!peer) {
        return;
    }
    close(peer->in_fd);
    if (!peer->is_websocket) {
        close(peer->out_fd);
    }
    strbuf_finish(&peer->out);
    strbuf_finish(&peer->in);
    strbuf_finish(&peer->fragments);
    free(peer);
}

void fake_peer_set_split(struct fake_peer *peer, size_t size, bool is_lockstep)
{
    peer->split = size;
    peer->is_lockstep = is_lockstep;
}

static void add_frame(struct fake_peer *peer, unsigned char first, const char *bytes, size_t length)
{
    unsigned char header[10] = { first };
    size_t header_length = 2;
    if (length < 126) {
        header[1] = (unsigned char)length;
    } else {
        size_t width = length <= UINT16_MAX ? 2 : 8;
        header[1] = width == 2 ? 126 : 127;
        for (size_t i = 0; i < width; i++) {
            header[2 + i] = (unsigned char)((uint64_t)length >> 8 * (width - 1 - i));
        }
        header_length += width;
    }
    strbuf_add(&peer->out, header, header_length);
    strbuf_add(&peer->out, bytes, length);
}

void fake_peer_add(struct fake_peer *peer, const char *text, size_t length)
{
    if (!peer->is_websocket) {
        strbuf_add(&peer->out, text, length);
        strbuf_add(&peer->out, "", 1);
        return;
    }
    size_t step = peer->split ? peer->split : length;
    unsigned char kind = WS_TEXT;
    do {
        size_t count = length < step ? length : step;
        add_frame(peer, kind | (count == length ? WS_FINAL : 0), text, count);
        kind = WS_CONTINUATION;
        text += count;
        length -= count;
    } while (length > 0);
}

void fake_peer_add_raw(struct fake_peer *peer, const void *bytes, size_t length)
{
    strbuf_add(&peer->out, bytes, length);
}

static bool wait_for(int fd, short events, struct deadline deadline)
{
    struct pollfd poll_fd = { .fd = fd, .events = events };
    return poll(&poll_fd, 1, (int)deadline_left_ms(deadline)) > 0;
}

static bool write_piece(struct fake_peer *peer, const char *bytes, size_t length,
                        struct deadline deadline)
{
    while (length > 0) {
        ssize_t count = write(peer->out_fd, bytes, length);
        if (count > 0) {
            bytes += count;
            length -= (size_t)count;
        } else if (errno == EAGAIN) {
            if (!wait_for(peer->out_fd, POLLOUT, deadline)) {
                return false;
            }
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* Waits until the other side has read everything. */
static void wait_read(struct fake_peer *peer, struct deadline deadline)
{
    int unread = 0;
    while (!peer->is_websocket && !deadline_passed(deadline) &&
           ioctl(peer->out_fd, FIONREAD, &unread) == 0 && unread > 0) {
        usleep(20);
    }
}

bool fake_peer_write(struct fake_peer *peer, struct deadline deadline)
{
    size_t sent = 0;
    bool is_fine = true;
    while (is_fine && sent < peer->out.length) {
        size_t left = peer->out.length - sent;
        size_t count = peer->split && peer->split < left ? peer->split : left;
        is_fine = write_piece(peer, peer->out.data + sent, count, deadline);
        sent += count;
        if (is_fine && peer->is_lockstep) {
            wait_read(peer, deadline);
        }
    }
    return is_fine;
}

bool fake_peer_flush(struct fake_peer *peer, struct deadline deadline)
{
    bool is_fine = fake_peer_write(peer, deadline);
    strbuf_clear(&peer->out);
    return is_fine;
}

/* Removes the bytes of `in` up to `end`. */
static void drop_until(struct fake_peer *peer, size_t end)
{
    peer->taken = end;
    if (peer->taken == peer->in.length) {
        strbuf_clear(&peer->in);
        peer->taken = 0;
    }
    peer->scanned = peer->taken;
}

static bool take_pipe_message(struct fake_peer *peer, char **ret_text, size_t *ret_length)
{
    size_t left = peer->in.length - peer->scanned;
    const char *nul = memchr(peer->in.data + peer->scanned, '\0', left);
    if (!nul) {
        peer->scanned = peer->in.length;
        return false;
    }
    *ret_length = (size_t)(nul - peer->in.data) - peer->taken;
    *ret_text = xstrndup(peer->in.data + peer->taken, *ret_length);
    drop_until(peer, (size_t)(nul - peer->in.data) + 1);
    return true;
}

struct frame {
    unsigned char first;
    bool is_masked;
    size_t mask, payload; /* offsets in `in` */
    uint64_t length;
};

/* Parses the header of the frame at the front; false if it is incomplete. */
static bool parse_frame(const struct fake_peer *peer, struct frame *frame)
{
    const unsigned char *bytes = (const unsigned char *)peer->in.data + peer->taken;
    size_t available = peer->in.length - peer->taken;
    if (available < 2) {
        return false;
    }
    size_t width = (bytes[1] & 0x7F) == 126 ? 2 : (bytes[1] & 0x7F) == 127 ? 8 : 0;
    frame->first = bytes[0];
    frame->is_masked = bytes[1] & WS_MASKED;
    frame->length = width ? 0 : bytes[1] & 0x7F;
    if (available < 2 + width + 4) {
        return false;
    }
    for (size_t i = 0; i < width; i++) {
        frame->length = frame->length << 8 | bytes[2 + i];
    }
    frame->mask = peer->taken + 2 + width;
    frame->payload = frame->mask + 4;
    return available >= frame->length + 2 + width + 4;
}

static void unmask(struct fake_peer *peer, const struct frame *frame)
{
    const char *mask = peer->in.data + frame->mask;
    char *payload = peer->in.data + frame->payload;
    for (uint64_t i = 0; i < frame->length; i++) {
        payload[i] ^= mask[i & 3];
    }
}

/* Returns FAKE_READ_LATE if more bytes are needed. */
static enum fake_read take_frame(struct fake_peer *peer, char **ret_text, size_t *ret_length)
{
    struct frame frame;
    if (!parse_frame(peer, &frame)) {
        return FAKE_READ_LATE;
    }
    if (!frame.is_masked) {
        return FAKE_READ_VIOLATED;
    }
    unmask(peer, &frame);
    const char *payload = peer->in.data + frame.payload;
    unsigned char kind = frame.first & 0x0F;
    if (kind == WS_CLOSE) {
        add_frame(peer, WS_FINAL | WS_CLOSE, payload, frame.length);
        fake_peer_flush(peer, deadline_in_ms(1000));
        return FAKE_READ_GONE;
    }
    if (kind == WS_PING) {
        add_frame(peer, WS_FINAL | WS_PONG, payload, frame.length);
    } else if (kind == WS_TEXT || kind == WS_CONTINUATION) {
        if ((kind == WS_TEXT) != (peer->fragments.length == 0)) {
            return FAKE_READ_VIOLATED;
        }
        strbuf_add(&peer->fragments, payload, frame.length);
    } else if (kind != WS_PONG) {
        return FAKE_READ_VIOLATED;
    }
    drop_until(peer, frame.payload + frame.length);
    bool is_complete = kind <= WS_TEXT && frame.first & WS_FINAL;
    if (!is_complete) {
        return take_frame(peer, ret_text, ret_length);
    }
    *ret_length = peer->fragments.length;
    *ret_text = strbuf_take(&peer->fragments);
    return FAKE_READ_MESSAGE;
}

static enum fake_read take_message(struct fake_peer *peer, char **ret_text, size_t *ret_length)
{
    if (peer->is_websocket) {
        return take_frame(peer, ret_text, ret_length);
    }
    return take_pipe_message(peer, ret_text, ret_length) ? FAKE_READ_MESSAGE : FAKE_READ_LATE;
}

enum fake_read fake_peer_read(struct fake_peer *peer, struct deadline deadline, char **ret_text,
                              size_t *ret_length)
{
    for (;;) {
        enum fake_read result = take_message(peer, ret_text, ret_length);
        if (result != FAKE_READ_LATE) {
            return result;
        }
        if (!wait_for(peer->in_fd, POLLIN, deadline)) {
            return FAKE_READ_LATE;
        }
        strbuf_reserve(&peer->in, 256 * 1024);
        ssize_t count = read(peer->in_fd, peer->in.data + peer->in.length, 256 * 1024);
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
            return FAKE_READ_GONE;
        }
        peer->in.length += count > 0 ? (size_t)count : 0;
    }
}
