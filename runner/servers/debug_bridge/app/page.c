#include "runner/servers/debug_bridge/app/page.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/call.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/wire.h"
#include "runner/servers/debug_bridge/app/messages.h"

#include <string.h>

/* Read as JSON, which applies the page's own toJSON(); a longer text is ignored. */
static const char read_state[] =
    "(() => { const state = globalThis.__debugBridgeState; if (state === undefined) { return ''; } "
    "const text = JSON.stringify(state) ?? ''; return text.length > 100000 ? '' : text; })()";

bool app_page_ask(struct page *page, json_t *argument, json_t **ret_answer, struct br_error *err)
{
    json_auto_t *answer = NULL;
    if (!page_call_function(page, script_watch, argument, &answer, err) ||
        !call_answer_is_fine(answer, err)) {
        return false;
    }
    *ret_answer = json_incref(answer);
    return true;
}

static json_t *scopes_of(const char *text)
{
    json_t *state = json_loads(text, JSON_DECODE_ANY, NULL);
    return json_is_object(state) ? state
           : state               ? json_pack("{s:o}", "debugBridgeState", state)
                                 : json_object();
}

bool app_page_state(struct page *page, const char *known, char **ret_text, json_t **ret_scopes,
                    struct br_error *err)
{
    json_auto_t *reply = NULL;
    *ret_text = NULL;
    *ret_scopes = NULL;
    if (!page_command(
            page, "Runtime.evaluate",
            json_pack("{s:s, s:b, s:b}", "expression", read_state, "returnByValue", 1, "silent", 1),
            &reply, err)) {
        return false;
    }
    const char *text = json_member_string(json_object_get(reply, "result"), "value");
    if (!text || (known && strcmp(known, text) == 0)) {
        return true; /* it threw, or has not changed */
    }
    *ret_text = xstrdup(text);
    *ret_scopes = app_without_secret_names(scopes_of(text));
    return true;
}

bool app_page_describe_value(struct page *page, const char *expression, json_t **ret_value,
                             struct br_error *err)
{
    static const char *const keys[] = { "type", "subtype", "className", "description", NULL };
    json_auto_t *reply = NULL;
    if (!page_command(page, "Runtime.evaluate",
                      json_pack("{s:s, s:b, s:s}", "expression", expression, "awaitPromise", 1,
                                "objectGroup", frame_object_group),
                      &reply, err)) {
        return false;
    }
    const json_t *details = json_object_get(reply, "exceptionDetails");
    if (details) {
        return call_script_error(details, err);
    }
    const json_t *result = json_object_get(reply, "result");
    json_t *value = json_object();
    for (size_t i = 0; keys[i]; i++) {
        json_object_set(value, keys[i], json_object_get(result, keys[i]));
    }
    json_t *plain = json_object_get(result, "value");
    if (!json_object_get(value, "description") && plain) {
        CLEANUP_FREE char *text = json_dumps(plain, JSON_COMPACT | JSON_ENCODE_ANY);
        json_object_set_new(value, "description", json_text(text));
    }
    page_post(page, "Runtime.releaseObjectGroup",
              json_pack("{s:s}", "objectGroup", frame_object_group));
    *ret_value = value;
    return true;
}

json_t *app_mutation_messages(const struct app_identity *identity, const char *batch_id,
                              const json_t *mutations)
{
    json_t *messages = json_array();
    size_t total = json_array_size(mutations);
    for (size_t begin = 0; begin < total; begin += APP_MAX_MUTATIONS) {
        json_t *message = app_message(identity, "dom_mutations");
        json_t *some = json_array();
        for (size_t i = begin; i < total && i < begin + APP_MAX_MUTATIONS; i++) {
            json_array_append(some, json_array_get(mutations, i));
        }
        json_object_set_new(message, "batchId", json_string(batch_id));
        json_object_set_new(message, "batchSize", json_integer((json_int_t)total));
        json_object_set_new(message, "mutations", some);
        json_array_append_new(messages, message);
    }
    return messages;
}

static void add_name(json_t *diff, const char *kind, const char *name)
{
    json_t *names = json_object_get(diff, kind);
    if (!names) {
        names = json_array();
        json_object_set_new(diff, kind, names);
    }
    json_array_append_new(names, json_string(name));
}

json_t *app_state_message(const struct app_identity *identity, const char *scope, json_t *before,
                          json_t *state)
{
    const char *key;
    json_t *value;
    json_t *message = app_message(identity, "state_update");
    json_object_set_new(message, "scope", json_string(scope));
    json_object_set(message, "state", state);
    if (!json_is_object(before) || !json_is_object(state)) {
        return message;
    }
    json_t *diff = json_object();
    json_object_foreach (state, key, value) {
        const json_t *old = json_object_get(before, key);
        if (!old) {
            add_name(diff, "added", key);
        } else if (!json_equal(old, value)) {
            add_name(diff, "modified", key);
        }
    }
    json_object_foreach (before, key, value) {
        if (!json_object_get(state, key)) {
            add_name(diff, "removed", key);
        }
    }
    json_object_set_new(message, "diff", diff);
    return message;
}
