#include "runner/page/element/evaluate.h"

#include "runner/base/json.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/resolve.h"

#include <ctype.h>
#include <string.h>

enum { MAX_RESULT = 32 * 1024 * 1024 /* bytes of JSON, as the browser writes it */ };

static const char value_group[] = "browser-runner value";

static const char call_method[] = "Runtime.callFunctionOn";

/*
 * Returns the reply to a method that runs a script, unless it is too large. `script` NULL: not the
 * user's.
 */
static bool call_script(struct page *page, const struct frame *frame, const char *method,
                        json_t *params, struct page_script *script, json_t **ret_reply,
                        struct br_error *err)
{
    int64_t id = cdp_send(page->client, frame->session_id, method, params, err);
    if (script && script->on_sent && id >= 0) {
        script->on_sent(page);
        script->on_sent = NULL;
    } else if (script) {
        script->has_followers = true;
    }
    CLEANUP_CDP_MESSAGE struct cdp_message *reply = cdp_receive_raw(page->client, id, method, err);
    if (!reply) {
        return false;
    }
    if (reply->result.length > MAX_RESULT) {
        error_set(err, BR_LIMIT_EXCEEDED, "the value is %zu MB of JSON, more than %d",
                  reply->result.length / 1000000, MAX_RESULT / 1000000);
        return error_hint(err, "return less from the script: a part of it, or only what is needed");
    }
    *ret_reply = json_parse(reply->result.text, reply->result.length, method, err);
    return *ret_reply;
}

/* Terminates a script that is no longer waited for, since it would block the page. */
static bool run_script(struct page *page, const struct frame *frame, const char *method,
                       json_t *params, struct page_script *script, json_t **ret_reply,
                       struct br_error *err)
{
    if (call_script(page, frame, method, params, script, ret_reply, err)) {
        wire_note_answer(page);
        return true;
    }
    if (err->code == BR_TIMEOUT || err->code == BR_CANCELLED) {
        cdp_post(page->client, frame->session_id, "Runtime.terminateExecution", NULL);
    }
    /* Such as "Object reference chain is too long". */
    err->code = err->code == BR_UNKNOWN_ERROR ? BR_EVAL_ERROR : err->code;
    return false;
}

static bool is_promise(const json_t *object)
{
    const char *subtype = json_member_string(object, "subtype");
    return subtype && strcmp(subtype, "promise") == 0;
}

/* Waits for the promise in a reply and replaces it by its value. */
static bool await_value(struct page *page, const struct frame *frame, struct page_script *script,
                        json_t **reply, struct br_error *err)
{
    const json_t *object = json_object_get(*reply, "result");
    json_t *params = json_pack("{s:O}", "promiseObjectId", json_object_get(object, "objectId"));
    json_decref(TAKE(*reply));
    return run_script(page, frame, "Runtime.awaitPromise", params, script, reply, err);
}

/*
 * Calls Runtime.evaluate with the script, or with this text instead. In REPL mode, `await` is
 * allowed outside of functions.
 */
static bool evaluate(struct page *page, struct frame *frame, const char *expression,
                     struct page_script *script, bool is_console, json_t **ret_reply,
                     struct br_error *err)
{
    bool await_promise = script->awaits_promise;
    json_t *context = frame->parent_id ? frame_context(page, frame) : NULL;
    if (frame->parent_id && !context) {
        return error_set(err, BR_EVAL_ERROR, "the frame %s has no document that runs scripts",
                         frame->url);
    }
    json_t *params = json_pack("{s:o, s:b, s:b, s:b, s:b, s:s, s:O*}", "expression",
                               json_text(expression), "replMode", is_console, "awaitPromise",
                               await_promise, "userGesture", 1, "allowUnsafeEvalBlockedByCSP", 1,
                               "objectGroup", value_group, "uniqueContextId", context);
    if (!run_script(page, frame, "Runtime.evaluate", params, script, ret_reply, err)) {
        return false;
    }
    const json_t *object = json_object_get(*ret_reply, "result");
    /* REPL mode waits for `await`, but not for a promise as the value. */
    return !is_console || !await_promise || !is_promise(object) ||
           await_value(page, frame, script, ret_reply, err);
}

/* Finds out whether the text compiles; runs nothing. */
static bool compile(struct page *page, const struct frame *frame, const char *text,
                    bool *ret_is_script, struct br_error *err)
{
    json_auto_t *reply = NULL;
    json_t *params = json_pack("{s:o, s:s, s:b}", "expression", json_text(text), "sourceURL", "",
                               "persistScript", 0);
    bool is_known = frame_command(page, frame, "Runtime.compileScript", params, &reply, err);
    *ret_is_script = is_known && !json_object_get(reply, "exceptionDetails");
    return is_known;
}

