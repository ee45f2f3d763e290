#include "runner/cdp/transport_pipe.h"
#include "runner/cdp/cbor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    FIRST_BUFFER = 64 * 1024,
    READ_AT_LEAST = 16 * 1024,
    CBOR_AT_ONCE = 16 * 1024, /* bytes of the input that are converted at once */
    CBOR_INPUT = 64 * 1024,
    PIPE_SIZE = 1024 * 1024,
    READS_PER_TURN = 16, /* then other tasks of the loop run, however fast the browser writes */
};

/* A message that the socket has accepted in part. */
struct rest {
    const char *text;
    size_t total, sent;
    void (*on_sent)(void *data);
    void *data;
    struct loop_source *source; /* a duplicate of write_fd while that is full; NULL: not full */
};

struct transport_pipe {
    struct transport base;
    struct loop_source *source; /* NULL before start and after the end */
    int read_fd;                /* owned by the source once that exists */
    int write_fd;
    atomic_bool is_broken; /* nothing can be sent any more */
    struct transport_handler handler;
    char *buffer; /* the bytes of [start, end) have been read and not delivered */
    size_t start, end, capacity;
    unsigned char *input; /* CBOR_INPUT bytes of CBOR; NULL: the browser sends text */
    struct cbor_reader reader;
    const char *close_reason;
    struct rest rest; /* the unsent part of a posted message */
};

/*
 * Moves undelivered bytes to the front. If that leaves not more than `room` bytes free, doubles the
 * buffer once. Returns false if the message is too large.
 */
static bool make_room(struct transport_pipe *pipe, size_t room)
{
    if (pipe->start > 0) {
        memmove(pipe->buffer, pipe->buffer + pipe->start, pipe->end - pipe->start);
        pipe->end -= pipe->start;
        pipe->start = 0;
    }
    if (pipe->capacity - pipe->end > room) {
        return true;
    }
    if (pipe->end >= TRANSPORT_LONG - room && pipe->handler.on_long) {
        pipe->end = pipe->handler.on_long(pipe->handler.data, pipe->buffer, pipe->end);
        if (pipe->capacity - pipe->end > pipe->capacity / 2) {
            return true;
        }
    }
    if (pipe->end > TRANSPORT_MAX_MESSAGE) {
        pipe->close_reason = "the browser sent a message that is too large";
        return false;
    }
    do {
        pipe->capacity = pipe->capacity ? pipe->capacity * 2 : FIRST_BUFFER;
    } while (pipe->capacity - pipe->end <= room);
    pipe->buffer = xrealloc(pipe->buffer, pipe->capacity);
    return true;
}

/*
 * Returns the buffer itself as the message of `length` bytes at its front. Bytes after the message
 * move to a new buffer.
 */
static char *take_buffer(struct transport_pipe *pipe, size_t length)
{
    char *message = TAKE(pipe->buffer);
    size_t rest = pipe->end - length - 1;
    pipe->capacity = 0;
    if (rest > 0) {
        pipe->capacity = rest + FIRST_BUFFER;
        pipe->buffer = xmalloc(pipe->capacity);
        memcpy(pipe->buffer, message + length + 1, rest);
    }
    pipe->start = 0;
    pipe->end = rest;
    return xrealloc(message, length + 1);
}

/*
 * Delivers the message that ends before `end`, the offset of its NUL. A small message is copied,
 * because it may wait in a mailbox for long and must not occupy a whole buffer meanwhile. A large
 * one is not copied.
 */
static void deliver(struct transport_pipe *pipe, size_t end)
{
    size_t length = end - pipe->start;
    char *message = NULL;
    if (pipe->start == 0 && length > pipe->capacity / 4) {
        message = take_buffer(pipe, length);
    } else {
        message = xmalloc(length + 1);
        memcpy(message, pipe->buffer + pipe->start, length + 1);
        pipe->start = end + 1;
    }
    pipe->handler.on_message(pipe->handler.data, message, length);
}

