#include "runner/page/core/call.h"

#include "runner/base/json.h"
#include "runner/page/core/frame.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/library.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

#include <string.h>

enum { WORLD_TRIES = 3 };

const char *const frame_object_group = "browser-runner";
const char *const frame_element_group = "browser-runner element";

static const char world_method[] = "Page.createIsolatedWorld";
static const char call_method[] = "Runtime.callFunctionOn";

bool call_script_error(const json_t *details, struct br_error *err)
{
    const json_t *exception = json_object_get(details, "exception");
    const char *text = json_member_string(exception, "description");
    json_t *value = json_object_get(exception, "value");
    CLEANUP_FREE char *thrown =
        !text && value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    if (!text) {
        text = thrown ? thrown : json_member_string(details, "text");
    }
    return error_set(err, BR_EVAL_ERROR, "the script threw %s", text ? text : "an exception");
}

bool call_take_value(json_t *reply, json_t **ret_value, struct br_error *err)
{
    const json_t *details = json_object_get(reply, "exceptionDetails");
    if (details) {
        return call_script_error(details, err);
    }
    const json_t *object = json_object_get(reply, "result");
    json_t *value = json_object_get(object, "value");
    const char *special = json_member_string(object, "unserializableValue");
    if (special && strcmp(special, "-0") == 0) {
        *ret_value = json_integer(0);
        return true;
    }
    if (special) {
        return error_set(err, BR_EVAL_ERROR, "the value %s cannot be written as JSON", special);
    }
    *ret_value = value ? json_incref(value) : json_null();
    return true;
}

bool call_answer_is_fine(const json_t *answer, struct br_error *err)
{
    const char *code = json_member_string(answer, "code");
    const char *message = json_member_string(answer, "message");
    const char *hint = json_member_string(answer, "hint");
    if (!code) {
        return true;
    }
    error_set(err, error_code_from_name(code), "%s", message ? message : code);
    return hint ? error_hint(err, "%s", hint) : false;
}

int64_t frame_send_world(struct page *page, struct frame *frame, struct br_error *err)
{
    frame->libraries = 0;
    return cdp_send(page->client, frame->session_id, world_method,
                    json_pack("{s:s, s:s}", "frameId", frame->id, "worldName", page_world_name),
                    err);
}

bool frame_receive_world(struct page *page, struct frame *frame, int64_t id, struct br_error *err)
{
    json_auto_t *reply = NULL;
    return cdp_receive(page->client, id, world_method, &reply, err) &&
           json_read(reply, world_method, err, "{s:i}", "executionContextId", &frame->world_id);
}

bool frame_ensure_world(struct page *page, struct frame *frame, struct br_error *err)
{
    return frame->world_id ||
           frame_receive_world(page, frame, frame_send_world(page, frame, err), err);
}

/*
 * Returns the parameters of a call in the frame's world; takes ownership of arguments. For a job,
 * the result stays in the page as an object, and its contents are returned, too.
 */
static json_t *call_params(struct page *page, struct frame *frame, const char *function,
                           json_t *arguments, bool by_value)
{
    bool is_job = library_is_job(function);
    library_bring(page, frame, function);
    json_t *params = json_pack("{s:s, s:i, s:o, s:b, s:b, s:s}", "functionDeclaration", function,
                               "executionContextId", frame->world_id, "arguments", arguments,
                               "returnByValue", by_value && !is_job, "awaitPromise", 1,
                               "objectGroup", is_job ? frame_element_group : frame_object_group);
    if (is_job) {
        json_object_set_new(params, "serializationOptions",
                            json_pack("{s:s, s:i, s:{s:i, s:s}}", "serialization", "deep",
                                      "maxDepth", 1, "additionalParameters", "maxNodeDepth", 0,
                                      "includeShadowTree", "none"));
    }
    return params;
}

static int64_t send_call(struct page *page, struct frame *frame, const char *function,
                         json_t *arguments, bool by_value, struct br_error *err)
{
    return cdp_send(page->client, frame->session_id, call_method,
                    call_params(page, frame, function, arguments, by_value), err);
}

static bool receive_call(struct page *page, int64_t id, json_t **ret_reply, struct br_error *err)
{
    if (!cdp_receive(page->client, id, call_method, ret_reply, err)) {
        return false;
    }
    wire_note_answer(page);
    return true;
}

