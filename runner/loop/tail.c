#include "runner/loop/tail.h"

#include "runner/base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

struct tail {
    struct loop *loop;
    struct loop_source *source; /* used on the loop thread; NULL when closed */
    pthread_mutex_t mutex;      /* guards the members below */
    pthread_cond_t closed;
    bool is_closed;
    struct strbuf text;
};

/* Appends the bytes, and drops the oldest ones above the limit. */
static void keep(struct tail *tail, const char *bytes, size_t length)
{
    struct strbuf *text = &tail->text;
    pthread_mutex_lock(&tail->mutex);
    if (length > text->max) {
        bytes += length - text->max;
        length = text->max;
    }
    if (text->length + length > text->max) {
        size_t excess = text->length + length - text->max;
        memmove(text->data, text->data + excess, text->length - excess);
        strbuf_truncate(text, text->length - excess);
    }
    strbuf_add(text, bytes, length);
    pthread_mutex_unlock(&tail->mutex);
}

static bool on_readable(void *data, int fd)
{
    char buffer[4096];
    for (;;) {
        ssize_t count = read(fd, buffer, sizeof(buffer));
        if (count <= 0) {
            return count < 0 && (errno == EAGAIN || errno == EINTR);
        }
        keep(data, buffer, (size_t)count);
    }
}

static void on_closed(void *data)
{
    struct tail *tail = data;
    tail->source = NULL;
    pthread_mutex_lock(&tail->mutex);
    tail->is_closed = true;
    pthread_cond_broadcast(&tail->closed);
    pthread_mutex_unlock(&tail->mutex);
}

struct watch {
    struct tail *tail;
    int fd;
    struct br_error *err;
    bool is_watched; /* loop_watch() succeeded; the source may have closed since */
};

static void watch_on_loop(void *data)
{
    struct watch *watch = data;
    struct tail *tail = watch->tail;
    const struct loop_source_handler handler = { on_readable, on_closed, tail };
    tail->source = loop_watch(tail->loop, watch->fd, &handler, watch->err);
    watch->is_watched = tail->source != NULL;
}

static void unwatch_on_loop(void *data)
{
    struct tail *tail = data;
    if (tail->source) {
        loop_unwatch(tail->source);
    }
}

struct tail *tail_create(struct loop *loop, int fd, size_t max, struct br_error *err)
{
    struct tail *tail = xcalloc(1, sizeof(*tail));
    tail->loop = loop;
    tail->text = (struct strbuf)STRBUF_INIT(max);
    pthread_mutex_init(&tail->mutex, NULL);
    condition_init(&tail->closed);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    struct watch watch = { .tail = tail, .fd = fd, .err = err };
    loop_call(loop, watch_on_loop, &watch);
    if (!watch.is_watched) {
        tail_destroy(tail);
        return NULL;
    }
    return tail;
}

void tail_destroy(struct tail *tail)
{
    if (!tail) {
        return;
    }
    loop_call(tail->loop, unwatch_on_loop, tail);
    strbuf_finish(&tail->text);
    pthread_cond_destroy(&tail->closed);
    pthread_mutex_destroy(&tail->mutex);
    free(tail);
}

bool tail_wait(struct tail *tail, struct deadline deadline)
{
    pthread_mutex_lock(&tail->mutex);
    while (!tail->is_closed && condition_wait(&tail->closed, &tail->mutex, deadline)) {
    }
    bool is_closed = tail->is_closed;
    pthread_mutex_unlock(&tail->mutex);
    return is_closed;
}

char *tail_text(struct tail *tail)
{
    pthread_mutex_lock(&tail->mutex);
    char *text = xstrndup(tail->text.data, tail->text.length);
    pthread_mutex_unlock(&tail->mutex);
    return text;
}
