#include "tests/integration/fake_browser.h"

#include "tests/integration/fake_server.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/* Long enough for any machine; what takes longer has failed. */
enum { PATIENCE_MS = 60000 };

enum { MAX_PIPES = 8 };

struct fake_browser {
    enum fake_mode mode;
    pthread_t thread;
    struct fake_server *server; /* NULL for the pipe */
    pthread_mutex_t mutex;      /* guards the rest of this group */
    pthread_cond_t changed;
    json_t *signals, *marks; /* sets of names, as objects */
    struct {
        int in_fd, out_fd;
    } pipes[MAX_PIPES]; /* opened and not yet taken by the transcript */
    size_t pipe_count;

    /* Of the thread. */
    json_t *steps;          /* array of {"line":n, "step":{…}} */
    json_t *rules;          /* method to step, of "serve" */
    json_t *named;          /* name to command, of "as" */
    json_t *command;        /* the last one that was expected */
    struct fake_peer *peer; /* NULL between connections */
    bool is_gone;           /* the other side has closed */
    char *failure;          /* NULL while all is well; after the thread's end the test's */
};

static void fail_step(struct fake_browser *fake, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void fail_step(struct fake_browser *fake, const char *format, ...)
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

/* What goes on between the test and the thread. */

static void note_name(struct fake_browser *fake, json_t *set, const char *name)
{
    pthread_mutex_lock(&fake->mutex);
    json_object_set_new(set, name, json_true());
    pthread_cond_broadcast(&fake->changed);
    pthread_mutex_unlock(&fake->mutex);
}

static bool await_name(struct fake_browser *fake, const json_t *set, const char *name)
{
    int result = 0;
    struct timespec until = deadline_timespec(deadline_in_ms(PATIENCE_MS));
    pthread_mutex_lock(&fake->mutex);
    while (!json_object_get(set, name) && result == 0) {
        result = pthread_cond_timedwait(&fake->changed, &fake->mutex, &until);
    }
    pthread_mutex_unlock(&fake->mutex);
    return result == 0;
}

static bool is_signalled(struct fake_browser *fake, const char *name)
{
    pthread_mutex_lock(&fake->mutex);
    bool result = json_object_get(fake->signals, name);
    pthread_mutex_unlock(&fake->mutex);
    return result;
}

static struct fake_peer *accept_pipe(struct fake_browser *fake)
{
    int result = 0;
    struct fake_peer *peer = NULL;
    struct timespec until = deadline_timespec(deadline_in_ms(PATIENCE_MS));
    pthread_mutex_lock(&fake->mutex);
    while (fake->pipe_count == 0 && result == 0) {
        result = pthread_cond_timedwait(&fake->changed, &fake->mutex, &until);
    }
    if (fake->pipe_count > 0) {
        peer = fake_peer_create_pipe(fake->pipes[0].in_fd, fake->pipes[0].out_fd);
        fake->pipe_count--;
        memmove(fake->pipes, fake->pipes + 1, fake->pipe_count * sizeof(fake->pipes[0]));
    }
    pthread_mutex_unlock(&fake->mutex);
    return peer;
}

static bool take_connection(struct fake_browser *fake)
{
    if (fake->peer) {
        return true;
    }
    fake->is_gone = false;
    fake->peer = fake->mode == FAKE_PIPE
                     ? accept_pipe(fake)
                     : fake_server_accept(fake->server, deadline_in_ms(PATIENCE_MS));
    if (!fake->peer) {
        fail_step(fake, "nobody connects");
    }
    return fake->peer;
}

/* Sending. */

struct context {
    const json_t *command; /* that is answered; NULL for none */
    json_int_t number;     /* of the repetition */
};

static json_t *substitute_string(const char *text, const struct context *context)
{
    unsigned long length = 0;
    if (strcmp(text, "$n") == 0) {
        return json_integer(context->number);
    }
    if (strncmp(text, "$params.", 8) == 0) {
        return json_incref(json_object_get(json_object_get(context->command, "params"), text + 8));
    }
    if (sscanf(text, "$bytes:%lu", &length) == 1) {
        char *bytes = xmalloc(length + 1);
        memset(bytes, 'A', length);
        json_t *value = json_stringn(bytes, length);
        free(bytes);
        return value;
    }
    return json_string(text);
}

/* A copy with the $ strings replaced. */
static json_t *substitute(json_t *value, const struct context *context)
{
    const char *key = NULL;
    json_t *member = NULL;
    json_t *copy = NULL;
    size_t i = 0;
    if (json_is_string(value) && json_string_value(value)[0] == '$') {
        return substitute_string(json_string_value(value), context);
    }
    if (json_is_object(value)) {
        copy = json_object();
        json_object_foreach (value, key, member) {
            json_object_set_new(copy, key, substitute(member, context));
        }
        return copy;
    }
    if (json_is_array(value)) {
        copy = json_array();
        json_array_foreach (value, i, member) {
            json_array_append_new(copy, substitute(member, context));
        }
        return copy;
    }
    return json_incref(value);
}

static void add_json(struct fake_browser *fake, const json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    fake_peer_add(fake->peer, text, strlen(text));
    free(text);
}

/* An answer to the context's command, by a step or a rule. */
static void add_answer(struct fake_browser *fake, json_t *step, const struct context *context)
{
    const char *kind = json_object_get(step, "error") ? "error" : "result";
    json_t *content = json_object_get(step, "error");
    content = content ? content : json_object_get(step, "reply");
    json_auto_t *message = json_object();
    json_object_set(message, "id", json_object_get(context->command, "id"));
    json_object_set_new(message, kind, substitute(content, context));
    json_t *session = json_object_get(context->command, "sessionId");
    if (session) {
        json_object_set(message, "sessionId", session);
    }
    add_json(fake, message);
}

static const json_t *find_command(struct fake_browser *fake, const json_t *step)
{
    const char *name = json_member_string(step, "to");
    const json_t *command = name ? json_object_get(fake->named, name) : fake->command;
    if (!command) {
        fail_step(fake, "there is no command %s to answer", name ? name : "");
    }
    return command;
}

static void add_hex(struct fake_browser *fake, const char *hex)
{
    unsigned byte = 0;
    int length = 0;
    for (; sscanf(hex, " %2x%n", &byte, &length) == 1; hex += length) {
        unsigned char value = (unsigned char)byte;
        fake_peer_add_raw(fake->peer, &value, 1);
    }
}

/* Adds what one playing of a step sends; false when it is none that sends. */
static bool add_step(struct fake_browser *fake, json_t *step, json_int_t number)
{
    struct context context = { .number = number };
    const char *text = NULL;
    if ((text = json_member_string(step, "text"))) {
        fake_peer_add(fake->peer, text, json_string_length(json_object_get(step, "text")));
    } else if ((text = json_member_string(step, "raw"))) {
        fake_peer_add_raw(fake->peer, text, json_string_length(json_object_get(step, "raw")));
    } else if ((text = json_member_string(step, "hex"))) {
        add_hex(fake, text);
    } else if (json_object_get(step, "event")) {
        json_auto_t *event = substitute(json_object_get(step, "event"), &context);
        add_json(fake, event);
    } else if (json_object_get(step, "reply") || json_object_get(step, "error")) {
        context.command = find_command(fake, step);
        if (context.command) {
            add_answer(fake, step, &context);
        }
    } else {
        return false;
    }
    return true;
}

static void flush(struct fake_browser *fake)
{
    if (!fake->is_gone && !fake_peer_flush(fake->peer, deadline_in_ms(PATIENCE_MS))) {
        /* Not a failure: many a transcript sends to somebody who goes meanwhile. */
        fake->is_gone = true;
    }
}

static void play_sending(struct fake_browser *fake, json_t *step)
{
    const char *until = json_member_string(step, "until");
    json_int_t count = (json_int_t)json_member_number(step, "repeat", until ? INT32_MAX : 1);
    for (json_int_t i = 0; i < count && !fake->is_gone && !fake->failure; i++) {
        if (until && is_signalled(fake, until)) {
            break;
        }
        if (!add_step(fake, step, i)) {
            fail_step(fake, "no such step");
        }
        flush(fake);
    }
}

/* With "until" the same bytes again and again, faster than anybody can read them. */
static void play_batch(struct fake_browser *fake, const json_t *whole)
{
    size_t i = 0;
    json_t *step = NULL;
    const char *until = json_member_string(whole, "until");
    json_array_foreach (json_object_get(whole, "batch"), i, step) {
        json_int_t count = (json_int_t)json_member_number(step, "repeat", 1);
        for (json_int_t number = 0; number < count; number++) {
            if (!add_step(fake, step, number)) {
                fail_step(fake, "a step of a batch does not send");
            }
        }
    }
    while (until && !fake->is_gone && !is_signalled(fake, until)) {
        fake->is_gone = !fake_peer_write(fake->peer, deadline_in_ms(PATIENCE_MS));
    }
    flush(fake);
}

/* Receiving. */

/* The next command, NULL at the deadline and when the other side is gone. Caller decrefs. */
static json_t *read_command(struct fake_browser *fake, struct deadline deadline)
{
    size_t length = 0;
    CLEANUP_FREE char *text = NULL;
    struct br_error err;
    switch (fake_peer_read(fake->peer, deadline, &text, &length)) {
    case FAKE_READ_MESSAGE:
        break;
    case FAKE_READ_VIOLATED:
        fail_step(fake, "what comes breaks the protocol");
        return NULL;
    case FAKE_READ_GONE:
        fake->is_gone = true;
        return NULL;
    case FAKE_READ_LATE:
        return NULL;
    }
    json_t *command = json_parse(text, length, "command", &err);
    if (!json_is_object(command) || !json_is_integer(json_object_get(command, "id"))) {
        fail_step(fake, "no command: %.200s", text);
    }
    return command;
}

/* False when no rule of "serve" knows the command. */
static bool serve(struct fake_browser *fake, const json_t *command)
{
    json_t *rule = json_object_get(fake->rules, json_member_string(command, "method"));
    rule = rule ? rule : json_object_get(fake->rules, "*");
    if (rule && !json_member_bool(rule, "ignore", false)) {
        struct context context = { .command = command };
        add_answer(fake, rule, &context);
        flush(fake);
    }
    return rule;
}

static bool is_subset(const json_t *wanted, const json_t *found)
{
    const char *key = NULL;
    json_t *member = NULL;
    if (!json_is_object(wanted) || !json_is_object(found)) {
        return json_equal(wanted, found);
    }
    json_object_foreach ((json_t *)wanted, key, member) {
        if (!is_subset(member, json_object_get(found, key))) {
            return false;
        }
    }
    return true;
}

static bool is_expected(const json_t *step, const json_t *command)
{
    const char *session = json_member_string(step, "session");
    const char *found = json_member_string(command, "sessionId");
    const char *method = json_member_string(command, "method");
    bool is_session = session ? found && strcmp(session, found) == 0 : true;
    json_t *params = json_object_get(step, "params");
    return is_session && method && strcmp(method, json_member_string(step, "expect")) == 0 &&
           (!params || is_subset(params, json_object_get(command, "params")));
}

static void play_expect(struct fake_browser *fake, const json_t *step)
{
    struct deadline deadline = deadline_in_ms(PATIENCE_MS);
    const char *wanted = json_member_string(step, "expect");
    while (!fake->failure) {
        json_auto_t *command = read_command(fake, deadline);
        if (!command) {
            fail_step(fake, "expected %s, but %s", wanted,
                      fake->is_gone ? "the connection was closed" : "nothing comes");
        } else if (is_expected(step, command)) {
            json_decref(fake->command);
            fake->command = json_incref(command);
            if (json_member_string(step, "as")) {
                json_object_set(fake->named, json_member_string(step, "as"), command);
            }
            return;
        } else if (!serve(fake, command)) {
            CLEANUP_FREE char *text = json_dumps(command, JSON_COMPACT);
            fail_step(fake, "expected %s, but %.200s came", wanted, text);
        }
    }
}

/* Answers by the rules until the signal, or until the other side is gone. */
static void play_serving(struct fake_browser *fake, const char *until)
{
    struct deadline deadline = deadline_in_ms(PATIENCE_MS);
    while (!fake->failure && !fake->is_gone && !(until && is_signalled(fake, until))) {
        json_auto_t *command = read_command(fake, until ? deadline_in_ms(10) : deadline);
        if (command && !serve(fake, command)) {
            CLEANUP_FREE char *text = json_dumps(command, JSON_COMPACT);
            fail_step(fake, "nothing stands for %.200s", text);
        } else if (!command && deadline_passed(deadline)) {
            fail_step(fake, "waited in vain for %s", until ? until : "the end of the connection");
        }
    }
}

/* The other steps. */

static void play_http(struct fake_browser *fake, const json_t *http)
{
    char request[4096];
    const char *body = json_member_string(http, "body");
    const char *headers = json_member_string(http, "headers");
    const char *name = json_member_string(http, "wait");
    int fd = fake_server_take_request(fake->server, request, sizeof(request),
                                      deadline_in_ms(PATIENCE_MS));
    if (fd < 0) {
        fail_step(fake, "nobody asks");
        return;
    }
    if (name && !await_name(fake, fake->signals, name)) {
        fail_step(fake, "no signal %s", name);
    }
    dprintf(fd, "HTTP/1.1 %d Status\r\n%s\r\n%s", (int)json_member_number(http, "status", 200),
            headers ? headers : "", body ? body : "");
    close(fd);
}

static void play_close(struct fake_browser *fake)
{
    fake_peer_destroy(TAKE(fake->peer));
}

/* Steps that need nobody at the other side; false when it is none of them. */
static bool play_alone(struct fake_browser *fake, json_t *step)
{
    const char *name = NULL;
    if ((name = json_member_string(step, "serve"))) {
        json_object_set(fake->rules, name, step);
    } else if ((name = json_member_string(step, "mark"))) {
        note_name(fake, fake->marks, name);
    } else if ((name = json_member_string(step, "wait"))) {
        if (!await_name(fake, fake->signals, name)) {
            fail_step(fake, "no signal %s", name);
        }
    } else if (json_object_get(step, "delay")) {
        usleep((useconds_t)json_member_number(step, "delay", 0) * 1000);
    } else if (json_object_get(step, "http")) {
        play_http(fake, json_object_get(step, "http"));
    } else {
        return json_object_get(step, "note");
    }
    return true;
}

static void play(struct fake_browser *fake, json_t *step)
{
    if (play_alone(fake, step) || !take_connection(fake)) {
        return;
    }
    if (json_object_get(step, "accept")) {
        return;
    }
    if (json_object_get(step, "expect")) {
        play_expect(fake, step);
    } else if (json_object_get(step, "batch")) {
        play_batch(fake, step);
    } else if (json_object_get(step, "split")) {
        fake_peer_set_split(fake->peer, (size_t)json_member_number(step, "split", 0),
                            json_member_bool(step, "lockstep", false));
    } else if (json_object_get(step, "close")) {
        play_close(fake);
    } else if (json_object_size(step) == 1 && json_object_get(step, "until")) {
        play_serving(fake, json_member_string(step, "until"));
    } else {
        play_sending(fake, step);
    }
}

static void *run(void *data)
{
    struct fake_browser *fake = data;
    size_t i = 0;
    json_t *item = NULL;
    json_array_foreach (fake->steps, i, item) {
        play(fake, json_object_get(item, "step"));
        if (fake->failure) {
            char *failure = fake->failure;
            fake->failure = xasprintf("transcript, line %d: %s",
                                      (int)json_member_number(item, "line", 0), failure);
            free(failure);
            break;
        }
    }
    bool has_rules = json_object_size(fake->rules) > 0;
    if (!fake->failure && (fake->peer || has_rules) && take_connection(fake)) {
        play_serving(fake, NULL);
    }
    /* A test that waits for more learns that there is none. */
    fake_peer_destroy(TAKE(fake->peer));
    return NULL;
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

/* Only this thread: the code under test has to cope with SIGPIPE itself. */
static void create_thread(struct fake_browser *fake)
{
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    assert_int_equal(pthread_create(&fake->thread, NULL, run, fake), 0);
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
    fake->rules = json_object();
    fake->named = json_object();
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
    assert_true(fake->pipe_count < MAX_PIPES);
    fake->pipes[fake->pipe_count].in_fd = commands[1];
    fake->pipes[fake->pipe_count].out_fd = replies[1];
    fake->pipe_count++;
    pthread_cond_broadcast(&fake->changed);
    pthread_mutex_unlock(&fake->mutex);
}

struct transport *fake_browser_connect(struct fake_browser *fake, struct loop *loop)
{
    if (fake->mode == FAKE_PIPE) {
        int read_fd = -1;
        int write_fd = -1;
        fake_browser_open_pipe(fake, &read_fd, &write_fd);
        return transport_pipe_create(loop, read_fd, write_fd);
    }
    struct br_error err;
    CLEANUP_FREE char *url =
        xasprintf("ws%s/devtools/browser/fake", fake_browser_url(fake) + strlen("http"));
    struct transport *transport =
        transport_websocket_connect(loop, url, deadline_in_ms(PATIENCE_MS), &err);
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
    note_name(fake, fake->signals, name);
}

void fake_browser_await(struct fake_browser *fake, const char *name)
{
    if (!await_name(fake, fake->marks, name)) {
        fail_msg("the transcript does not come to %s", name);
    }
}

void fake_browser_finish(struct fake_browser *fake)
{
    char failure[600] = "";
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
    json_decref(fake->rules);
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
