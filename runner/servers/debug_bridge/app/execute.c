#include "runner/servers/debug_bridge/app/execute.h"

#include "imaging/base64.h"
#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/base/url_parts.h"
#include "runner/page/core/navigation.h"
#include "runner/servers/debug_bridge/app/aim.h"
#include "runner/servers/debug_bridge/app/changes.h"
#include "runner/servers/debug_bridge/app/commands.h"
#include "runner/servers/debug_bridge/app/page.h"
#include "runner/servers/debug_bridge/app/ui.h"
#include "runner/servers/debug_bridge/app/watch.h"

#include <string.h>

enum { MAX_TIMEOUT_MS = 86400000 };

/* A command that is being executed. */
struct execution {
    struct app *app;
    struct br_session *session;
    const struct app_command *row;
    const json_t *command;
    json_t *action; /* owned; NULL: not made yet */
    json_t *result; /* of the command; owned; NULL: none */
};

static json_t *option(const struct execution *run, const char *name)
{
    return app_command_option(run->command, name);
}

/* Sends the message that was asked for, before the result. Takes ownership. */
static void answer(struct execution *run, json_t *message)
{
    json_object_set(message, "requestId", json_object_get(run->command, "requestId"));
    app_send(run->app, message);
}

/* NULL with the error for an invalid action. Caller destroys. */
static struct br_response *run_action(struct execution *run, struct br_error *err)
{
    return worker_run(run->app->worker, run->session, json_incref(run->action), err);
}

/* NULL with the error if no action was run. Caller destroys. */
static struct br_response *run_on_target(struct execution *run, struct br_error *err)
{
    struct app_aim aim = {
        .app = run->app,
        .session = run->session,
        .target = json_object_get(run->command, "target"),
        .action = run->action,
    };
    bool has_target = run->row->target != TARGET_NONE && aim.target;
    struct br_response *response =
        !has_target || app_aim_take(&aim, err) ? run_action(run, err) : NULL;
    if (has_target && response && !response->success && err->code == BR_STALE_NODE &&
        app_aim_anew(&aim, err)) {
        br_response_destroy(response);
        response = run_action(run, err);
    }
    app_aim_finish(&aim);
    return response;
}

static bool execute_action(struct execution *run, struct br_error *err)
{
    CLEANUP_RESPONSE struct br_response *response = run_on_target(run, err);
    if (!response || !response->success) {
        return false;
    }
    run->result = response->values ? json_incref(response->values->result) : NULL;
    return true;
}

static bool resolve_url(void *data, const struct session_visit *visit, struct br_error *err)
{
    struct execution *run = data;
    json_auto_t *resolved = NULL;
    if (!app_page_ask(visit->page,
                      json_pack("{s:s, s:O, s:s*}", "op", "resolve", "url",
                                json_object_get(run->action, "url"), "base", page_url(visit->page)),
                      &resolved, err)) {
        return false;
    }
    json_object_set(run->action, "url", json_object_get(resolved, "url"));
    return true;
}

static bool execute_navigate(struct execution *run, struct br_error *err)
{
    bool is_relative = url_scheme_length(json_member_string(run->action, "url")) == 0;
    if (is_relative &&
        !app_visit(run->app, run->session, APP_VISIT_MS, false, resolve_url, run, err)) {
        return false;
    }
    CLEANUP_RESPONSE struct br_response *response = run_action(run, err);
    if (!response || !response->success) {
        return false;
    }
    run->result = json_pack("{s:o}", "url", json_text(response->url ? response->url : ""));
    if (response->http_status) {
        json_object_set_new(run->result, "status", json_integer(response->http_status));
    }
    return true;
}

static bool describe_value(void *data, const struct session_visit *visit, struct br_error *err)
{
    struct execution *run = data;
    return app_page_describe_value(visit->page, json_member_string(run->action, "expression"),
                                   &run->result, err);
}

static bool execute_evaluate(struct execution *run, struct br_error *err)
{
    if (!run->app->has_eval) {
        error_set(err, BR_EVAL_DISABLED, "agents may not run scripts here");
        return error_hint(err, "serve with --allow-eval");
    }
    if (json_is_false(option(run, "returnByValue"))) {
        double timeout_ms = json_member_number(run->action, "timeout", APP_VISIT_MS);
        bool is_in_range = timeout_ms >= 1 && timeout_ms <= MAX_TIMEOUT_MS;
        return app_visit(run->app, run->session, is_in_range ? (int64_t)timeout_ms : APP_VISIT_MS,
                         true, describe_value, run, err);
    }
    return execute_action(run, err);
}