/* Returns whether the text, with what is put around it, compiles. */
static bool is_script(struct page *page, const struct frame *frame, const char *text)
{
    struct br_error ignored;
    bool is_script = false;
    return compile(page, frame, text, &is_script, &ignored) && is_script;
}

static bool is_syntax_error(const json_t *reply, const char *text)
{
    const json_t *details = json_object_get(reply, "exceptionDetails");
    const json_t *exception = json_object_get(details, "exception");
    const char *class_name = json_member_string(exception, "className");
    const char *description = json_member_string(exception, "description");
    return class_name && strcmp(class_name, "SyntaxError") == 0 && description &&
           strstr(description, text);
}

/* Returns whether `word` occurs in the script as a whole word, followed by one of `next`. */
static bool has_word(const char *script, const char *word, const char *next)
{
    for (const char *at = script; (at = strstr(at, word));) {
        bool begins = at == script || !(isalnum((unsigned char)at[-1]) || strchr("_$.", at[-1]));
        at += strlen(word);
        size_t blanks = strspn(at, " \t\r\n");
        bool is_next =
            next ? at[blanks] && strchr(next, at[blanks]) : blanks || (*at && strchr("[{", *at));
        if (begins && is_next) {
            return true;
        }
    }
    return false;
}

/*
 * Returns whether to evaluate a script in REPL mode. It may contain `await (…)`, which outside REPL
 * mode is a call of a function with that name, and an error only when it is executed. Declarations
 * may be repeated by later scripts.
 */
static bool is_for_console(const char *script)
{
    return has_word(script, "await", "([`") || has_word(script, "const", NULL) ||
           has_word(script, "let", NULL) || has_word(script, "class", NULL);
}

/*
 * Evaluates a text that does not compile in the way that was probably meant: with `await`, with
 * `return`, or as an object in braces. Wrappers keep the line numbers. If none of these works, the
 * reply stays the first one.
 */
static bool evaluate_as_meant(struct page *page, struct frame *frame, struct page_script *script,
                              json_t **reply, struct br_error *err)
{
    const char *expression = script->text;
    CLEANUP_FREE char *function = xasprintf("(async () => {%s\n})()", expression);
    CLEANUP_FREE char *value = xasprintf("(%s\n)", expression);
    CLEANUP_FREE char *awaited = xasprintf("(async () => (%s\n))()", expression);
    const char *meant = NULL;
    if (is_script(page, frame, expression)) {
        return true; /* the script itself threw a SyntaxError */
    }
    if (is_script(page, frame, function)) {
        json_decref(TAKE(*reply));
        if (!evaluate(page, frame, expression, script, true, reply, err)) {
            return false;
        }
        if (!is_syntax_error(*reply, "Illegal return statement")) {
            return true;
        }
        meant = function;
    } else if (is_script(page, frame, value)) {
        meant = value;
    } else if (is_script(page, frame, awaited)) {
        meant = awaited;
    }
    if (!meant) {
        return true;
    }
    json_decref(TAKE(*reply));
    return evaluate(page, frame, meant, script, false, reply, err);
}

/* Copies the value of a reference in the page; names what JSON cannot express. */
static bool copy_value(struct page *page, struct frame *frame, const char *object_id,
                       struct page_script *script, json_t **ret_value, struct br_error *err)
{
    json_auto_t *reply = NULL;
    json_auto_t *copy = NULL;
    json_t *params =
        json_pack("{s:s, s:s, s:[{s:s}], s:b}", "functionDeclaration", script_value, "objectId",
                  object_id, "arguments", "objectId", object_id, "returnByValue", 1);
    if (!run_script(page, frame, call_method, params, script, &reply, err) ||
        !call_take_value(reply, &copy, err)) {
        return false;
    }
    const char *refused = json_member_string(copy, "refused");
    if (refused) {
        error_set(err, BR_EVAL_ERROR, "%s, which cannot be written as JSON", refused);
        return error_hint(err, "%s", json_member_string(copy, "cure"));
    }
    json_t *value = json_object_get(copy, "value");
    *ret_value = value ? json_incref(value) : json_null();
    return true;
}

