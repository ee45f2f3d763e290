#include "runner/net/lines.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    READ_SIZE = 64 * 1024,
    WRITE_SIZE = 256 * 1024,
    /* Bytes that one connection may write before other connections are served. */
    TURN_SIZE = 1024 * 1024,
    /* A larger buffer is freed when it is empty. */
    KEPT_BUFFER = 256 * 1024,
};

struct lines {
    struct connection base;
    struct loop_source *source;
    struct line_cut cut; /* position in base.incoming */
    bool has_ended;      /* the client has stopped sending */
    bool is_end_reported;
    bool is_delivering; /* deliver() is running */
};

size_t line_cut_rest(const struct line_cut *cut, const struct strbuf *text)
{
    return text->length - cut->start;
}

char *line_cut_next(struct line_cut *cut, struct strbuf *text, bool has_ended, size_t *ret_length)
{
    char *line = text->data + cut->start;
    size_t rest = line_cut_rest(cut, text);
    char *newline = memchr(line + cut->looked, '\n', rest - cut->looked);
    if (newline) {
        *newline = '\0';
        *ret_length = (size_t)(newline - line);
        cut->start += *ret_length + 1;
        cut->looked = 0;
        return line;
    }
    if (has_ended && rest > 0) {
        *ret_length = rest;
        cut->start += rest;
        cut->looked = 0;
        return line;
    }
    cut->looked = rest;
    return NULL;
}

void line_cut_forget(struct line_cut *cut, struct strbuf *text)
{
    size_t rest = line_cut_rest(cut, text);
    if (rest == 0 && text->capacity > KEPT_BUFFER) {
        strbuf_finish(text);
    } else if (cut->start > 0) {
        memmove(text->data, text->data + cut->start, rest);
        strbuf_truncate(text, rest);
    }
    cut->start = 0;
}

static void lines_free(struct lines *lines)
{
    connection_finish(&lines->base);
    free(lines);
}

static void on_closed(void *data)
{
    lines_free(data);
}

static bool on_writable(void *data, int fd)
{
    struct lines *lines = data;
    struct queue *queue = &lines->base.queue;
    for (size_t turn = 0; turn < TURN_SIZE;) {
        size_t length = 0;
        bool is_first, is_last;
        unsigned char *bytes = queue_begin(queue, WRITE_SIZE, &length, &is_first, &is_last);
        if (!bytes) {
            return !lines->base.is_closing;
        }
        ssize_t count = send(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno != EAGAIN && errno != EINTR) {
            return false;
        }
        if (count < 0) {
            break;
        }
        connection_note_life(&lines->base);
        if (is_last && (size_t)count == length) {
            connection_note_sent(&lines->base, queue->first->length);
        }
        queue_advance(queue, (size_t)count);
        turn += (size_t)count;
    }
    loop_source_await_writable(lines->source, on_writable);
    return true;
}

static void lines_write(struct connection *connection)
{
    loop_source_await_writable(((struct lines *)connection)->source, on_writable);
}

static void lines_kill(struct connection *connection)
{
    struct lines *lines = (struct lines *)connection;
    loop_unwatch(lines->source);
    lines_free(lines);
}

static void report_end(struct lines *lines)
{
    const struct net_handler *handler = &lines->base.all->handler;
    lines->is_end_reported = true;
    if (handler->on_end) {
        handler->on_end(handler->data, lines->base.id);
    } else {
        connection_close(&lines->base, 1000, "");
    }
}

/*
 * Delivers whole lines until the connection is paused. After the last line, reports the end of the
 * stream.
 */
static void deliver(struct lines *lines)
{
    struct connection *connection = &lines->base;
    size_t max = connection->all->limits.max_message;
    lines->is_delivering = true;
    while (connection_is_read(connection) && !lines->is_end_reported) {
        size_t length = 0;
        char *line = line_cut_next(&lines->cut, &connection->incoming, lines->has_ended, &length);
        if (line && length <= max) {
            connection_take(connection, line, length);
        } else if (line || line_cut_rest(&lines->cut, &connection->incoming) > max) {
            connection_close(connection, 1009, "");
        } else if (lines->has_ended) {
            report_end(lines);
        } else {
            break;
        }
    }
    lines->is_delivering = false;
    line_cut_forget(&lines->cut, &connection->incoming);
}

/* Reads only once, so that other connections are served. */
static bool on_readable(void *data, int fd)
{
    struct lines *lines = data;
    struct strbuf *incoming = &lines->base.incoming;
    if (!connection_is_read(&lines->base) || lines->has_ended) {
        return true;
    }
    strbuf_reserve(incoming, READ_SIZE);
    ssize_t count = recv(fd, incoming->data + incoming->length, READ_SIZE, MSG_DONTWAIT);
    if (count < 0) {
        return errno == EAGAIN || errno == EINTR;
    }
    connection_note_life(&lines->base);
    incoming->length += (size_t)count;
    incoming->data[incoming->length] = '\0';
    if (count == 0) {
        lines->has_ended = true;
        loop_source_read(lines->source, false);
    }
    deliver(lines);
    return true;
}

struct later {
    struct connections *all;
    uint64_t id;
};

static void deliver_later(void *data)
{
    struct later *later = data;
    struct lines *lines = (struct lines *)connections_find(later->all, later->id);
    if (lines && !lines->base.is_killed) {
        deliver(lines);
    }
    free(later);
}

static void lines_read(struct connection *connection, bool is_allowed)
{
    struct lines *lines = (struct lines *)connection;
    loop_source_read(lines->source, is_allowed && !lines->has_ended);
    if (is_allowed && !lines->is_delivering) {
        struct later *later = xmalloc(sizeof(*later));
        *later = (struct later){ .all = connection->all, .id = connection->id };
        loop_post(connection->all->loop, deliver_later, later);
    }
}

static const struct connection_ops lines_ops = {
    .write = lines_write,
    .read = lines_read,
    .kill = lines_kill,
};

bool lines_accept(struct connections *all, int fd, const struct net_peer *peer)
{
    struct br_error err = { 0 };
    struct lines *lines = xcalloc(1, sizeof(*lines));
    const struct loop_source_handler handler = { on_readable, on_closed, lines };
    lines->source = loop_watch(all->loop, fd, &handler, &err);
    if (!lines->source) {
        free(lines);
        return false;
    }
    connection_init(&lines->base, all, &lines_ops);
    if (!connection_open(&lines->base, peer)) {
        connection_kill(&lines->base);
    }
    return true;
}
