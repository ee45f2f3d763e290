#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/loop/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Long enough for any machine; a wait that reaches it is a failure. */
enum { PATIENCE_MS = 60000 };

static struct loop *create_loop(void)
{
    struct br_error err;
    struct loop *loop = loop_create(false, &err);
    assert_non_null(loop);
    return loop;
}

/* What the callbacks of one source recorded, and a condition to wait for it. */
struct witness {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct loop *loop;
    struct loop_source *source;
    int fd;
    char bytes[64];
    size_t length;
    int readable_count, closed_count, timer_count;
    bool closes_when_readable, was_watched;
    pthread_t closed_on;
};

static void witness_init(struct witness *witness, struct loop *loop)
{
    pthread_condattr_t attributes;
    *witness = (struct witness){ .loop = loop };
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&witness->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&witness->mutex, NULL);
}

static void witness_finish(struct witness *witness)
{
    pthread_cond_destroy(&witness->changed);
    pthread_mutex_destroy(&witness->mutex);
}

/* Reads a counter that the loop may change. */
static int count_of(struct witness *witness, const int *count)
{
    pthread_mutex_lock(&witness->mutex);
    int number = *count;
    pthread_mutex_unlock(&witness->mutex);
    return number;
}

static void await_count(struct witness *witness, const int *count, int wanted)
{
    struct timespec until = deadline_timespec(deadline_in_ms(PATIENCE_MS));
    int result = 0;
    pthread_mutex_lock(&witness->mutex);
    while (*count < wanted && result == 0) {
        result = pthread_cond_timedwait(&witness->changed, &witness->mutex, &until);
    }
    pthread_mutex_unlock(&witness->mutex);
    assert_int_equal(result, 0);
}

static bool on_readable(void *data, int fd)
{
    struct witness *witness = data;
    pthread_mutex_lock(&witness->mutex);
    ssize_t count = 0;
    while (!witness->closes_when_readable &&
           (count = read(fd, witness->bytes + witness->length,
                         sizeof(witness->bytes) - witness->length)) > 0) {
        witness->length += (size_t)count;
    }
    bool is_open = !witness->closes_when_readable && count < 0 && errno == EAGAIN;
    witness->readable_count++;
    pthread_cond_broadcast(&witness->changed);
    pthread_mutex_unlock(&witness->mutex);
    return is_open;
}

static void on_closed(void *data)
{
    struct witness *witness = data;
    pthread_mutex_lock(&witness->mutex);
    witness->closed_count++;
    witness->closed_on = pthread_self();
    witness->source = NULL;
    pthread_cond_broadcast(&witness->changed);
    pthread_mutex_unlock(&witness->mutex);
}

static void watch_on_loop(void *data)
{
    struct witness *witness = data;
    struct br_error err;
    struct loop_source_handler handler = {
        .on_readable = on_readable,
        .on_closed = on_closed,
        .data = witness,
    };
    witness->source = loop_watch(witness->loop, witness->fd, &handler, &err);
    witness->was_watched = witness->source;
}

static void unwatch_on_loop(void *data)
{
    struct witness *witness = data;
    loop_unwatch(witness->source);
}

static void watch(struct witness *witness, int fd)
{
    witness->fd = fd;
    loop_call(witness->loop, watch_on_loop, witness);
    assert_true(witness->was_watched);
}

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

