#include "runner/servers/brop/parts.h"

#include "runner/base/json.h"
#include "runner/base/json_layout.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/servers/brop/extension.h"
#include "runner/servers/brop/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    CLOSE_MS = 3000,
    MAX_INBOX = 64 * 1024 * 1024, /* bytes of all clients' commands without a reply */
    MAX_WAITING = 1000,           /* commands of a client that have no reply yet */
};

static void set_active(struct brop *brop, struct brop_client *client, int32_t id)
{
    client->active_id = brop->active_id = id;
}

/* Finds the command's tab by tabId. False with the protocol's error. */
static bool choose_tab(struct brop_command *command, bool has_default, struct br_error *err)
{
    int32_t id = 0;
    const json_t *given = json_object_get(command->params, "tabId");
    if (!brop_read_tab_id(given, &id)) {
        CLEANUP_FREE char *text = json_dumps(given, JSON_ENCODE_ANY | JSON_COMPACT);
        return error_set(err, BR_TARGET_NOT_FOUND, "Tab %.40s not found: No tab with id: %.40s.",
                         text, text);
    }
    if (!id && has_default) {
        id = brop_active_tab(command->brop, command->client);
    }
    if (!id) {
        return error_set(err, BR_INVALID_ACTION,
                         "tabId is required. Use list_tabs to see available tabs or create_tab to "
                         "create a new one.");
    }
    command->tab = brop_find_tab(command->brop, id);
    return command->tab || brop_no_tab(id, err);
}

/* Whether navigate opens a new tab: on request, or when there is no tab yet. */
static bool opens_tab(struct brop_command *command)
{
    const json_t *id = json_object_get(command->params, "tabId");
    bool has_id = id && !json_is_null(id);
    return json_member_bool(command->params, "create_new_tab", false) ||
           (!has_id && !brop_active_tab(command->brop, command->client));
}

static bool create_tab(struct brop_command *command, struct br_error *err)
{
    command->tab = brop_window_open(command->brop, err);
    if (!command->tab) {
        return error_context(err, "Tab creation failed");
    }
    if (json_member_bool(command->params, "active", true)) {
        set_active(command->brop, command->client, brop_tab_id(command->tab));
    }
    brop_tab_set_loading(command->tab, true);
    return true;
}

/*
 * Decides how a command is executed, and sets the command's tab. False with the error.
 */
static bool choose_task(struct brop_command *command, enum brop_task *ret_task,
                        struct br_error *err)
{
    const char *method = command->method;
    bool is_navigation = strcmp(method, "navigate") == 0;
    if (strcmp(method, "create_tab") == 0 || (is_navigation && opens_tab(command))) {
        *ret_task = BROP_CREATE;
        return create_tab(command, err);
    }
    if (strcmp(method, "close_tab") == 0) {
        *ret_task = BROP_CLOSE;
    } else if (brop_is_console_method(method)) {
        *ret_task = BROP_CONSOLE;
    } else if (brop_page_has(method)) {
        bool is_last = is_navigation && json_member_bool(command->params, "close_tab", false);
        *ret_task = is_last ? BROP_GO_AND_CLOSE : BROP_PAGE;
    } else if (strcmp(method, "activate_tab") == 0) {
        *ret_task = BROP_ACTIVATE;
    } else {
        return error_set(err, BR_INVALID_ACTION, "Unsupported BROP command: %.200s", method);
    }
    if (!choose_tab(command, is_navigation, err)) {
        return false;
    }
    if (is_navigation || *ret_task == BROP_ACTIVATE) {
        set_active(command->brop, command->client, brop_tab_id(command->tab));
    }
    return true;
}

