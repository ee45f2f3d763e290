#include "runner/loop/loop.h"
#include "runner/base/thread.h"

#include <assert.h>
#include <libwebsockets.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    /* Most descriptors, even if the process may open more: their tables are allocated at once. */
    LOOP_MOST_DESCRIPTORS = 16384,
    /*
     * Bytes that libwebsockets reads from a socket at once; its own 4 KB make large replies slow.
     */
    LOOP_READ_SIZE = 64 * 1024,
    /* Bytes of all headers of a request to our servers; a longer request is not answered. */
    LOOP_HEADERS_SIZE = 16 * 1024,
};

struct task {
    void (*run)(void *data);
    void *data;
    struct task *next;
};

struct loop {
    struct lws_context *context;
    struct lws_vhost *vhost;
    pthread_t thread;
    pthread_mutex_t mutex; /* guards the tasks and is_ending */
    struct task *first, **last;
    bool is_ending;
    bool has_tls;
    /* Used on the loop thread only: watched descriptors, and timers that have not fired. */
    lws_dll2_owner_t sources;
    lws_dll2_owner_t writers; /* sources that called loop_source_await_writable() inside
                                 on_writable; see ask_again() */
    lws_dll2_owner_t timers;
    struct lws *newest; /* the last wsi that libwebsockets has created for a descriptor */
    bool is_serving;    /* callbacks are running; tasks run after them */
};

struct loop_source {
    lws_dll2_t link;
    lws_dll2_t writer_link;
    struct loop *loop;
    struct lws *wsi;
    struct loop_source_handler handler;
    bool (*on_writable)(void *data, int fd); /* NULL: not awaited */
    bool is_in_writable;
};

struct loop_timer {
    lws_sorted_usec_list_t entry;
    lws_dll2_t link;
    struct loop *loop;
    void (*on_timer)(void *data);
    void *data;
};

static bool be_writable(struct loop_source *source)
{
    bool (*on_writable)(void *data, int fd) = TAKE(source->on_writable);
    if (!on_writable) {
        return true;
    }
    source->is_in_writable = true;
    bool is_fine = on_writable(source->handler.data, (int)lws_get_socket_fd(source->wsi));
    source->is_in_writable = false;
    return is_fine;
}

static int on_descriptor(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                         size_t length)
{
    (void)user;
    (void)in;
    (void)length;
    if (reason == LWS_CALLBACK_WSI_CREATE) {
        struct loop *loop = lws_vhost_user(lws_get_vhost(wsi));
        loop->newest = wsi;
        return 0;
    }
    struct loop_source *source = wsi ? lws_get_opaque_user_data(wsi) : NULL;
    if (!source) {
        return 0;
    }
    if (reason == LWS_CALLBACK_RAW_RX_FILE) {
        int fd = (int)lws_get_socket_fd(wsi);
        return source->handler.on_readable(source->handler.data, fd) ? 0 : -1;
    }
    if (reason == LWS_CALLBACK_RAW_WRITEABLE_FILE) {
        return be_writable(source) ? 0 : -1;
    }
    if (reason == LWS_CALLBACK_RAW_CLOSE_FILE) {
        struct loop_source_handler handler = source->handler;
        lws_dll2_remove(&source->link);
        lws_dll2_remove(&source->writer_link);
        free(source);
        lws_set_opaque_user_data(wsi, NULL);
        if (handler.on_closed) {
            handler.on_closed(handler.data);
        }
    }
    return 0;
}

static const struct lws_protocols protocols[] = {
    { .name = "descriptor", .callback = on_descriptor },
    { .name = NULL },
};

static struct task *take_tasks(struct loop *loop)
{
    pthread_mutex_lock(&loop->mutex);
    struct task *first = TAKE(loop->first);
    loop->last = &loop->first;
    pthread_mutex_unlock(&loop->mutex);
    return first;
}

/* Returns whether there were any tasks. */
static bool run_tasks(struct loop *loop)
{
    struct task *task = take_tasks(loop);
    bool was_any = task;
    while (task) {
        struct task *next = task->next;
        task->run(task->data);
        free(task);
        task = next;
    }
    return was_any;
}