static void test_watch_when_a_pipe_has_bytes_reads_them_until_its_end(void **state)
{
    (void)state;
    int fds[2];
    struct witness witness;
    struct loop *loop = create_loop();
    witness_init(&witness, loop);
    assert_int_equal(pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
    watch(&witness, fds[0]);
    assert_int_equal(write(fds[1], "one", 3), 3);
    await_count(&witness, &witness.readable_count, 1);
    assert_int_equal(write(fds[1], "two", 3), 3);
    /* Data written before the end is read, however late the loop runs. */
    assert_int_equal(write(fds[1], "three", 5), 5);
    close(fds[1]);
    await_count(&witness, &witness.closed_count, 1);
    loop_destroy(loop);
    assert_int_equal(witness.length, 11);
    assert_memory_equal(witness.bytes, "onetwothree", 11);
    assert_int_equal(witness.closed_count, 1);
    assert_false(is_open(fds[0]));
    witness_finish(&witness);
}

static void test_watch_when_the_process_of_a_pidfd_ends_is_told(void **state)
{
    (void)state;
    int fds[2];
    struct witness witness;
    struct loop *loop = create_loop();
    witness_init(&witness, loop);
    witness.closes_when_readable = true;
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char byte;
        close(fds[1]);
        _exit(read(fds[0], &byte, 1) == 0 ? 7 : 8);
    }
    close(fds[0]);
    int pidfd = platform_process_open(pid);
    assert_true(pidfd >= 0);
    watch(&witness, pidfd);
    assert_int_equal(count_of(&witness, &witness.readable_count), 0);
    close(fds[1]);
    await_count(&witness, &witness.closed_count, 1);
    assert_int_equal(count_of(&witness, &witness.readable_count), 1);
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(WEXITSTATUS(status), 7);
    loop_destroy(loop);
    witness_finish(&witness);
}

static void test_watch_when_a_signal_comes_to_a_signalfd_reads_it(void **state)
{
    (void)state;
    struct witness witness;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    struct loop *loop = create_loop();
    witness_init(&witness, loop);
    witness.closes_when_readable = true;
    watch(&witness, signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC));
    kill(getpid(), SIGUSR1);
    await_count(&witness, &witness.closed_count, 1);
    loop_destroy(loop);
    assert_int_equal(witness.readable_count, 1);
    witness_finish(&witness);
    sigwaitinfo(&signals, NULL);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

static void test_unwatch_when_watched_closes_without_a_callback(void **state)
{
    (void)state;
    struct witness witness;
    struct loop *loop = create_loop();
    witness_init(&witness, loop);
    int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    watch(&witness, fd);
    loop_call(loop, unwatch_on_loop, &witness);
    assert_false(is_open(fd));
    loop_destroy(loop);
    assert_int_equal(witness.closed_count, 0);
    assert_int_equal(witness.readable_count, 0);
    witness_finish(&witness);
}

/* SPARE: descriptors of the loop and of libwebsockets. */
enum { MANY = 700, FEW = 200, SPARE = 16 };

struct crowd {
    struct loop *loop;
    struct loop_source *sources[MANY];
    int fds[MANY];
    struct br_error err;
    size_t count;
};

static void fill_on_loop(void *data)
{
    struct crowd *crowd = data;
    struct loop_source_handler handler = { .on_readable = on_readable };
    while (crowd->count < MANY) {
        int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        crowd->fds[crowd->count] = fd;
        crowd->sources[crowd->count] = loop_watch(crowd->loop, fd, &handler, &crowd->err);
        if (!crowd->sources[crowd->count]) {
            return;
        }
        crowd->count++;
    }
}

static void empty_on_loop(void *data)
{
    struct crowd *crowd = data;
    while (crowd->count > 0) {
        loop_unwatch(crowd->sources[--crowd->count]);
    }
}

/* Sets how many descriptors the process may open; returns the previous limit. */
static rlim_t set_descriptor_limit(rlim_t soft)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = soft;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    return before;
}

/* Also if the limit is raised afterwards. */
static void test_watch_when_the_loop_is_full_closes_and_fails(void **state)
{
    (void)state;
    rlim_t before = set_descriptor_limit(FEW);
    struct loop *loop = create_loop();
    set_descriptor_limit(before);
    struct crowd crowd = { .loop = loop };
    loop_call(loop, fill_on_loop, &crowd);
    assert_in_range(crowd.count, FEW - SPARE, FEW);
    assert_int_equal(crowd.err.code, BR_LIMIT_EXCEEDED);
    assert_false(is_open(crowd.fds[crowd.count]));
    loop_call(loop, empty_on_loop, &crowd);
    loop_call(loop, fill_on_loop, &crowd);
    assert_in_range(crowd.count, FEW - SPARE, FEW);
    loop_destroy(loop);
}