static json_t *arguments_of(json_t *argument, const json_t *objects)
{
    json_t *arguments = json_pack("[{s:O*}]", "value", argument);
    size_t index;
    json_t *object_id;
    json_array_foreach (objects, index, object_id) {
        json_array_append_new(arguments, json_pack("{s:O}", "objectId", object_id));
    }
    return arguments;
}

int64_t frame_send_call_on(struct page *page, struct frame *frame, const char *function,
                           json_t *argument, const json_t *objects, struct br_error *err)
{
    return send_call(page, frame, function, arguments_of(argument, objects), true, err);
}

int64_t frame_send_call(struct page *page, struct frame *frame, const char *function,
                        json_t *argument, struct br_error *err)
{
    return frame_send_call_on(page, frame, function, argument, NULL, err);
}

void frame_post_call(struct page *page, struct frame *frame, const char *function, json_t *argument)
{
    cdp_post(page->client, frame->session_id, call_method,
             call_params(page, frame, function, arguments_of(argument, NULL), true));
}

bool frame_receive_call(struct page *page, struct frame *frame, int64_t id, json_t **ret_value,
                        struct br_error *err)
{
    json_auto_t *reply = NULL;
    if (!receive_call(page, id, &reply, err) || !call_take_value(reply, ret_value, err)) {
        frame->libraries = 0; /* they may not have arrived */
        return false;
    }
    json_t *object = json_object_get(reply, "result");
    if (json_object_get(object, "deepSerializedValue")) {
        json_decref(*ret_value);
        *ret_value = json_incref(object);
    }
    return true;
}

static bool try_call(struct page *page, struct frame *frame, const char *function, json_t *argument,
                     const json_t *objects, json_t **ret_value, struct br_error *err)
{
    if (!frame_ensure_world(page, frame, err)) {
        return false;
    }
    int64_t id = frame_send_call_on(page, frame, function, argument, objects, err);
    return frame_receive_call(page, frame, id, ret_value, err);
}

bool frame_explain_gone(struct page *page, const struct frame *frame, struct br_error *err)
{
    bool is_gone = page_was_left(err) || err->code == BR_PAGE_CRASHED;
    if (frame != frame_main(page) && is_gone && page_is_alive(page)) {
        error_set(err, BR_TARGET_NOT_FOUND, "the frame %s no longer exists", frame->url);
    }
    return false;
}

bool frame_call(struct page *page, struct frame *frame, const char *function, json_t *argument,
                const json_t *objects, json_t **ret_value, struct br_error *err)
{
    bool is_done = try_call(page, frame, function, argument, objects, ret_value, err);
    /* A navigation may destroy the world between its creation and the call. */
    for (int i = 1; i < WORLD_TRIES && !is_done && page_was_left(err); i++) {
        frame->world_id = 0;
        is_done = try_call(page, frame, function, argument, objects, ret_value, err);
    }
    return is_done || frame_explain_gone(page, frame, err);
}

bool frame_get_object(struct page *page, struct frame *frame, const char *function,
                      char **ret_object_id, struct br_error *err)
{
    json_auto_t *reply = NULL;
    if (!frame_ensure_world(page, frame, err) ||
        !receive_call(page, send_call(page, frame, function, json_array(), false, err), &reply,
                      err)) {
        return false;
    }
    *ret_object_id = xstrdup(json_member_string(json_object_get(reply, "result"), "objectId"));
    return true;
}

bool frame_has_gone(struct page *page, const struct br_error *err)
{
    return (page_was_left(err) || err->code == BR_TARGET_NOT_FOUND) && page_is_alive(page);
}

void frame_release(struct page *page, const struct frame *frame)
{
    cdp_post(page->client, frame->session_id, "Runtime.releaseObjectGroup",
             json_pack("{s:s}", "objectGroup", frame_object_group));
}

bool page_call_function(struct page *page, const char *function, json_t *argument,
                        json_t **ret_value, struct br_error *err)
{
    bool is_done = frame_call(page, frame_main(page), function, argument, NULL, ret_value, err);
    json_decref(argument);
    return is_done;
}

bool page_answers(struct page *page, int64_t ms)
{
    struct br_error ignored;
    json_auto_t *value = NULL;
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_in_ms(ms));
    bool is_answered = page_call_function(page, "function () {}", json_object(), &value, &ignored);
    page_set_deadline(page, before);
    return is_answered;
}