/* Delivers every message that ends in the bytes from `scanned` on. */
static void deliver_complete(struct transport_pipe *pipe, size_t scanned)
{
    while (scanned < pipe->end) {
        char *nul = memchr(pipe->buffer + scanned, '\0', pipe->end - scanned);
        if (!nul) {
            return;
        }
        deliver(pipe, (size_t)(nul - pipe->buffer));
        scanned = pipe->start;
    }
}

/* Converts bytes to text, up to the end of a message. Returns false if they are not a message. */
static bool take_cbor(struct transport_pipe *pipe, const unsigned char *bytes, size_t length,
                      size_t *ret_taken)
{
    size_t scanned = pipe->end;
    pipe->end += cbor_read(&pipe->reader, bytes, length, pipe->buffer + pipe->end, ret_taken);
    if (pipe->reader.is_broken) {
        pipe->close_reason = "the browser sent what is no DevTools message";
        return false;
    }
    if (pipe->reader.is_whole) {
        pipe->reader = (struct cbor_reader){ 0 };
        pipe->buffer[pipe->end++] = '\0';
        deliver_complete(pipe, scanned);
    }
    return true;
}

/* Reads once. Returns as read(2) does, and 0 also if reading must end. */
static ssize_t read_cbor(struct transport_pipe *pipe, int fd)
{
    ssize_t count = read(fd, pipe->input, CBOR_INPUT);
    for (size_t at = 0; count > 0 && at < (size_t)count;) {
        size_t taken = 0;
        size_t length = (size_t)count - at < CBOR_AT_ONCE ? (size_t)count - at : CBOR_AT_ONCE;
        if (!make_room(pipe, CBOR_GROWTH * length + CBOR_MORE) ||
            !take_cbor(pipe, pipe->input + at, length, &taken)) {
            return 0;
        }
        at += taken;
    }
    return count;
}

/* Like read_cbor(), for text. */
static ssize_t read_text(struct transport_pipe *pipe, int fd)
{
    if (!make_room(pipe, READ_AT_LEAST)) {
        return 0;
    }
    ssize_t count = read(fd, pipe->buffer + pipe->end, pipe->capacity - pipe->end);
    if (count > 0) {
        size_t scanned = pipe->end;
        pipe->end += (size_t)count;
        deliver_complete(pipe, scanned);
    }
    return count;
}

static bool on_readable(void *data, int fd)
{
    struct transport_pipe *pipe = data;
    for (int i = 0; i < READS_PER_TURN; i++) {
        ssize_t count = pipe->input ? read_cbor(pipe, fd) : read_text(pipe, fd);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return count < 0 && errno == EAGAIN;
        }
        if (pipe->end > pipe->start && pipe->handler.on_part) {
            pipe->handler.on_part(pipe->handler.data);
        }
        if (pipe->input && count < CBOR_INPUT) {
            return true; /* no more bytes are available */
        }
    }
    return true;
}

static void on_closed(void *data)
{
    struct transport_pipe *pipe = data;
    pipe->source = NULL;
    pipe->handler.on_closed(pipe->handler.data, pipe->close_reason);
}

struct start {
    struct transport_pipe *pipe;
    struct br_error *err;
    bool is_started;
};

static void start_on_loop(void *data)
{
    struct start *start = data;
    struct transport_pipe *pipe = start->pipe;
    struct loop_source_handler handler = {
        .on_readable = on_readable,
        .on_closed = on_closed,
        .data = pipe,
    };
    int fd = pipe->read_fd;
    pipe->read_fd = -1;
    pipe->source = loop_watch(pipe->base.loop, fd, &handler, start->err);
    start->is_started = pipe->source;
}

static bool pipe_start(struct transport *transport, const struct transport_handler *handler,
                       struct br_error *err)
{
    struct transport_pipe *pipe = (struct transport_pipe *)transport;
    struct start start = { .pipe = pipe, .err = err };
    pipe->handler = *handler;
    loop_call(pipe->base.loop, start_on_loop, &start);
    return start.is_started;
}