/* libwebsockets loses a lws_callback_on_writable() that is called inside RAW_WRITEABLE_FILE. */
static void ask_again(struct loop *loop)
{
    while (loop->writers.head) {
        struct loop_source *source =
            lws_container_of(loop->writers.head, struct loop_source, writer_link);
        lws_dll2_remove(&source->writer_link);
        lws_callback_on_writable(source->wsi);
    }
}

static bool is_ending(struct loop *loop)
{
    pthread_mutex_lock(&loop->mutex);
    bool result = loop->is_ending;
    pthread_mutex_unlock(&loop->mutex);
    return result;
}

static void close_source(struct loop_source *source)
{
    lws_set_timeout(source->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
}

static void *run(void *data)
{
    struct loop *loop = data;
    while (!is_ending(loop)) {
        loop->is_serving = true;
        lws_service(loop->context, 0);
        loop->is_serving = false;
        ask_again(loop);
        /* Runs outside of callbacks, so that a task may close any socket. */
        run_tasks(loop);
    }
    /*
     * Done here and not in loop_destroy(): on_closed must run on this thread, and may post tasks.
     */
    while (run_tasks(loop) || loop->sources.head) {
        if (loop->sources.head) {
            close_source(lws_container_of(loop->sources.head, struct loop_source, link));
        }
    }
    return NULL;
}

/*
 * Returns a number below what the process may open now. Otherwise libwebsockets uses a descriptor's
 * number as its index in a table of that size, which is too small when the process may open more
 * later.
 */
static unsigned max_descriptors(void)
{
    struct rlimit limit;
    bool is_small =
        getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur <= LOOP_MOST_DESCRIPTORS;
    return is_small ? (unsigned)limit.rlim_cur - 1 : LOOP_MOST_DESCRIPTORS;
}

static bool create_context(struct loop *loop, bool with_tls, struct br_error *err)
{
    lws_set_log_level(0, NULL);
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
        .fd_limit_per_thread = max_descriptors(),
        .pt_serv_buf_size = LOOP_READ_SIZE,
        .max_http_header_data = LOOP_HEADERS_SIZE,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   (with_tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0),
        .vhost_name = "descriptors",
        .user = loop,
    };
    loop->context = lws_create_context(&info);
    loop->vhost = loop->context ? lws_create_vhost(loop->context, &info) : NULL;
    if (!loop->vhost) {
        return error_set(err, BR_UNKNOWN_ERROR, "cannot start the event loop");
    }
    return true;
}

struct loop *loop_create(bool with_tls, struct br_error *err)
{
    struct loop *loop = xcalloc(1, sizeof(*loop));
    loop->last = &loop->first;
    loop->has_tls = with_tls;
    pthread_mutex_init(&loop->mutex, NULL);
    if (create_context(loop, with_tls, err)) {
        int failure = thread_start(&loop->thread, run, loop);
        if (!failure) {
            return loop;
        }
        error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot start the loop's thread");
    }
    if (loop->context) {
        lws_context_destroy(loop->context);
    }
    pthread_mutex_destroy(&loop->mutex);
    free(loop);
    return NULL;
}

void loop_destroy(struct loop *loop)
{
    if (!loop) {
        return;
    }
    pthread_mutex_lock(&loop->mutex);
    loop->is_ending = true;
    pthread_mutex_unlock(&loop->mutex);
    lws_cancel_service(loop->context);
    pthread_join(loop->thread, NULL);
    while (loop->timers.head) {
        loop_timer_cancel(lws_container_of(loop->timers.head, struct loop_timer, link));
    }
    lws_context_destroy(loop->context);
    pthread_mutex_destroy(&loop->mutex);
    free(loop);
}

void loop_post(struct loop *loop, void (*run_task)(void *data), void *data)
{
    struct task *task = xcalloc(1, sizeof(*task));
    task->run = run_task;
    task->data = data;
    pthread_mutex_lock(&loop->mutex);
    bool is_first = !loop->first;
    *loop->last = task;
    loop->last = &task->next;
    pthread_mutex_unlock(&loop->mutex);
    /*
     * If tasks were waiting, their first post has woken the loop, which runs all of them. After a
     * callback the loop runs tasks before it sleeps; after a timer, on_ripe() wakes it.
     */
    if (is_first && !(loop_is_here(loop) && loop->is_serving)) {
        lws_cancel_service(loop->context);
    }
}