static void test_watch_takes_as_many_as_the_process_may_open(void **state)
{
    (void)state;
    rlim_t before = set_descriptor_limit(MANY + 100);
    struct loop *loop = create_loop();
    struct crowd crowd = { .loop = loop };
    loop_call(loop, fill_on_loop, &crowd);
    assert_int_equal(crowd.count, MANY);
    loop_destroy(loop);
    set_descriptor_limit(before);
}

static void call_itself(void *data)
{
    loop_flush(data);
}

/* It would wait for itself forever. */
static void test_call_from_the_loop_itself_is_our_own_mistake(void **state)
{
    (void)state;
#ifdef NDEBUG
    skip(); /* asserts are compiled out, and it would wait */
#endif
    int status = 0;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        const struct rlimit no_core = { 0 };
        setrlimit(RLIMIT_CORE, &no_core);
        signal(SIGABRT, SIG_DFL);
        close(STDERR_FILENO);
        struct loop *loop = create_loop();
        loop_call(loop, call_itself, loop);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void count_timer(void *data)
{
    struct witness *witness = data;
    pthread_mutex_lock(&witness->mutex);
    witness->timer_count++;
    pthread_cond_broadcast(&witness->changed);
    pthread_mutex_unlock(&witness->mutex);
}

static void post_from_timer(void *data)
{
    struct witness *witness = data;
    loop_post(witness->loop, count_timer, witness);
}

static void start_posting_timer(void *data)
{
    struct witness *witness = data;
    loop_timer_start(witness->loop, 5, post_from_timer, witness);
}

/* libwebsockets runs expired timers and then sleeps until the next event, 23 days at most. */
static void test_timer_when_it_ends_a_wait_ends_it_at_once(void **state)
{
    (void)state;
    struct witness witness;
    struct loop *loop = create_loop();
    witness_init(&witness, loop);
    loop_call(loop, start_posting_timer, &witness);
    await_count(&witness, &witness.timer_count, 1);
    /* Also for the wait of the loop itself. */
    loop_call(loop, start_posting_timer, &witness);
    loop_destroy(loop);
    witness_finish(&witness);
}

struct series {
    struct loop *loop;
    struct witness *witness;
    struct loop_timer *cancelled;
    struct deadline earliest;
    bool was_early;
    char order[8];
    size_t length;
};

static void add_to_series(struct series *series, char letter)
{
    series->order[series->length++] = letter;
    if (letter == 'c') {
        series->was_early = !deadline_passed(series->earliest);
        count_timer(series->witness);
    }
}

static void on_a(void *data)
{
    add_to_series(data, 'a');
}

static void on_b(void *data)
{
    struct series *series = data;
    add_to_series(series, 'b');
    loop_timer_cancel(series->cancelled);
}

static void on_c(void *data)
{
    add_to_series(data, 'c');
}

static void on_x(void *data)
{
    add_to_series(data, 'x');
}

static void start_series(void *data)
{
    struct series *series = data;
    series->earliest = deadline_in_ms(30);
    loop_timer_start(series->loop, 30, on_c, series);
    series->cancelled = loop_timer_start(series->loop, 20, on_x, series);
    loop_timer_start(series->loop, 0, on_a, series);
    loop_timer_start(series->loop, 10, on_b, series);
}

static void test_timers_run_in_order_and_not_when_cancelled(void **state)
{
    (void)state;
    struct witness witness;
    struct loop *loop = create_loop();
    witness_init(&witness, loop);
    struct series series = { .loop = loop, .witness = &witness };
    loop_call(loop, start_series, &series);
    await_count(&witness, &witness.timer_count, 1);
    loop_destroy(loop);
    assert_string_equal(series.order, "abc");
    assert_false(series.was_early);
    witness_finish(&witness);
}

enum { THREADS = 8, POSTS = 500 };

struct poster {
    struct loop *loop;
    int posted, ran; /* ran: written by the loop thread, read after a call has returned */
    bool is_ordered;
};

struct numbered {
    struct poster *poster;
    int number;
};

static void run_numbered(void *data)
{
    struct numbered *task = data;
    task->poster->is_ordered = task->poster->is_ordered && task->number == task->poster->ran;
    task->poster->ran++;
    free(task);
}

static void check_call(void *data)
{
    struct poster *poster = data;
    poster->is_ordered = poster->is_ordered && poster->ran == poster->posted;
}

static void *post_many(void *data)
{
    struct poster *poster = data;
    for (int i = 0; i < POSTS; i++) {
        struct numbered *task = xcalloc(1, sizeof(*task));
        *task = (struct numbered){ .poster = poster, .number = i };
        loop_post(poster->loop, run_numbered, task);
        poster->posted++;
        if (i % 50 == 0) {
            loop_call(poster->loop, check_call, poster);
        }
    }
    return NULL;
}

static void test_post_and_call_from_many_threads_run_all_in_order(void **state)
{
    (void)state;
    struct loop *loop = create_loop();
    pthread_t threads[THREADS];
    static struct poster posters[THREADS];
    for (int i = 0; i < THREADS; i++) {
        posters[i] = (struct poster){ .loop = loop, .is_ordered = true };
        pthread_create(&threads[i], NULL, post_many, &posters[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    loop_destroy(loop);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(posters[i].ran, POSTS);
        assert_true(posters[i].is_ordered);
    }
}

static void test_flush_waits_for_what_was_posted_before(void **state)
{
    (void)state;
    struct loop *loop = create_loop();
    struct poster poster = { .loop = loop, .is_ordered = true };
    post_many(&poster);
    loop_flush(loop);
    assert_int_equal(poster.ran, POSTS);
    loop_destroy(loop);
}

static void post_again(void *data)
{
    struct witness *witness = data;
    count_timer(witness);
    if (witness->timer_count < 5) {
        loop_post(witness->loop, post_again, witness);
    }
}

static void get_self(void *data)
{
    *(pthread_t *)data = pthread_self();
}

static void never_on_timer(void *data)
{
    (void)data;
    abort();
}

static void start_long_timer(void *data)
{
    loop_timer_start(data, 3600 * 1000, never_on_timer, NULL);
}

static void test_destroy_when_things_are_left_ends_them_on_the_loops_thread(void **state)
{
    (void)state;
    int fds[2];
    pthread_t loop_thread;
    struct witness witness;
    struct loop *loop = create_loop();
    witness_init(&witness, loop);
    assert_int_equal(pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
    watch(&witness, fds[0]);
    loop_call(loop, get_self, &loop_thread);
    loop_call(loop, start_long_timer, loop);
    loop_post(loop, post_again, &witness);
    loop_destroy(loop);
    assert_int_equal(witness.timer_count, 5);
    assert_int_equal(witness.closed_count, 1);
    assert_true(pthread_equal(witness.closed_on, loop_thread));
    assert_false(is_open(fds[0]));
    close(fds[1]);
    witness_finish(&witness);
    loop_destroy(NULL);
}

static void test_create_with_tls_says_so(void **state)
{
    (void)state;
    struct br_error err;
    struct loop *loop = loop_create(true, &err);
    assert_non_null(loop);
    assert_true(loop_has_tls(loop));
    loop_destroy(loop);
    loop = create_loop();
    assert_false(loop_has_tls(loop));
    assert_non_null(loop_context(loop));
    loop_destroy(loop);
}

/* Data written to a pipe with a slow reader, requested again each time. */
struct writer {
    struct witness witness;
    int calls, limit;
};

static bool on_writable(void *data, int fd)
{
    static const char bytes[1000];
    struct writer *writer = data;
    while (write(fd, bytes, sizeof(bytes)) > 0) {
    }
    bool is_full = errno == EAGAIN;
    pthread_mutex_lock(&writer->witness.mutex);
    bool is_last = ++writer->calls == writer->limit;
    pthread_cond_broadcast(&writer->witness.changed);
    pthread_mutex_unlock(&writer->witness.mutex);
    if (is_full && !is_last) {
        loop_source_await_writable(writer->witness.source, on_writable);
    }
    return is_full && !is_last;
}

static void await_on_loop(void *data)
{
    struct writer *writer = data;
    loop_source_await_writable(writer->witness.source, on_writable);
}

static void test_a_descriptor_that_takes_bytes_again_is_told_each_time(void **state)
{
    (void)state;
    int fds[2];
    char bytes[65536];
    struct loop *loop = create_loop();
    struct writer writer = { .limit = 20 };
    witness_init(&writer.witness, loop);
    assert_int_equal(pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
    writer.witness.fd = fds[1];
    loop_call(loop, watch_on_loop, &writer.witness);
    loop_call(loop, await_on_loop, &writer);
    for (int calls = 1; calls < writer.limit; calls++) {
        await_count(&writer.witness, &writer.calls, calls);
        while (read(fds[0], bytes, sizeof(bytes)) > 0) {
        }
    }
    /* The last write closes. */
    await_count(&writer.witness, &writer.witness.closed_count, 1);
    loop_destroy(loop);
    assert_int_equal(writer.calls, writer.limit);
    close(fds[0]);
    witness_finish(&writer.witness);
}

static void stop_reading(void *data)
{
    loop_source_read(((struct witness *)data)->source, false);
}

static void go_on_reading(void *data)
{
    loop_source_read(((struct witness *)data)->source, true);
}

static void test_a_descriptor_is_not_read_while_it_is_not_wanted(void **state)
{
    (void)state;
    int fds[2];
    struct loop *loop = create_loop();
    struct witness witness;
    witness_init(&witness, loop);
    assert_int_equal(pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
    witness.fd = fds[0];
    loop_call(loop, watch_on_loop, &witness);
    loop_call(loop, stop_reading, &witness);
    assert_int_equal(write(fds[1], "abc", 3), 3);
    loop_flush(loop);
    loop_flush(loop);
    assert_int_equal(count_of(&witness, &witness.readable_count), 0);
    loop_call(loop, go_on_reading, &witness);
    await_count(&witness, &witness.readable_count, 1);
    loop_destroy(loop);
    assert_memory_equal(witness.bytes, "abc", 3);
    close(fds[1]);
    witness_finish(&witness);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_watch_when_a_pipe_has_bytes_reads_them_until_its_end),
        cmocka_unit_test(test_watch_when_the_process_of_a_pidfd_ends_is_told),
        cmocka_unit_test(test_watch_when_a_signal_comes_to_a_signalfd_reads_it),
        cmocka_unit_test(test_unwatch_when_watched_closes_without_a_callback),
        cmocka_unit_test(test_watch_when_the_loop_is_full_closes_and_fails),
        cmocka_unit_test(test_watch_takes_as_many_as_the_process_may_open),
        cmocka_unit_test(test_call_from_the_loop_itself_is_our_own_mistake),
        cmocka_unit_test(test_timer_when_it_ends_a_wait_ends_it_at_once),
        cmocka_unit_test(test_timers_run_in_order_and_not_when_cancelled),
        cmocka_unit_test(test_post_and_call_from_many_threads_run_all_in_order),
        cmocka_unit_test(test_flush_waits_for_what_was_posted_before),
        cmocka_unit_test(test_destroy_when_things_are_left_ends_them_on_the_loops_thread),
        cmocka_unit_test(test_a_descriptor_that_takes_bytes_again_is_told_each_time),
        cmocka_unit_test(test_a_descriptor_is_not_read_while_it_is_not_wanted),
        cmocka_unit_test(test_create_with_tls_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
