#include "runner/servers/brop/parts.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/wire.h"
#include "runner/servers/brop/page.h"
#include "runner/session/visit.h"

#include <string.h>

enum {
    BEGIN_MS = 120000, /* the longest wait for earlier commands of the tab */
    PEEK_MS = 200,     /* after that time a busy tab's console is read anyway */
    FRONT_MS = 1000,   /* for a busy tab to come to the front */
    END_MS = 3000,     /* after that time a busy tab is closed anyway */
};

void brop_command_answer(struct brop_command *command, json_t *result, const struct br_error *why)
{
    struct brop *brop = command->brop;
    brop_journal_add(brop->journal, !result, command->method, command->client->name,
                     result ? NULL : why->message);
    service_send_json(&command->client->base,
                      result ? brop_result(command->id, result) : brop_failure(command->id, why));
}

static void fail(struct brop_command *command, const struct br_error *why)
{
    brop_command_answer(command, NULL, why);
}

/* Sends an error with a result beside it; takes ownership of the result, which may be NULL. */
static void fail_with(struct brop_command *command, json_t *result, const struct br_error *why)
{
    if (!result) {
        fail(command, why);
        return;
    }
    json_t *reply = brop_failure(command->id, why);
    json_object_set_new(reply, "result", result);
    brop_journal_add(command->brop->journal, true, command->method, command->client->name,
                     why->message);
    service_send_json(&command->client->base, reply);
}

void brop_command_destroy(struct brop_command *command)
{
    atomic_fetch_sub(&command->client->waiting, 1);
    net_charge_release(command->charge);
    service_client_release(&command->client->base);
    brop_tab_release(command->tab);
    json_decref(command->id);
    json_decref(command->params);
    free(command->method);
    free(command);
}

struct brop_command *brop_command_create(struct brop *brop, struct brop_client *client,
                                         const struct brop_request *request)
{
    struct brop_command *command = xcalloc(1, sizeof(*command));
    command->brop = brop;
    command->client = client;
    command->id = json_incref(request->id);
    command->method = xstrdup(request->method ? request->method : "");
    command->params = json_incref(request->params);
    service_client_hold(&client->base);
    atomic_fetch_add(&client->waiting, 1);
    return command;
}

/* Reports why a command was refused, in the words of the protocol. */
static void refuse(struct brop_command *command, const struct br_error *why)
{
    struct br_error err = *why;
    struct brop_tab *tab = brop_find_tab(command->brop, brop_tab_id(command->tab));
    if (!tab && why->code == BR_CANCELLED) {
        brop_no_tab(brop_tab_id(command->tab), &err);
    }
    brop_tab_release(tab);
    fail(command, &err);
}

static void refuse_wait(struct brop_command *command, const struct br_error *why)
{
    struct br_error err = *why;
    error_context(&err, "Wait for element failed");
    refuse(command, &err);
}

static struct brop_run run_of(struct brop_command *command, struct br_session *session)
{
    command->began_ms = command->began_ms ? command->began_ms : clock_monotonic_ms();
    return (struct brop_run){
        .tab = command->tab,
        .session = session,
        .method = command->method,
        .params = command->params,
        .began_ms = command->began_ms,
    };
}

/* Posts a copy of a command that runs, behind those that wait. */
static void post_again(struct brop_command *command, enum brop_task task, int64_t left_ms)
{
    const struct brop_request request = { .id = command->id,
                                          .method = command->method,
                                          .params = command->params };
    struct brop_command *again = brop_command_create(command->brop, command->client, &request);
    again->tab = brop_tab_hold(command->tab);
    again->charge = TAKE(command->charge);
    again->began_ms = command->began_ms;
    again->left_ms = left_ms;
    brop_command_post(again, task);
}

static void run_page_command(struct brop_command *command, const struct worker_call *call)
{
    struct br_error err;
    json_t *result = NULL;
    struct brop_run run = run_of(command, call->session);
    if (atomic_load(&command->client->is_gone)) {
        return;
    }
    if (brop_window_enter(brop_tab_window(command->tab), command->tab, call->session, &err) &&
        brop_page_run(&run, &result, &err)) {
        brop_command_answer(command, result, NULL);
    } else if (run.left_ms > 0) {
        post_again(command, BROP_WAIT_ON, run.left_ms);
    } else {
        fail_with(command, result, &err);
    }
}

/* Closes a tab that could not be opened, with the tabs that its page opened. */
static void fail_create(struct brop_command *command, const struct br_error *why)
{
    struct br_error err = *why;
    if (brop_window_end(brop_tab_window(command->tab))) {
        worker_stop(brop_tab_worker(command->tab), brop_window_is_over, command->brop);
    }
    error_context(&err, "Tab creation failed");
    fail(command, &err);
}