/* Decides which backend serves the command. False with the error for an unknown one. */
static bool choose_backend(const struct brop_command *command, bool *ret_is_extension,
                           struct br_error *err)
{
    const json_t *given = json_object_get(command->params, "backend");
    const char *name = json_string_value(given);
    *ret_is_extension = command->brop->options.prefers_extension;
    if (!given || json_is_null(given)) {
        return true;
    }
    *ret_is_extension = name && strcmp(name, "extension") == 0;
    if (*ret_is_extension || (name && strcmp(name, "runner") == 0)) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "Unknown backend");
    return error_hint(err, "runner or extension");
}

/* Takes ownership of the command. */
static void dispatch(struct brop_command *command)
{
    struct br_error unknown;
    bool is_extension = false;
    if (!choose_backend(command, &is_extension, &unknown)) {
        brop_command_answer(command, NULL, &unknown);
        brop_command_destroy(command);
        return;
    }
    if (is_extension && strcmp(command->method, "get_server_status") != 0) {
        brop_extension_forward(command->brop->extension, command);
        return;
    }
    struct br_error err;
    enum brop_task task = BROP_PAGE;
    if (strcmp(command->method, "list_tabs") == 0) {
        brop_list_tabs(command);
        return;
    }
    bool is_answered = brop_answer_own(command);
    bool is_fine = is_answered || choose_task(command, &task, &err);
    if (!is_answered && is_fine) {
        brop_command_post(command, task);
        return;
    }
    if (!is_answered) {
        brop_command_answer(command, NULL, &err);
    }
    brop_command_destroy(command);
}

/* Clients. */

static void log_client(struct brop *brop, const struct brop_client *client, const char *what)
{
    brop_journal_add(brop->journal, false, what, client->name, NULL);
    net_log_say(&brop->options.log, "brop: client %s %s", client->name, what);
}

/* Makes the client's name for logs: its number, and its own name without control characters. */
static void name_client(struct brop_client *client, const char *query)
{
    char given[65] = "";
    net_query_param(query, "name", given, sizeof(given));
    for (char *at = given; *at; at++) {
        *at = (unsigned char)*at > ' ' && (unsigned char)*at < 0x7F ? *at : '_';
    }
    snprintf(client->name, sizeof(client->name), "conn_%" PRIu64 "%s%s", client->base.connection,
             *given ? ":" : "", given);
}

static void on_opened(struct service_client *base, const char *query)
{
    struct brop_client *client = (struct brop_client *)base;
    name_client(client, query);
    log_client(base->data, client, "connected");
}

/* Cancels the client's running commands; its tabs stay open. */
static void on_closed(struct service_client *base)
{
    size_t count = 0;
    struct brop_client *client = (struct brop_client *)base;
    atomic_store(&client->is_gone, true);
    struct brop_tab **tabs = brop_all_tabs(base->data, &count);
    for (size_t i = 0; i < count; i++) {
        brop_window_cancel(brop_tab_window(tabs[i]), client);
        brop_tab_release(tabs[i]);
    }
    free(tabs);
    log_client(base->data, client, "disconnected");
}

static void on_message(struct service_client *base, struct service_message *message)
{
    struct br_error err;
    struct brop_request request;
    struct brop_client *client = (struct brop_client *)base;
    bool is_fine = brop_request_read(&request, message->text, message->length, &err);
    if (json_is_object(request.root) && !request.id) {
        char id[40];
        snprintf(id, sizeof(id), "bridge_%" PRIu64, ++client->last_number);
        request.id = json_string(id);
    }
    struct brop_command *command = brop_command_create(base->data, client, &request);
    command->charge = TAKE(message->charge);
    brop_request_finish(&request);
    if (is_fine && atomic_load(&client->waiting) > MAX_WAITING) {
        error_set(&err, BR_RATE_LIMITED,
                  "too many commands have no reply yet: this one is refused");
        error_hint(&err, "send it again when some have been answered");
        is_fine = false;
    }
    if (is_fine) {
        dispatch(command);
        return;
    }
    brop_command_answer(command, NULL, &err);
    brop_command_destroy(command);
}