bool loop_is_here(const struct loop *loop)
{
    return pthread_equal(loop->thread, pthread_self());
}

struct call {
    void (*task)(void *data);
    void *data;
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    bool is_done;
};

static void run_call(void *data)
{
    struct call *call = data;
    call->task(call->data);
    pthread_mutex_lock(&call->mutex);
    call->is_done = true;
    pthread_cond_signal(&call->condition);
    pthread_mutex_unlock(&call->mutex);
}

void loop_call(struct loop *loop, void (*task)(void *data), void *data)
{
    struct call call = { .task = task, .data = data };
    assert(!loop_is_here(loop));
    mutex_assert_none();
    pthread_mutex_init(&call.mutex, NULL);
    pthread_cond_init(&call.condition, NULL);
    loop_post(loop, run_call, &call);
    pthread_mutex_lock(&call.mutex);
    while (!call.is_done) {
        pthread_cond_wait(&call.condition, &call.mutex);
    }
    pthread_mutex_unlock(&call.mutex);
    pthread_cond_destroy(&call.condition);
    pthread_mutex_destroy(&call.mutex);
}

static void do_nothing(void *data)
{
    (void)data;
}

void loop_flush(struct loop *loop)
{
    loop_call(loop, do_nothing, NULL);
}

struct loop_source *loop_watch(struct loop *loop, int fd, const struct loop_source_handler *handler,
                               struct br_error *err)
{
    lws_sock_file_fd_type descriptor = { .filefd = fd };
    loop->newest = NULL;
    struct lws *wsi = lws_adopt_descriptor_vhost(loop->vhost, LWS_ADOPT_RAW_FILE_DESC, descriptor,
                                                 protocols[0].name, NULL);
    if (!wsi) {
        if (loop->newest) {
            /* libwebsockets forgets the descriptor here, and would close its number at the end. */
            lws_set_timeout(loop->newest, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
        } else {
            close(fd);
        }
        error_set(err, BR_LIMIT_EXCEEDED, "the event loop has no room for another descriptor");
        return NULL;
    }
    struct loop_source *source = xcalloc(1, sizeof(*source));
    source->loop = loop;
    source->wsi = wsi;
    source->handler = *handler;
    lws_dll2_add_head(&source->link, &loop->sources);
    lws_set_opaque_user_data(wsi, source);
    return source;
}

void loop_unwatch(struct loop_source *source)
{
    source->handler.on_closed = NULL;
    close_source(source);
}

void loop_source_read(struct loop_source *source, bool is_wanted)
{
    lws_rx_flow_control(source->wsi, is_wanted);
}

void loop_source_await_writable(struct loop_source *source, bool (*on_writable)(void *data, int fd))
{
    source->on_writable = on_writable;
    if (!source->is_in_writable) {
        lws_callback_on_writable(source->wsi);
    } else if (lws_dll2_is_detached(&source->writer_link)) {
        lws_dll2_add_tail(&source->writer_link, &source->loop->writers);
    }
}

static void on_ripe(lws_sorted_usec_list_t *entry)
{
    struct loop_timer *timer = lws_container_of(entry, struct loop_timer, entry);
    struct loop *loop = timer->loop;
    void (*on_timer)(void *data) = timer->on_timer;
    void *data = timer->data;
    lws_dll2_remove(&timer->link);
    free(timer);
    on_timer(data);
    /* lws_service() sleeps again after its timers. Wake it, so that it returns and tasks run. */
    lws_cancel_service(loop->context);
}

struct loop_timer *loop_timer_start(struct loop *loop, int64_t ms, void (*on_timer)(void *data),
                                    void *data)
{
    struct loop_timer *timer = xcalloc(1, sizeof(*timer));
    timer->loop = loop;
    timer->on_timer = on_timer;
    timer->data = data;
    lws_dll2_add_head(&timer->link, &loop->timers);
    lws_sul_schedule(loop->context, 0, &timer->entry, on_ripe, ms * LWS_US_PER_MS);
    return timer;
}

void loop_timer_cancel(struct loop_timer *timer)
{
    lws_sul_cancel(&timer->entry);
    lws_dll2_remove(&timer->link);
    free(timer);
}

struct lws_context *loop_context(struct loop *loop)
{
    return loop->context;
}

bool loop_has_tls(const struct loop *loop)
{
    return loop->has_tls;
}