static void run_create(struct brop_command *command, const struct worker_call *call)
{
    struct br_error err;
    struct brop_run run = run_of(command, call->session);
    worker_hear_tabs(call->worker, call->session);
    if (!brop_page_open(&run, &err)) {
        fail_create(command, &err);
        return;
    }
    json_t *result =
        json_pack("{s:b, s:i, s:b}", "success", 1, "tabId", (int)brop_tab_id(command->tab),
                  "active", json_member_bool(command->params, "active", true));
    brop_tab_describe(command->tab, result, "url", "title", true);
    if (strcmp(command->method, "navigate") == 0) {
        json_object_set_new(result, "action", json_string("tab_created"));
    }
    brop_command_answer(command, result, NULL);
}

/* A reply to close_tab that is sent when the window's worker has ended. */
struct closing {
    struct brop *brop;
    struct service_client *client; /* held */
    json_t *id;
    json_t *result;
};

static void on_closed_window(void *data)
{
    struct closing *closing = data;
    service_send_json(closing->client, brop_result(closing->id, closing->result));
    json_decref(closing->id);
    service_client_release(closing->client);
    brop_window_is_over(closing->brop);
    free(closing);
}

/* Stops the worker, and answers when it has ended; takes ownership of the result. */
static void end_and_answer(struct brop_command *command, json_t *result)
{
    struct closing *closing = xcalloc(1, sizeof(*closing));
    closing->brop = command->brop;
    closing->client = service_client_hold(&command->client->base);
    closing->id = json_incref(command->id);
    closing->result = result;
    brop_journal_add(command->brop->journal, false, command->method, command->client->name, NULL);
    worker_stop(brop_tab_worker(command->tab), on_closed_window, closing);
}

/* Closes the tab, and its window with the last one; takes ownership of the result. */
static void close_and_answer(struct brop_command *command, struct br_session *session,
                             json_t *result)
{
    struct br_error err;
    struct brop_window *window = brop_tab_window(command->tab);
    if (brop_window_end_with(window, command->tab)) {
        end_and_answer(command, result);
        return;
    }
    if (brop_window_close_tab(window, command->tab, session, &err)) {
        brop_command_answer(command, result, NULL);
        return;
    }
    json_decref(result);
    fail(command, &err);
}

static json_t *done_json(const struct brop_command *command, const char *action)
{
    return json_pack("{s:b, s:i, s:s}", "success", 1, "tabId", (int)brop_tab_id(command->tab),
                     "action", action);
}

static void run_close(struct brop_command *command, const struct worker_call *call)
{
    close_and_answer(command, call->session, done_json(command, "closed"));
}

/*
 * Closes a tab that has been busy for too long. A window with one tab ends with its worker; in one
 * with several, the command that runs is cancelled first.
 */
static void refuse_close(struct brop_command *command, const struct br_error *why)
{
    struct brop_window *window = brop_tab_window(command->tab);
    if (brop_window_end_with(window, command->tab)) {
        end_and_answer(command, done_json(command, "closed"));
    } else if (why->code == BR_TIMEOUT) {
        brop_window_cancel(window, NULL);
        post_again(command, BROP_CLOSE_LATE, 0); /* runs after the cancelled one has ended */
    } else {
        refuse(command, why);
    }
}

/* Executes navigate with close_tab: navigates first. */
static void run_navigate_and_close(struct brop_command *command, const struct worker_call *call)
{
    struct br_error err;
    json_t *result = NULL;
    struct brop_run run = run_of(command, call->session);
    bool has_url = json_object_get(command->params, "url");
    if (has_url &&
        (!brop_window_enter(brop_tab_window(command->tab), command->tab, call->session, &err) ||
         !brop_page_run(&run, &result, &err))) {
        fail_with(command, result, &err);
        return;
    }
    result = result ? result : done_json(command, "");
    json_object_set_new(result, "action", json_string("tab_closed"));
    close_and_answer(command, call->session, result);
}

static bool bring_to_front(void *data, const struct session_visit *visit, struct br_error *err)
{
    (void)data;
    return page_command(visit->page, "Page.bringToFront", NULL, NULL, err);
}

/* The tab is the active one in any case. why: it is not in front; NULL: it is. */
static void answer_activated(struct brop_command *command, const struct br_error *why)
{
    json_t *result = done_json(command, "activated");
    brop_tab_describe(command->tab, result, "url", "title", false);
    if (why) {
        CLEANUP_FREE char *text =
            xasprintf("the tab was not brought to the front: %s", why->message);
        json_object_set_new(result, "warnings", json_pack("[o]", json_text(text)));
    }
    brop_command_answer(command, result, NULL);
}