static struct deadline on_tick(void *data)
{
    const struct brop *brop = data;
    return deadline_earlier(sessions_sweep(brop->options.sessions),
                            brop_extension_sweep(brop->extension));
}

/* The HTTP side, on the loop thread. */

void brop_answer_request(void *data, const struct net_request *request, struct net_answer *answer)
{
    const struct brop *brop = data;
    char digits[16] = "";
    if (strcmp(request->path, "/logs") != 0) {
        return;
    }
    net_query_param(request->query, "limit", digits, sizeof(digits));
    unsigned long limit = strtoul(digits, NULL, 10);
    json_auto_t *logs = brop_journal_json(brop->journal, limit ? limit : BROP_JOURNAL_MAX);
    CLEANUP_FREE char *text = json_dumps(logs, JSON_INDENT(2));
    answer->status = 200;
    answer->content_type = "application/json";
    strbuf_add_string(&answer->body, text);
    json_make_harmless(&answer->body);
}

static void write_metrics(void *data, struct strbuf *text)
{
    const struct brop *brop = data;
    sessions_write_metrics(brop->options.sessions, text);
}

static const struct service_type type = {
    .client_size = sizeof(struct brop_client),
    .max_bytes = MAX_INBOX,
    .on_opened = on_opened,
    .on_message = on_message,
    .on_closed = on_closed,
    .on_request = brop_answer_request,
    .on_metrics = write_metrics,
};

static void destroy(struct brop *brop)
{
    brop_extension_forget(brop->extension);
    sessions_unwatch_ends(brop->options.sessions, brop->service);
    service_destroy(brop->service, CLOSE_MS);
    brop_extension_destroy(brop->extension);
    brop_journal_destroy(brop->journal);
    pthread_mutex_destroy(&brop->mutex);
    pthread_cond_destroy(&brop->changed);
    free(brop->tabs);
    free(brop);
}

struct brop *brop_start(struct loop *loop, const struct brop_options *options, struct br_error *err)
{
    struct brop *brop = xcalloc(1, sizeof(*brop));
    struct net_listener_options listener = options->listener;
    brop->options = *options;
    brop->started_ms = clock_monotonic_ms();
    brop->service = service_create(loop, on_tick, brop);
    brop->journal = brop_journal_create();
    pthread_mutex_init(&brop->mutex, NULL);
    condition_init(&brop->changed);
    listener.name = "brop";
    listener.framing = NET_WEBSOCKET;
    sessions_watch_ends(options->sessions, service_wake, brop->service);
    brop->port = service_listen(brop->service, &type, &listener, err);
    if (brop->port && options->has_extension) {
        brop->extension = brop_extension_start(brop, &options->extension_listener, err);
    }
    bool is_open = brop->port && (brop->extension || !options->has_extension);
    if (is_open && service_begin(brop->service, err)) {
        return brop;
    }
    destroy(brop);
    return NULL;
}

struct net_listener *brop_listener_of_extension(struct brop *brop)
{
    return brop_extension_listener(brop->extension);
}

struct net_listener *brop_listener(struct brop *brop)
{
    return service_listener(brop->port);
}

static void end_tabs(struct brop *brop)
{
    size_t count = 0;
    struct brop_tab **tabs = brop_all_tabs(brop, &count);
    for (size_t i = 0; i < count; i++) {
        if (brop_window_end(brop_tab_window(tabs[i]))) {
            worker_stop(brop_tab_worker(tabs[i]), brop_window_is_over, brop);
        }
        brop_tab_release(tabs[i]);
    }
    free(tabs);
    mutex_lock(&brop->mutex);
    while (brop->alive) {
        pthread_cond_wait(&brop->changed, &brop->mutex);
    }
    mutex_unlock(&brop->mutex);
}

void brop_stop(struct brop *brop)
{
    if (!brop) {
        return;
    }
    service_end(brop->service);
    end_tabs(brop);
    destroy(brop);
}