static void stop_on_loop(void *data)
{
    struct transport_pipe *pipe = data;
    if (pipe->source) {
        loop_unwatch(TAKE(pipe->source));
    }
}

static void finish_on_loop(void *data)
{
    struct transport_pipe *pipe = data;
    stop_on_loop(pipe);
    if (pipe->rest.source) {
        loop_unwatch(TAKE(pipe->rest.source));
    }
}

static void abort_on_loop(void *data)
{
    struct transport_pipe *pipe = data;
    if (pipe->source) {
        stop_on_loop(pipe);
        pipe->handler.on_closed(pipe->handler.data, pipe->close_reason);
    }
}

static void break_on_loop(void *data)
{
    struct transport_pipe *pipe = data;
    pipe->close_reason = "the browser stopped reading in the middle of a command";
    abort_on_loop(pipe);
}

static void no_descriptor_on_loop(void *data)
{
    struct transport_pipe *pipe = data;
    pipe->close_reason = "no descriptor was left to wait for the browser with";
    abort_on_loop(pipe);
}

static void end(struct transport_pipe *pipe, void (*task)(void *data))
{
    atomic_store(&pipe->is_broken, true);
    shutdown(pipe->write_fd, SHUT_RDWR);
    loop_post(pipe->base.loop, task, pipe);
}

static void pipe_abort(struct transport *transport)
{
    end((struct transport_pipe *)transport, abort_on_loop);
}

/* Waits until the socket accepts bytes again. Returns false at the deadline. */
static bool wait_writable(int fd, struct deadline deadline)
{
    struct pollfd poll_fd = { .fd = fd, .events = POLLOUT };
    int64_t left_ms = deadline_left_ms(deadline);
    int result = poll(&poll_fd, 1, left_ms < INT_MAX ? (int)left_ms : INT_MAX);
    return result > 0 || (result < 0 && errno == EINTR);
}

enum sent { SENT, SENT_A_PART, NOT_SENT };

/* Sends as much as the socket accepts. NOT_SENT with errno: it accepts nothing any more. */
static enum sent send_now(struct transport_pipe *pipe, const char *text, size_t total,
                          size_t *ret_sent)
{
    while (*ret_sent < total) {
        ssize_t count = send(pipe->write_fd, text + *ret_sent, total - *ret_sent, MSG_NOSIGNAL);
        if (count > 0) {
            *ret_sent += (size_t)count;
        } else if (errno == EAGAIN) {
            return SENT_A_PART;
        } else if (errno != EINTR) {
            atomic_store(&pipe->is_broken, true);
            return NOT_SENT;
        }
    }
    return SENT;
}

/* Includes the NUL that ends a text message. */
static size_t total_of(const struct transport_pipe *pipe, size_t length)
{
    return pipe->input ? length : length + 1;
}

static bool pipe_send(struct transport *transport, const char *text, size_t length,
                      struct deadline deadline, struct br_error *err)
{
    struct transport_pipe *pipe = (struct transport_pipe *)transport;
    size_t total = total_of(pipe, length);
    size_t sent = 0;
    enum sent outcome = SENT_A_PART;
    if (atomic_load(&pipe->is_broken)) {
        return error_set(err, BR_DISCONNECTED, "the pipe to the browser is broken");
    }
    while ((outcome = send_now(pipe, text, total, &sent)) == SENT_A_PART) {
        if (!wait_writable(pipe->write_fd, deadline)) {
            if (sent > 0) {
                /* The next command would be read as the rest of this one. */
                end(pipe, break_on_loop);
            }
            return error_set(err, BR_TIMEOUT, "the browser takes no more commands");
        }
    }
    return outcome == SENT ||
           error_set_errno(err, BR_DISCONNECTED, errno, "cannot write to the browser");
}

