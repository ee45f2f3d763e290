#include "runner/cdp/transport.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FIRST_BUFFER = 64 * 1024, READ_AT_LEAST = 16 * 1024, PIPE_SIZE = 1024 * 1024 };

struct transport_pipe {
    struct transport base;
    struct loop *loop;
    struct loop_source *source; /* NULL before start and after its end */
    int read_fd;                /* the source's as soon as there is one */
    int write_fd;
    bool is_broken; /* a message was sent in part; nothing may follow it */
    struct transport_handler handler;
    char *buffer; /* what was read and not delivered */
    size_t length, capacity;
    const char *close_reason;
};

static bool make_room(struct transport_pipe *pipe)
{
    if (pipe->capacity - pipe->length > READ_AT_LEAST) {
        return true;
    }
    if (pipe->length > TRANSPORT_MAX_MESSAGE) {
        pipe->close_reason = "the browser sent a message that is too large";
        return false;
    }
    pipe->capacity = pipe->capacity ? pipe->capacity * 2 : FIRST_BUFFER;
    pipe->buffer = xrealloc(pipe->buffer, pipe->capacity);
    return true;
}

/* Hands on the message that ends at `end`, the offset of its NUL; the rest moves to the front. */
static void deliver(struct transport_pipe *pipe, size_t end)
{
    size_t rest = pipe->length - end - 1;
    char *message = NULL;
    if (rest == 0) {
        /* The usual case, and that of large messages: the buffer itself goes. */
        message = TAKE(pipe->buffer);
        pipe->capacity = 0;
    } else {
        message = xmalloc(end + 1);
        memcpy(message, pipe->buffer, end + 1);
        memmove(pipe->buffer, pipe->buffer + end + 1, rest);
    }
    pipe->length = rest;
    pipe->handler.on_message(pipe->handler.data, message, end);
}

/* Delivers every message that the bytes from `scanned` on complete. */
static void deliver_complete(struct transport_pipe *pipe, size_t scanned)
{
    while (scanned < pipe->length) {
        char *nul = memchr(pipe->buffer + scanned, '\0', pipe->length - scanned);
        if (!nul) {
            return;
        }
        deliver(pipe, (size_t)(nul - pipe->buffer));
        scanned = 0;
    }
}

static bool on_readable(void *data, int fd)
{
    struct transport_pipe *pipe = data;
    for (;;) {
        if (!make_room(pipe)) {
            return false;
        }
        ssize_t count = read(fd, pipe->buffer + pipe->length, pipe->capacity - pipe->length);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return count < 0 && errno == EAGAIN;
        }
        size_t scanned = pipe->length;
        pipe->length += (size_t)count;
        deliver_complete(pipe, scanned);
    }
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
    pipe->source = loop_watch(pipe->loop, fd, &handler, start->err);
}

static bool pipe_start(struct transport *transport, const struct transport_handler *handler,
                       struct br_error *err)
{
    struct transport_pipe *pipe = (struct transport_pipe *)transport;
    struct start start = { .pipe = pipe, .err = err };
    pipe->handler = *handler;
    err->code = BR_OK;
    loop_call(pipe->loop, start_on_loop, &start);
    return err->code == BR_OK;
}

/* Waits until the socket takes bytes again. */
static bool wait_writable(int fd, struct deadline deadline)
{
    struct pollfd poll_fd = { .fd = fd, .events = POLLOUT };
    int result = poll(&poll_fd, 1, (int)deadline_left_ms(deadline));
    return result > 0 || (result < 0 && errno == EINTR);
}

static bool pipe_send(struct transport *transport, const char *text, size_t length,
                      struct deadline deadline, struct br_error *err)
{
    struct transport_pipe *pipe = (struct transport_pipe *)transport;
    size_t total = length + 1; /* with the NUL that ends a message */
    size_t sent = 0;
    if (pipe->is_broken) {
        return error_set(err, BR_DISCONNECTED, "the pipe to the browser is broken");
    }
    while (sent < total) {
        ssize_t count = send(pipe->write_fd, text + sent, total - sent, MSG_NOSIGNAL);
        if (count > 0) {
            sent += (size_t)count;
        } else if (errno == EAGAIN) {
            if (!wait_writable(pipe->write_fd, deadline)) {
                pipe->is_broken = sent > 0;
                return error_set(err, BR_TIMEOUT, "the browser takes no more commands");
            }
        } else if (errno != EINTR) {
            pipe->is_broken = true;
            return error_set_errno(err, BR_DISCONNECTED, errno, "cannot write to the browser");
        }
    }
    return true;
}

static void stop_on_loop(void *data)
{
    struct transport_pipe *pipe = data;
    if (pipe->source) {
        loop_unwatch(pipe->source);
    }
}

static void pipe_destroy(struct transport *transport)
{
    struct transport_pipe *pipe = (struct transport_pipe *)transport;
    loop_call(pipe->loop, stop_on_loop, pipe);
    if (pipe->read_fd >= 0) {
        close(pipe->read_fd);
    }
    close(pipe->write_fd);
    free(pipe->buffer);
    free(pipe);
}

static const struct transport_ops pipe_ops = {
    .start = pipe_start,
    .send = pipe_send,
    .destroy = pipe_destroy,
};

struct transport *transport_pipe_create(struct loop *loop, int read_fd, int write_fd)
{
    struct transport_pipe *pipe = xcalloc(1, sizeof(*pipe));
    pipe->base.ops = &pipe_ops;
    pipe->loop = loop;
    pipe->read_fd = read_fd;
    pipe->write_fd = write_fd;
    pipe->close_reason = "the browser closed the pipe";
    fcntl(read_fd, F_SETFL, O_NONBLOCK);
    fcntl(write_fd, F_SETFL, O_NONBLOCK);
    /* Fewer and larger reads of large replies; a hint, refused for sockets. */
    fcntl(read_fd, F_SETPIPE_SZ, PIPE_SIZE);
    return &pipe->base;
}