/* Returns a description of a value. */
static json_t *describe(const json_t *object, bool was_promise, json_t *value)
{
    const char *type = json_member_string(object, "type");
    return json_pack("{s:s, s:b, s:b, s:o*, s:O*, s:O*, s:O*}", "type", type ? type : "undefined",
                     "isPromise", was_promise, "isSerializable", value != NULL, "value", value,
                     "subtype", json_object_get(object, "subtype"), "className",
                     json_object_get(object, "className"), "description",
                     json_object_get(object, "description"));
}

/* An exception stays an error; a value that JSON cannot express is only described. */
static bool take_typed(struct page *page, struct frame *frame, json_t *reply,
                       struct page_script *script, json_t **ret_value, struct br_error *err)
{
    json_t *value = NULL;
    struct br_error ignored;
    const json_t *object = json_object_get(reply, "result");
    const char *object_id = json_member_string(object, "objectId");
    const char *type = json_member_string(object, "type");
    bool is_function = type && strcmp(type, "function") == 0;
    if (json_object_get(reply, "exceptionDetails")) {
        return call_take_value(reply, ret_value, err);
    }
    if (!object_id) {
        call_take_value(reply, &value, &ignored);
    } else if (!is_promise(object) && !is_function &&
               !copy_value(page, frame, object_id, script, &value, err) &&
               err->code != BR_EVAL_ERROR) {
        return false;
    }
    *ret_value = describe(object, is_promise(object) || script->was_promise, value);
    return true;
}

static bool take_plain(struct page *page, struct frame *frame, json_t *reply,
                       struct page_script *script, json_t **ret_value, struct br_error *err)
{
    const json_t *object = json_object_get(reply, "result");
    const char *object_id = json_member_string(object, "objectId");
    if (json_object_get(reply, "exceptionDetails") || !object_id) {
        bool is_taken = call_take_value(reply, ret_value, err);
        if (!is_taken && json_object_get(object, "unserializableValue")) {
            error_hint(err, "return String(value)");
        }
        return is_taken;
    }
    if (is_promise(object)) {
        *ret_value = json_null(); /* not awaited */
        return true;
    }
    return copy_value(page, frame, object_id, script, ret_value, err);
}

static bool take_result(struct page *page, struct frame *frame, json_t *reply,
                        struct page_script *script, json_t **ret_value, struct br_error *err)
{
    bool is_taken = script->is_typed ? take_typed(page, frame, reply, script, ret_value, err)
                                     : take_plain(page, frame, reply, script, ret_value, err);
    if (json_object_get(json_object_get(reply, "result"), "objectId")) {
        cdp_post(page->client, frame->session_id, "Runtime.releaseObjectGroup",
                 json_pack("{s:s}", "objectGroup", value_group));
    }
    return is_taken;
}

/* If the script's value is a function, calls it with the arguments; keeps any other value. */
static bool call_value(struct page *page, struct frame *frame, struct page_script *script,
                       json_t **reply, struct br_error *err)
{
    size_t index;
    json_t *arg;
    const json_t *object = json_object_get(*reply, "result");
    const char *type = json_member_string(object, "type");
    if (json_object_get(*reply, "exceptionDetails")) {
        return true;
    }
    if (!type || strcmp(type, "function") != 0) {
        bool has_args = json_array_size(script->args);
        return !has_args || (error_set(err, BR_EVAL_ERROR,
                                       "args are given, but the expression is not a function"),
                             error_hint(err, "write it as (a, b) => a + b"));
    }
    json_t *params =
        json_pack("{s:s, s:O, s:[], s:b, s:b, s:s}", "functionDeclaration",
                  "function (...args) { return this(...args); }", "objectId",
                  json_object_get(object, "objectId"), "arguments", "awaitPromise",
                  script->awaits_promise, "userGesture", 1, "objectGroup", value_group);
    json_array_foreach (script->args, index, arg) {
        json_array_append_new(json_object_get(params, "arguments"),
                              json_pack("{s:O}", "value", arg));
    }
    json_decref(TAKE(*reply));
    return run_script(page, frame, call_method, params, script, reply, err);
}

/* Waits for a promise, and records that there was one. */
static bool note_promise(struct page *page, const struct frame *frame, struct page_script *script,
                         json_t **reply, struct br_error *err)
{
    script->was_promise = is_promise(json_object_get(*reply, "result"));
    return !script->was_promise || await_value(page, frame, script, reply, err);
}