/* The browser sends nothing on this descriptor, so it is readable only at its end. */
static bool on_rest_readable(void *data, int fd)
{
    (void)data;
    (void)fd;
    return false;
}

static bool on_rest_writable(void *data, int fd)
{
    struct transport_pipe *pipe = data;
    struct rest *rest = &pipe->rest;
    (void)fd;
    if (send_now(pipe, rest->text, rest->total, &rest->sent) != SENT_A_PART) {
        return false;
    }
    loop_source_await_writable(rest->source, on_rest_writable);
    return true;
}

static void tell_of_rest(void *data)
{
    struct transport_pipe *pipe = data;
    pipe->rest.on_sent(pipe->rest.data);
}

static void on_rest_closed(void *data)
{
    struct transport_pipe *pipe = data;
    pipe->rest.source = NULL;
    if (pipe->rest.sent < pipe->rest.total) {
        atomic_store(&pipe->is_broken, true);
    }
    /* Not called from here, because the next posted message may need a descriptor as well. */
    loop_post(pipe->base.loop, tell_of_rest, pipe);
}

static bool pipe_post(struct transport *transport, const char *text, size_t length,
                      void (*on_sent)(void *data), void *data)
{
    struct transport_pipe *pipe = (struct transport_pipe *)transport;
    struct br_error ignored;
    const struct loop_source_handler handler = {
        .on_readable = on_rest_readable,
        .on_closed = on_rest_closed,
        .data = pipe,
    };
    pipe->rest = (struct rest){
        .text = text,
        .total = total_of(pipe, length),
        .on_sent = on_sent,
        .data = data,
    };
    if (atomic_load(&pipe->is_broken) ||
        send_now(pipe, text, pipe->rest.total, &pipe->rest.sent) != SENT_A_PART) {
        return true;
    }
    int fd = fcntl(pipe->write_fd, F_DUPFD_CLOEXEC, 0);
    pipe->rest.source = fd < 0 ? NULL : loop_watch(pipe->base.loop, fd, &handler, &ignored);
    if (!pipe->rest.source) {
        end(pipe, no_descriptor_on_loop);
        return true;
    }
    loop_source_read(pipe->rest.source, false);
    loop_source_await_writable(pipe->rest.source, on_rest_writable);
    return false;
}

static void pipe_destroy(struct transport *transport)
{
    struct transport_pipe *pipe = (struct transport_pipe *)transport;
    loop_call(pipe->base.loop, finish_on_loop, pipe);
    /* A callback that ran meanwhile may have posted its abort after finish_on_loop(). */
    loop_flush(pipe->base.loop);
    if (pipe->read_fd >= 0) {
        close(pipe->read_fd);
    }
    close(pipe->write_fd);
    free(pipe->buffer);
    free(pipe->input);
    free(pipe);
}

static const struct transport_ops pipe_ops = {
    .start = pipe_start,
    .send = pipe_send,
    .post = pipe_post,
    .abort = pipe_abort,
    .destroy = pipe_destroy,
};

struct transport *transport_pipe_create(struct loop *loop, int read_fd, int write_fd, bool is_cbor)
{
    struct transport_pipe *pipe = xcalloc(1, sizeof(*pipe));
    pipe->base.ops = &pipe_ops;
    pipe->base.is_cbor = is_cbor;
    pipe->input = is_cbor ? xmalloc(CBOR_INPUT) : NULL;
    pipe->base.loop = loop;
    pipe->read_fd = read_fd;
    pipe->write_fd = write_fd;
    pipe->close_reason = "the browser closed the pipe";
    fcntl(read_fd, F_SETFL, O_NONBLOCK);
    fcntl(write_fd, F_SETFL, O_NONBLOCK);
    /* Allows fewer and larger reads of large replies. Only a hint: sockets refuse it. */
    fcntl(read_fd, F_SETPIPE_SZ, PIPE_SIZE);
    return &pipe->base;
}
