#include "tests/integration/fake_state.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/cdp/transport_pipe.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

void fake_fail_step(struct fake_browser *fake, const char *format, ...)
{
    va_list args;
    char text[512];
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (!fake->failure) {
        fake->failure = xstrdup(text);
    }
}

/* Communication between the test and the thread. */

void fake_note_name(struct fake_browser *fake, json_t *set, const char *name)
{
    pthread_mutex_lock(&fake->mutex);
    json_object_set_new(set, name, json_true());
    pthread_cond_broadcast(&fake->changed);
    pthread_mutex_unlock(&fake->mutex);
}

bool fake_await_name(struct fake_browser *fake, const json_t *set, const char *name)
{
    int result = 0;
    struct timespec until = deadline_timespec(deadline_in_ms(FAKE_PATIENCE_MS));
    pthread_mutex_lock(&fake->mutex);
    while (!json_object_get(set, name) && result == 0) {
        result = pthread_cond_timedwait(&fake->changed, &fake->mutex, &until);
    }
    pthread_mutex_unlock(&fake->mutex);
    return result == 0;
}

bool fake_is_signalled(struct fake_browser *fake, const char *name)
{
    pthread_mutex_lock(&fake->mutex);
    bool result = json_object_get(fake->signals, name);
    pthread_mutex_unlock(&fake->mutex);
    return result;
}

/* Starting and ending. */

static char *read_transcript(const char *name)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_FREE char *path = xasprintf("%s/cdp/%s", FIXTURES, name);
    FILE *file = fopen(path, "re");
    if (!file) {
        fail_msg("cannot read %s", path);
    }
    char buf[4096];
    size_t count = 0;
    while ((count = fread(buf, 1, sizeof(buf), file)) > 0) {
        strbuf_add(&text, buf, count);
    }
    fclose(file);
    return strbuf_take(&text);
}

static json_t *parse_transcript(const char *transcript)
{
    CLEANUP_FREE char *text =
        transcript[0] == '{' ? xstrdup(transcript) : read_transcript(transcript);
    json_t *steps = json_array();
    char *rest = text;
    char *line = NULL;
    for (int number = 1; (line = strsep(&rest, "\n")); number++) {
        struct br_error err;
        if (line[0] == '\0') {
            continue;
        }
        json_t *step = json_parse(line, strlen(line), "a line of the transcript", &err);
        if (!json_is_object(step)) {
            fail_msg("transcript, line %d: %s", number, line);
        }
        json_array_append_new(steps, json_pack("{s:i, s:o}", "line", number, "step", step));
    }
    return steps;
}

/* Blocks SIGPIPE on this thread only: the code under test has to handle it itself. */
static void create_thread(struct fake_browser *fake)
{
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    assert_int_equal(pthread_create(&fake->thread, NULL, fake_run, fake), 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct fake_browser *fake_browser_start(enum fake_mode mode, const char *transcript)
{
    struct fake_browser *fake = xcalloc(1, sizeof(*fake));
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&fake->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&fake->mutex, NULL);
    fake->mode = mode;
    fake->signals = json_object();
    fake->marks = json_object();
    fake->orders = json_array();
    fake->rules = json_pack("[{s:s, s:{}}]", "serve", "Browser.getVersion", "reply");
    fake->named = json_object();
    fake->silent = json_object();
    fake->record = fake_record_create();
    fake_memory_init(&fake->memory);
    fake->steps = parse_transcript(transcript);
    if (mode == FAKE_WEBSOCKET) {
        fake->server = fake_server_create();
        assert_non_null(fake->server);
    }
    create_thread(fake);
    return fake;
}

void fake_browser_open_pipe(struct fake_browser *fake, int *ret_read_fd, int *ret_write_fd)
{
    int commands[2];
    int replies[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, commands), 0);
    assert_int_equal(pipe2(replies, O_CLOEXEC), 0);
    *ret_read_fd = replies[0];
    *ret_write_fd = commands[0];
    pthread_mutex_lock(&fake->mutex);
    assert_true(fake->pipe_count < FAKE_MAX_PIPES);
    fake->pipes[fake->pipe_count].in_fd = commands[1];
    fake->pipes[fake->pipe_count].out_fd = replies[1];
    fake->pipe_count++;
    pthread_cond_broadcast(&fake->changed);
    pthread_mutex_unlock(&fake->mutex);
}