/* Returns whether the text begins with a word that no expression begins with. */
static bool begins_statement(const char *text)
{
    static const char *const words[] = { "const", "do",  "for", "if",    "return",
                                         "throw", "try", "var", "while", "switch" };
    const char *at = text + strspn(text, " \t\r\n");
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz");
    bool is_word =
        !at[length] || !(isalnum((unsigned char)at[length]) || strchr("_$\\", at[length]));
    for (size_t i = 0; is_word && i < sizeof(words) / sizeof(words[0]); i++) {
        if (strlen(words[i]) == length && strncmp(at, words[i], length) == 0) {
            return true;
        }
    }
    return false;
}

/*
 * Evaluates the text in parentheses: a function with a name would otherwise be a declaration
 * without a value. *ret_reply stays NULL if that does not compile, in which case nothing has run.
 * This is only asked after a SyntaxError, which the script itself may have thrown: after any other
 * exception it has run, and may have left the page.
 */
static bool evaluate_value(struct page *page, struct frame *frame, struct page_script *script,
                           json_t **ret_reply, struct br_error *err)
{
    CLEANUP_FREE char *value = xasprintf("(%s\n)", script->text);
    json_auto_t *reply = NULL;
    bool has_run = true;
    if (!evaluate(page, frame, value, script, false, &reply, err) ||
        (is_syntax_error(reply, "SyntaxError") && !compile(page, frame, value, &has_run, err))) {
        return false;
    }
    *ret_reply = has_run ? TAKE(reply) : NULL;
    return true;
}

/* Evaluates the text as a script, or in the way that was probably meant. */
static bool evaluate_script(struct page *page, struct frame *frame, struct page_script *script,
                            json_t **ret_reply, struct br_error *err)
{
    return evaluate(page, frame, script->text, script, is_for_console(script->text), ret_reply,
                    err) &&
           (!is_syntax_error(*ret_reply, "SyntaxError") ||
            evaluate_as_meant(page, frame, script, ret_reply, err));
}

bool page_evaluate(struct page *page, struct page_script *script, json_t **ret_value,
                   struct br_error *err)
{
    json_auto_t *reply = NULL;
    struct frame *frame = frame_main(page);
    if (script->frame &&
        !(frames_update(page, err) && frame_resolve(page, script->frame, &frame, err))) {
        return false;
    }
    page_act(page);
    bool awaits = script->awaits_promise;
    bool may_be_value = script->args && !begins_statement(script->text);
    /* A promise that is a value is reported as one, so it is awaited only after that. */
    bool notes_promise = may_be_value && script->is_typed && awaits;
    script->awaits_promise = awaits && !notes_promise;
    if (may_be_value && !evaluate_value(page, frame, script, &reply, err)) {
        return false;
    }
    if (!reply) {
        notes_promise = false;
        script->awaits_promise = awaits;
        if (!evaluate_script(page, frame, script, &reply, err)) {
            return false;
        }
    }
    if ((script->args && !call_value(page, frame, script, &reply, err)) ||
        (notes_promise && !note_promise(page, frame, script, &reply, err))) {
        return false;
    }
    bool is_taken = take_result(page, frame, reply, script, ret_value, err);
    if (!is_taken && is_syntax_error(reply, "has already been declared")) {
        error_hint(
            err, "the page itself uses that name: choose another one, or put the script in braces");
    }
    return is_taken;
}

bool page_is_true(struct page *page, const char *expression, bool *ret_is_true,
                  struct br_error *err)
{
    json_auto_t *reply = NULL;
    struct page_script script = { .text = expression, .awaits_promise = true };
    if (!evaluate(page, frame_main(page), expression, &script, is_for_console(expression), &reply,
                  err)) {
        return false;
    }
    const json_t *details = json_object_get(reply, "exceptionDetails");
    if (details) {
        return call_script_error(details, err);
    }
    const json_t *object = json_object_get(reply, "result");
    const json_t *value = json_object_get(object, "value");
    const char *special = json_member_string(object, "unserializableValue");
    const char *type = json_member_string(object, "type");
    const char *object_id = json_member_string(object, "objectId");
    bool is_zero = (json_is_number(value) && json_number_value(value) == 0) ||
                   (special && (strcmp(special, "-0") == 0 || strcmp(special, "NaN") == 0 ||
                                strcmp(special, "0n") == 0));
    bool is_empty = json_is_string(value) && json_string_length(value) == 0;
    *ret_is_true = type && strcmp(type, "undefined") != 0 && !json_is_null(value) &&
                   !json_is_false(value) && !is_zero && !is_empty;
    if (object_id) {
        page_post(page, "Runtime.releaseObject", json_pack("{s:s}", "objectId", object_id));
    }
    return true;
}
