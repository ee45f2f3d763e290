#include "tests/integration/fake_state.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Interval for checking the test's orders while nothing arrives. */
enum { POLL_MS = 10 };

static struct fake_peer *accept_pipe(struct fake_browser *fake)
{
    int result = 0;
    struct fake_peer *peer = NULL;
    struct timespec until = deadline_timespec(deadline_in_ms(FAKE_PATIENCE_MS));
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

static void record(struct fake_browser *fake, const char *what)
{
    json_auto_t *note = json_pack("{s:s}", "method", what);
    fake_record_add(fake->record, note, fake->connections);
}

/* Resets the state that belongs to one connection. */
static void begin_connection(struct fake_browser *fake, struct fake_peer *peer)
{
    fake->peer = peer;
    fake->is_gone = false;
    fake->is_silent = false;
    json_object_clear(fake->silent);
    fake->connections++;
    record(fake, "Fake.accepted");
}

static bool take_connection(struct fake_browser *fake)
{
    if (fake->peer) {
        return true;
    }
    struct fake_peer *peer =
        fake->mode == FAKE_PIPE
            ? accept_pipe(fake)
            : fake_server_accept(fake->server, deadline_in_ms(FAKE_PATIENCE_MS));
    if (!peer) {
        fake_fail_step(fake, "nobody connects");
        return false;
    }
    begin_connection(fake, peer);
    return true;
}

static void refuse_connection(struct fake_browser *fake)
{
    char request[4096];
    int fd =
        fake_server_take_request(fake->server, request, sizeof(request), deadline_in_ms(POLL_MS));
    if (fd < 0) {
        return;
    }
    fake->refusals_left--;
    record(fake, "Fake.refused");
    if (fake->refusal_status) {
        dprintf(fd, "HTTP/1.1 %d Status\r\n\r\n", fake->refusal_status);
    }
    close(fd);
}

/* Accepts or refuses a connection that is waiting now. */
static void reconnect(struct fake_browser *fake)
{
    if (fake->peer) {
        fake_peer_destroy(TAKE(fake->peer));
        record(fake, "Fake.left");
    }
    if (fake->refusals_left) {
        refuse_connection(fake);
        return;
    }
    struct fake_peer *peer = fake_server_accept(fake->server, deadline_in_ms(POLL_MS));
    if (peer) {
        begin_connection(fake, peer);
    }
}

/* Sending. */

static void add_json(struct fake_browser *fake, const json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    fake_peer_add(fake->peer, text, strlen(text));
    free(text);
}

/* Adds a reply to the context's command, from a step or a rule. */
static void add_answer(struct fake_browser *fake, json_t *step, const struct fake_context *context)
{
    const char *kind = json_object_get(step, "error") ? "error" : "result";
    json_t *content = json_object_get(step, "error");
    content = content ? content : json_object_get(step, "reply");
    json_auto_t *message = json_object();
    json_object_set(message, "id", json_object_get(context->command, "id"));
    json_t *answer = fake_substitute(content, context);
    fake_memory_note_result(&fake->memory, context->command, answer);
    json_object_set_new(message, kind, answer);
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
        fake_fail_step(fake, "there is no command %s to answer", name ? name : "");
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

/* Adds what one repetition of a step sends; false if the step sends nothing. */
static bool add_step(struct fake_browser *fake, json_t *step, json_int_t number)
{
    struct fake_context context = {
        .memory = &fake->memory,
        .command = fake->command,
        .number = number,
    };
    const char *text = NULL;
    if ((text = json_member_string(step, "text"))) {
        fake_peer_add(fake->peer, text, json_string_length(json_object_get(step, "text")));
    } else if ((text = json_member_string(step, "raw"))) {
        fake_peer_add_raw(fake->peer, text, json_string_length(json_object_get(step, "raw")));
    } else if ((text = json_member_string(step, "hex"))) {
        add_hex(fake, text);
    } else if (json_object_get(step, "event")) {
        json_auto_t *event = fake_substitute(json_object_get(step, "event"), &context);
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
    if (!fake->is_gone && !fake_peer_flush(fake->peer, deadline_in_ms(FAKE_PATIENCE_MS))) {
        /* Not a failure: many transcripts send to a client that disconnects meanwhile. */
        fake->is_gone = true;
    }
}

static void play_sending(struct fake_browser *fake, json_t *step)
{
    const char *until = json_member_string(step, "until");
    json_int_t count = (json_int_t)json_member_number(step, "repeat", until ? INT32_MAX : 1);
    for (json_int_t i = 0; i < count && !fake->is_gone && !fake->failure; i++) {
        if (until && fake_is_signalled(fake, until)) {
            break;
        }
        if (!add_step(fake, step, i)) {
            fake_fail_step(fake, "no such step");
        }
        flush(fake);
    }
}

/* With "until" repeats the same bytes, faster than they can be read. */
static void play_batch(struct fake_browser *fake, json_t *whole)
{
    size_t i = 0;
    json_t *step = NULL;
    const char *until = json_member_string(whole, "until");
    json_array_foreach (json_object_get(whole, "batch"), i, step) {
        json_int_t count = (json_int_t)json_member_number(step, "repeat", 1);
        for (json_int_t number = 0; number < count; number++) {
            if (!add_step(fake, step, number)) {
                fake_fail_step(fake, "a step of a batch does not send");
            }
        }
    }
    while (until && !fake->is_gone && !fake_is_signalled(fake, until)) {
        fake->is_gone = !fake_peer_write(fake->peer, deadline_in_ms(FAKE_PATIENCE_MS));
    }
    flush(fake);
}

/* Receiving. */

/* Reads the next command; NULL at the deadline and if the other side has closed. Caller decrefs. */
static json_t *read_command(struct fake_browser *fake, struct deadline deadline)
{
    size_t length = 0;
    CLEANUP_FREE char *text = NULL;
    struct br_error err;
    switch (fake_peer_read(fake->peer, deadline, &text, &length)) {
    case FAKE_READ_MESSAGE:
        break;
    case FAKE_READ_VIOLATED:
        fake_fail_step(fake, "what comes breaks the protocol");
        return NULL;
    case FAKE_READ_GONE:
        fake->is_gone = true;
        return NULL;
    case FAKE_READ_LATE:
        return NULL;
    }
    json_t *command = json_parse(text, length, "command", &err);
    if (!json_is_object(command) || !json_is_integer(json_object_get(command, "id"))) {
        fake_fail_step(fake, "no command: %.200s", text);
    } else {
        fake_record_add(fake->record, command, fake->connections);
        fake_memory_note_command(&fake->memory, command);
    }
    return command;
}

/* Returns whether the command has this method (NULL: any) and the other properties of the step. */
static bool fits(const json_t *step, const char *method, const json_t *command)
{
    const json_t *session = json_object_get(step, "session");
    const json_t *params = json_object_get(step, "params");
    const char *found = json_member_string(command, "method");
    return (!method || (found && strcmp(found, method) == 0)) &&
           (!session || fake_fits(session, json_object_get(command, "sessionId"))) &&
           (!params || fake_fits(params, json_object_get(command, "params")));
}

/* Returns the newest rule for the command, or else the newest for all others; NULL: none. */
static json_t *find_rule(struct fake_browser *fake, const json_t *command)
{
    json_t *general = NULL;
    for (size_t i = json_array_size(fake->rules); i-- > 0;) {
        json_t *rule = json_array_get(fake->rules, i);
        const char *method = json_member_string(rule, "serve");
        bool is_general = strcmp(method, "*") == 0;
        if (json_member_number(rule, "times", 1) < 1 ||
            !fits(rule, is_general ? NULL : method, command)) {
            continue;
        }
        if (!is_general) {
            return rule;
        }
        general = general ? general : rule;
    }
    return general;
}

static bool is_silent_for(struct fake_browser *fake, const json_t *command)
{
    const char *session = json_member_string(command, "sessionId");
    return fake->is_silent || (session && json_object_get(fake->silent, session));
}

static void play(struct fake_browser *fake, json_t *step);

/*
 * Plays the steps after a reply; "reply" and the $ strings refer to the command that was replied
 * to.
 */
static void play_then(struct fake_browser *fake, const json_t *rule, json_t *command)
{
    size_t i = 0;
    json_t *step = NULL;
    json_t *before = fake->command;
    fake->command = command;
    json_array_foreach (json_object_get(rule, "then"), i, step) {
        if (!fake->failure) {
            play(fake, step);
        }
    }
    fake->command = before;
}

/* Returns false if no "serve" rule matches the command. */
static bool serve(struct fake_browser *fake, json_t *command)
{
    if (is_silent_for(fake, command)) {
        return true;
    }
    json_t *rule = find_rule(fake, command);
    if (!rule) {
        return false;
    }
    double times = json_member_number(rule, "times", 0);
    if (times > 0) {
        json_object_set_new(rule, "times", json_integer((json_int_t)times - 1));
    }
    if (!json_member_bool(rule, "ignore", false)) {
        struct fake_context context = { .memory = &fake->memory, .command = command };
        add_answer(fake, rule, &context);
        flush(fake);
    }
    play_then(fake, rule, command);
    return true;
}

static void play_expect(struct fake_browser *fake, json_t *step)
{
    struct deadline deadline = deadline_in_ms(FAKE_PATIENCE_MS);
    const char *wanted = json_member_string(step, "expect");
    while (!fake->failure) {
        json_auto_t *command = read_command(fake, deadline);
        if (!command) {
            fake_fail_step(fake, "expected %s, but %s", wanted,
                           fake->is_gone ? "the connection was closed" : "nothing comes");
        } else if (fits(step, wanted, command)) {
            json_decref(fake->command);
            fake->command = json_incref(command);
            if (json_member_string(step, "as")) {
                json_object_set(fake->named, json_member_string(step, "as"), command);
            }
            return;
        } else if (!serve(fake, command)) {
            CLEANUP_FREE char *text = json_dumps(command, JSON_COMPACT);
            fake_fail_step(fake, "expected %s, but %.200s came", wanted, text);
        }
    }
}

/* Plays the steps that the test has ordered. */
static void play_orders(struct fake_browser *fake)
{
    size_t i = 0;
    json_t *order = NULL;
    pthread_mutex_lock(&fake->mutex);
    json_auto_t *orders = fake->orders;
    fake->orders = json_array();
    pthread_mutex_unlock(&fake->mutex);
    json_array_foreach (orders, i, order) {
        json_t *step = json_object_get(order, "step");
        /* A "close" needs no connection to wait for. */
        if (!fake->failure && (fake->peer || !json_object_get(step, "close"))) {
            play(fake, step);
        }
    }
    pthread_mutex_lock(&fake->mutex);
    fake->played += json_array_size(orders);
    pthread_cond_broadcast(&fake->changed);
    pthread_mutex_unlock(&fake->mutex);
}

/* Returns false if no command arrived. */
static bool serve_next(struct fake_browser *fake, struct deadline deadline)
{
    json_auto_t *command = read_command(fake, deadline);
    if (command && !serve(fake, command)) {
        CLEANUP_FREE char *text = json_dumps(command, JSON_COMPACT);
        fake_fail_step(fake, "nothing stands for %.200s", text);
    }
    return command;
}

/* Serves by the rules until the signal, or until the other side has left for good. */
static void play_serving(struct fake_browser *fake, const char *until)
{
    struct deadline deadline = deadline_in_ms(FAKE_PATIENCE_MS);
    while (!fake->failure && !(until && fake_is_signalled(fake, until))) {
        play_orders(fake);
        if (fake->peer && !fake->is_gone) {
            if (serve_next(fake, deadline_in_ms(POLL_MS)) && !until) {
                deadline = deadline_in_ms(FAKE_PATIENCE_MS);
            }
        } else if (fake->is_reconnecting && !fake_is_signalled(fake, FAKE_FINISH)) {
            reconnect(fake);
        } else {
            return;
        }
        if (deadline_passed(deadline)) {
            fake_fail_step(fake, "waited in vain for %s",
                           until ? until : "the end of the connection");
        }
    }
}

/* The other steps. */

static void play_http(struct fake_browser *fake, json_t *step)
{
    char request[4096];
    const json_t *http = json_object_get(step, "http");
    const char *body = json_member_string(http, "body");
    const char *headers = json_member_string(http, "headers");
    const char *name = json_member_string(http, "wait");
    int fd = fake_server_take_request(fake->server, request, sizeof(request),
                                      deadline_in_ms(FAKE_PATIENCE_MS));
    if (fd < 0) {
        fake_fail_step(fake, "nobody asks");
        return;
    }
    if (json_object_get(http, "mark")) {
        fake_note_name(fake, fake->marks, json_member_string(http, "mark"));
    }
    if (name && !fake_await_name(fake, fake->signals, name)) {
        fake_fail_step(fake, "no signal %s", name);
    }
    dprintf(fd, "HTTP/1.1 %d Status\r\n%s\r\n%s", (int)json_member_number(http, "status", 200),
            headers ? headers : "", body ? body : "");
    close(fd);
}

static void play_close(struct fake_browser *fake, json_t *step)
{
    (void)step;
    fake_peer_destroy(TAKE(fake->peer));
}

static void play_serve(struct fake_browser *fake, json_t *step)
{
    json_array_append(fake->rules, step);
}

static void play_mark(struct fake_browser *fake, json_t *step)
{
    fake_note_name(fake, fake->marks, json_member_string(step, "mark"));
}

static void play_knock(struct fake_browser *fake, json_t *step)
{
    (void)step;
    if (!fake_server_await_knock(fake->server, deadline_in_ms(FAKE_PATIENCE_MS))) {
        fake_fail_step(fake, "nobody knocks");
    }
}

static void play_wait(struct fake_browser *fake, json_t *step)
{
    const char *name = json_member_string(step, "wait");
    if (!fake_await_name(fake, fake->signals, name)) {
        fake_fail_step(fake, "no signal %s", name);
    }
}

static void play_delay(struct fake_browser *fake, json_t *step)
{
    (void)fake;
    usleep((useconds_t)json_member_number(step, "delay", 0) * 1000);
}

static void play_reconnect(struct fake_browser *fake, json_t *step)
{
    fake->is_reconnecting = json_is_true(json_object_get(step, "reconnect"));
}

static void play_refuse(struct fake_browser *fake, json_t *step)
{
    bool is_end = json_is_false(json_object_get(step, "refuse"));
    fake->refusal_status = (int)json_member_number(step, "refuse", 0);
    fake->refusals_left = is_end ? 0 : (int)json_member_number(step, "times", INT32_MAX);
}

static void play_silent(struct fake_browser *fake, json_t *step)
{
    const char *session = json_member_string(step, "silent");
    if (session) {
        json_object_set_new(fake->silent, session, json_true());
    } else {
        fake->is_silent = true;
    }
}

static void play_split(struct fake_browser *fake, json_t *step)
{
    fake_peer_set_split(fake->peer, (size_t)json_member_number(step, "split", 0),
                        json_member_bool(step, "lockstep", false));
}

static void play_nothing(struct fake_browser *fake, json_t *step)
{
    (void)fake;
    (void)step;
}

/* The kinds of steps, by the member that names them; all others send something. */
static const struct {
    const char *name;
    void (*play)(struct fake_browser *fake, json_t *step);
    bool needs_peer;
} kinds[] = {
    { "serve", play_serve, false },   { "mark", play_mark, false },
    { "wait", play_wait, false },     { "delay", play_delay, false },
    { "http", play_http, false },     { "reconnect", play_reconnect, false },
    { "refuse", play_refuse, false }, { "note", play_nothing, false },
    { "accept", play_nothing, true }, { "expect", play_expect, true },
    { "batch", play_batch, true },    { "split", play_split, true },
    { "close", play_close, true },    { "silent", play_silent, true },
    { "knock", play_knock, false },
};

static void play(struct fake_browser *fake, json_t *step)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (json_object_get(step, kinds[i].name)) {
            if (!kinds[i].needs_peer || take_connection(fake)) {
                kinds[i].play(fake, step);
            }
            return;
        }
    }
    if (!take_connection(fake)) {
        return;
    }
    if (json_object_size(step) == 1 && json_object_get(step, "until")) {
        play_serving(fake, json_member_string(step, "until"));
    } else {
        play_sending(fake, step);
    }
}

void *fake_run(void *data)
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
    bool has_rules = json_array_size(fake->rules) > 1; /* one exists from the beginning */
    if (!fake->failure &&
        (fake->is_reconnecting || ((fake->peer || has_rules) && take_connection(fake)))) {
        play_serving(fake, NULL);
    }
    /* A test that waits for more gets an error. */
    fake_peer_destroy(TAKE(fake->peer));
    pthread_mutex_lock(&fake->mutex);
    fake->is_over = true;
    pthread_cond_broadcast(&fake->changed);
    pthread_mutex_unlock(&fake->mutex);
    return NULL;
}