static void run_activate(struct brop_command *command, const struct worker_call *call)
{
    struct br_error err;
    struct brop_window *window = brop_tab_window(command->tab);
    bool is_in_front = brop_window_enter(window, command->tab, call->session, &err) &&
                       session_visit(call->session, FRONT_MS, bring_to_front, NULL, &err);
    answer_activated(command, is_in_front ? NULL : &err);
}

static void refuse_activate(struct brop_command *command, const struct br_error *why)
{
    if (why->code == BR_TIMEOUT) {
        answer_activated(command, why);
    } else {
        refuse(command, why);
    }
}

/* Console commands do not ask the page, and do not wait for a busy tab. */

static json_t *get_logs(struct brop_command *command, struct br_error *err)
{
    const char *level = json_member_string(command->params, "level");
    double limit = json_member_number(command->params, "limit", BROP_USUAL_LOGS);
    if (!(limit >= 0 && limit <= INT32_MAX)) {
        error_set(err, BR_INVALID_ACTION, "limit must be a number from 0 on");
        return NULL;
    }
    return brop_tab_logs(command->tab, (int64_t)limit, level);
}

static json_t *start_capture(struct brop_command *command, struct br_error *err)
{
    (void)err;
    return brop_tab_start_capture(command->tab);
}

static json_t *stop_capture(struct brop_command *command, struct br_error *err)
{
    (void)err;
    return brop_tab_stop_capture(command->tab);
}

static json_t *clear_logs(struct brop_command *command, struct br_error *err)
{
    (void)err;
    return brop_tab_clear_logs(command->tab);
}

typedef json_t *console_method(struct brop_command *command, struct br_error *err);

/* NULL: the command is not about the console. */
static console_method *find_console_method(const char *method)
{
    static const struct {
        const char *method;
        console_method *answer;
    } rows[] = {
        { "get_console_logs", get_logs },
        { "start_console_capture", start_capture },
        { "stop_console_capture", stop_capture },
        { "clear_console_logs", clear_logs },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].method, method) == 0) {
            return rows[i].answer;
        }
    }
    return NULL;
}

bool brop_is_console_method(const char *method)
{
    return find_console_method(method);
}

/* Without a session it reads the stored state. */
static void run_console_command(struct brop_command *command, const struct worker_call *call)
{
    struct br_error err;
    if (call->session) {
        br_session_poll(call->session, NULL, 0, 0);
    }
    json_t *result = find_console_method(command->method)(command, &err);
    brop_command_answer(command, result, &err);
}

static const struct {
    void (*run)(struct brop_command *command, const struct worker_call *call);
    void (*refuse)(struct brop_command *command, const struct br_error *why);
    int begin_ms;
} tasks[] = {
    [BROP_CREATE] = { run_create, fail_create, BEGIN_MS },
    [BROP_CLOSE] = { run_close, refuse_close, END_MS },
    [BROP_CLOSE_LATE] = { run_close, refuse, BEGIN_MS },
    [BROP_GO_AND_CLOSE] = { run_navigate_and_close, refuse, BEGIN_MS },
    [BROP_PAGE] = { run_page_command, refuse, BEGIN_MS },
    [BROP_WAIT_ON] = { run_page_command, refuse_wait, BEGIN_MS },
    [BROP_ACTIVATE] = { run_activate, refuse_activate, FRONT_MS },
    [BROP_CONSOLE] = { run_console_command, refuse, PEEK_MS },
};

static void on_call(void *data, const struct worker_call *call)
{
    struct brop_command *command = data;
    struct brop_window *window = brop_tab_window(command->tab);
    bool is_late = !call->session && call->why.code == BR_TIMEOUT;
    if (call->session) {
        brop_window_set_call(window, command->client, call->number);
        tasks[command->task].run(command, call);
        brop_window_set_call(window, NULL, 0);
    } else if (is_late && command->task == BROP_CONSOLE) {
        run_console_command(command, call);
    } else {
        tasks[command->task].refuse(command, &call->why);
    }
    brop_command_destroy(command);
}

void brop_command_post(struct brop_command *command, enum brop_task task)
{
    struct service *service = command->brop->service;
    bool is_short = task == BROP_WAIT_ON && command->left_ms < BEGIN_MS;
    command->task = task;
    worker_post(brop_tab_worker(command->tab),
                deadline_in_ms(is_short ? command->left_ms : tasks[task].begin_ms), on_call,
                command);
    service_wake(service); /* to learn until when it is to begin */
}