/* Finds the items that match options.filter.selector; *ret_matches stays NULL without one. */
static bool find_matches(const struct session_visit *visit, const json_t *filter,
                         const json_t *items, json_t **ret_matches, struct br_error *err)
{
    size_t index;
    json_t *item;
    json_auto_t *found = NULL;
    json_t *selector = json_object_get(filter, "selector");
    if (!selector) {
        return true;
    }
    json_t *selectors = json_array();
    json_array_foreach (items, index, item) {
        json_array_append(selectors, json_object_get(item, "selector"));
    }
    if (!app_page_ask(visit->page,
                      json_pack("{s:s, s:O, s:o}", "op", "matching", "filter", selector,
                                "selectors", selectors),
                      &found, err)) {
        return false;
    }
    *ret_matches = json_incref(json_object_get(found, "matches"));
    return true;
}

static bool look_for_tree(void *data, const struct session_visit *visit, struct br_error *err)
{
    struct execution *run = data;
    const json_t *filter = option(run, "filter");
    json_auto_t *items = NULL;
    json_auto_t *matches = NULL;
    struct app_wanted wanted = {
        .has_hidden = json_is_true(option(run, "includeHidden")),
        .has_bounds = !json_is_false(option(run, "includeBounds")),
        .roles = json_object_get(filter, "roles"),
    };
    run->app->watch.is_touched = true;
    if (!app_ui_look(run->app->ids, visit, wanted.has_hidden, &items, err) ||
        !find_matches(visit, filter, items, &matches, err)) {
        return false;
    }
    wanted.matches = matches;
    json_t *message = app_message(&run->app->identity, "ui_tree");
    json_t *shown = app_wanted_items(items, &wanted);
    run->result = json_pack("{s:I}", "items", (json_int_t)json_array_size(shown));
    json_object_set_new(message, "items", shown);
    answer(run, app_masked(visit->secrets, message));
    return true;
}

static bool check_filter(const struct execution *run, struct br_error *err)
{
    const json_t *filter = option(run, "filter");
    const json_t *roles = json_object_get(filter, "roles");
    const json_t *selector = json_object_get(filter, "selector");
    bool is_fine = (!filter || json_is_object(filter)) && (!roles || json_is_array(roles)) &&
                   (!selector || json_is_string(selector));
    return is_fine ||
           error_set(err, BR_INVALID_ACTION,
                     "filter must be an object; its roles an array, its selector a text");
}

static bool look_for_html(void *data, const struct session_visit *visit, struct br_error *err)
{
    struct execution *run = data;
    json_t *message = NULL;
    if (!app_watch_html(run->app, visit, json_object_get(run->command, "options"), 0, &message,
                        err)) {
        return false;
    }
    run->result = json_pack("{s:I}", "length",
                            (json_int_t)json_string_length(json_object_get(message, "html")));
    answer(run, app_masked(visit->secrets, message));
    return true;
}

/* Sends one scope, or all; each is a message. */
static bool look_for_state(void *data, const struct session_visit *visit, struct br_error *err)
{
    struct execution *run = data;
    const char *scope;
    json_t *state;
    json_auto_t *states = NULL;
    const char *wanted = json_member_string(run->command, "scope");
    wanted = wanted ? wanted : json_string_value(option(run, "scope"));
    if (!app_watch_states(visit, &states, err)) {
        return false;
    }
    if (wanted && !json_object_get(states, wanted)) {
        return error_set(err, BR_INVALID_ACTION, "the page has no state \"%s\"", wanted);
    }
    json_t *scopes = json_array();
    json_object_foreach (states, scope, state) {
        if (!wanted || strcmp(scope, wanted) == 0) {
            answer(run, app_state_message(&run->app->identity, scope, NULL, state));
            json_array_append_new(scopes, json_string(scope));
        }
    }
    run->result = json_pack("{s:o}", "scopes", scopes);
    return true;
}

static json_t *base64_of(const struct br_capture *picture)
{
    size_t length = base64_encoded_size(picture->size);
    CLEANUP_FREE char *text = xmalloc(length + 1);
    base64_encode(picture->bytes, picture->size, text);
    return json_stringn_nocheck(text, length);
}