static const struct server_kind the_fake = { .name = "the browser" };

struct transport *fake_browser_connect(struct fake_browser *fake, struct loop *loop)
{
    if (fake->mode == FAKE_PIPE) {
        int read_fd = -1;
        int write_fd = -1;
        fake_browser_open_pipe(fake, &read_fd, &write_fd);
        return transport_pipe_create(loop, read_fd, write_fd, false);
    }
    struct br_error err;
    CLEANUP_FREE char *url =
        xasprintf("ws%s/devtools/browser/fake", fake_browser_url(fake) + strlen("http"));
    struct transport *transport =
        transport_websocket_connect(loop, url, &the_fake, deadline_in_ms(FAKE_PATIENCE_MS), &err);
    if (!transport) {
        fail_msg("%s", err.message);
    }
    return transport;
}

const char *fake_browser_url(const struct fake_browser *fake)
{
    return fake_server_url(fake->server);
}

void fake_browser_signal(struct fake_browser *fake, const char *name)
{
    fake_note_name(fake, fake->signals, name);
}

void fake_browser_mark(struct fake_browser *fake, const char *name)
{
    fake_note_name(fake, fake->marks, name);
}

void fake_browser_await(struct fake_browser *fake, const char *name)
{
    if (!fake_await_name(fake, fake->marks, name)) {
        fail_msg("the transcript does not come to %s", name);
    }
}

/* Returns whether they were played. */
static bool await_orders(struct fake_browser *fake, json_t *orders)
{
    int result = 0;
    struct timespec until = deadline_timespec(deadline_in_ms(FAKE_PATIENCE_MS));
    pthread_mutex_lock(&fake->mutex);
    json_array_extend(fake->orders, orders);
    fake->ordered += json_array_size(orders);
    size_t wanted = fake->ordered;
    while (fake->played < wanted && !fake->is_over && result == 0) {
        result = pthread_cond_timedwait(&fake->changed, &fake->mutex, &until);
    }
    bool is_played = fake->played >= wanted;
    pthread_mutex_unlock(&fake->mutex);
    return is_played;
}

bool fake_browser_play(struct fake_browser *fake, const char *steps)
{
    json_auto_t *orders = parse_transcript(steps);
    return await_orders(fake, orders);
}

size_t fake_browser_find(struct fake_browser *fake, const char *pattern, size_t from)
{
    return fake_record_find(fake->record, pattern, from);
}

json_t *fake_browser_command(struct fake_browser *fake, size_t index)
{
    return fake_record_get(fake->record, index);
}

size_t fake_browser_count(struct fake_browser *fake, const char *pattern)
{
    size_t count = 0;
    for (size_t i = 0; (i = fake_browser_find(fake, pattern, i)) != SIZE_MAX; i++) {
        count++;
    }
    return count;
}

void fake_browser_finish(struct fake_browser *fake)
{
    char failure[600] = "";
    fake_browser_signal(fake, FAKE_FINISH);
    pthread_join(fake->thread, NULL);
    if (fake->failure) {
        snprintf(failure, sizeof(failure), "%s", fake->failure);
    }
    for (size_t i = 0; i < fake->pipe_count; i++) {
        close(fake->pipes[i].in_fd);
        close(fake->pipes[i].out_fd);
    }
    fake_server_destroy(fake->server);
    json_decref(fake->signals);
    json_decref(fake->marks);
    json_decref(fake->orders);
    json_decref(fake->rules);
    json_decref(fake->silent);
    fake_memory_finish(&fake->memory);
    fake_record_destroy(fake->record);
    json_decref(fake->named);
    json_decref(fake->command);
    json_decref(fake->steps);
    pthread_cond_destroy(&fake->changed);
    pthread_mutex_destroy(&fake->mutex);
    free(fake->failure);
    free(fake);
    if (failure[0]) {
        fail_msg("%s", failure);
    }
}