static bool look_for_viewport(void *data, const struct session_visit *visit, struct br_error *err)
{
    return app_page_ask(visit->page, json_pack("{s:s}", "op", "hello"), data, err);
}

static bool execute_screenshot(struct execution *run, struct br_error *err)
{
    json_auto_t *page = NULL;
    CLEANUP_RESPONSE struct br_response *response = run_action(run, err);
    if (!response || !response->success) {
        return false;
    }
    if (!response->post.bytes) {
        return error_set(err, BR_UNKNOWN_ERROR, "there is no picture");
    }
    if (!app_visit(run->app, run->session, APP_VISIT_MS, false, look_for_viewport, &page, err)) {
        return false;
    }
    json_t *message = app_message(&run->app->identity, "screenshot");
    json_object_set(message, "format", json_object_get(run->action, "format"));
    json_object_set_new(message, "data", base64_of(&response->post));
    json_object_set_new(message, "viewport",
                        json_pack("{s:O, s:O, s:O}", "width", json_object_get(page, "width"),
                                  "height", json_object_get(page, "height"), "devicePixelRatio",
                                  json_object_get(page, "devicePixelRatio")));
    run->result =
        json_pack("{s:i, s:i}", "width", response->post.width, "height", response->post.height);
    answer(run, message);
    return true;
}

static bool execute_visit(struct execution *run,
                          bool (*look)(void *data, const struct session_visit *visit,
                                       struct br_error *err),
                          struct br_error *err)
{
    return app_visit(run->app, run->session, APP_VISIT_MS, false, look, run, err);
}

static bool execute(struct execution *run, struct br_error *err)
{
    if (!app_command_action(run->row, run->command, &run->action, err)) {
        return false;
    }
    switch (run->row->kind) {
    case APP_COMMAND_ACTION:
        return execute_action(run, err);
    case APP_COMMAND_NAVIGATE:
        return execute_navigate(run, err);
    case APP_COMMAND_EVALUATE:
        return execute_evaluate(run, err);
    case APP_COMMAND_UI_TREE:
        return check_filter(run, err) && execute_visit(run, look_for_tree, err);
    case APP_COMMAND_DOM_SNAPSHOT:
        return execute_visit(run, look_for_html, err);
    case APP_COMMAND_SCREENSHOT:
        return execute_screenshot(run, err);
    case APP_COMMAND_STATE:
        return execute_visit(run, look_for_state, err);
    }
    return false;
}

/* Whether the command can be executed. *ret_row is NULL for an unknown type. */
static bool check(const json_t *command, const struct app_command **ret_row, struct br_error *err)
{
    const char *type = json_member_string(command, "type");
    const json_t *id = json_object_get(command, "requestId");
    *ret_row = type ? app_command_find(type) : NULL;
    if (!type) {
        return error_set(err, BR_INVALID_ACTION, "a command must be a JSON object with a type");
    }
    if (!*ret_row) {
        return error_set(err, BR_INVALID_ACTION, "\"%.64s\" is not a command", type);
    }
    if (!json_is_string(id) && !json_is_number(id)) {
        return error_set(err, BR_INVALID_ACTION, "%s: requestId is missing", type);
    }
    return true;
}

static bool is_ignored(const json_t *command)
{
    const char *type = json_member_string(command, "type");
    return type && app_command_is_ignored(type);
}

void app_execute(struct app *app, struct br_session *session, const char *text, size_t length)
{
    struct br_error err;
    int64_t began_ms = clock_monotonic_ms();
    json_auto_t *command = json_parse(text, length, "the command", &err);
    struct execution run = { .app = app, .session = session, .command = command };
    if (is_ignored(command)) {
        return;
    }
    bool is_done = check(command, &run.row, &err) && execute(&run, &err);
    json_t *result = is_done ? TAKE(run.result) : NULL;
    app_send(app, app_command_result(&app->identity, command, is_done ? NULL : &err, result,
                                     clock_monotonic_ms() - began_ms));
    json_decref(run.action);
    json_decref(run.result);
}

void app_refuse(struct app *app, const char *text, size_t length, const struct br_error *why)
{
    struct br_error ignored;
    json_auto_t *command = json_parse(text, length, "the command", &ignored);
    if (!is_ignored(command)) {
        app_send(app, app_command_result(&app->identity, command, why, NULL, 0));
    }
}
