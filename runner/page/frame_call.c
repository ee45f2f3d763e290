#include "runner/base/json.h"
#include "runner/page/evaluate.h"
#include "runner/page/frames.h"
#include "runner/page/scripts.h"

#include <string.h>

enum {
    WORLD_TRIES = 3,
    OTHER_MS = 300, /* for a frame that is told without being waited for any longer */
};

const char page_world_name[] = "browser-runner";

const char *const frame_object_group = "browser-runner";

static const char call_method[] = "Runtime.callFunctionOn";

/* What a world keeps, and the calls of it there: a bit of frame.kept each. */
#define KEPT(name) { script_##name, script_##name##_again },
static const struct {
    const char *function, *again;
} kept_scripts[] = { SCRIPTS_KEPT(KEPT) };
#undef KEPT

bool frame_command(struct page *page, const struct frame *frame, const char *method, json_t *params,
                   json_t **ret_result, struct br_error *err)
{
    return cdp_call(page->client, frame->session_id, method, params, ret_result, err);
}

bool frame_ensure_world(struct page *page, struct frame *frame, struct br_error *err)
{
    json_auto_t *reply = NULL;
    if (frame->world_id) {
        return true;
    }
    frame->kept = 0;
    return frame_command(
               page, frame, "Page.createIsolatedWorld",
               json_pack("{s:s, s:s}", "frameId", frame->id, "worldName", page_world_name), &reply,
               err) &&
           json_read(reply, "Page.createIsolatedWorld", err, "{s:i}", "executionContextId",
                     &frame->world_id);
}

/* A function that the world has by now is not sent, nor compiled, once more. */
static const char *declaration_in(struct frame *frame, const char *function)
{
    for (size_t i = 0; i < sizeof(kept_scripts) / sizeof(kept_scripts[0]); i++) {
        if (kept_scripts[i].function == function) {
            bool is_there = frame->kept >> i & 1;
            frame->kept |= 1U << i;
            return is_there ? kept_scripts[i].again : function;
        }
    }
    return function;
}

/* A call that failed may not have brought its function. */
static void forget_kept(struct page *page)
{
    for (size_t i = 0; i < page->frame_count; i++) {
        page->frames[i].kept = 0;
    }
}

/* In the frame's world; takes ownership of arguments. */
static json_t *call_params(struct frame *frame, const char *function, json_t *arguments,
                           bool by_value)
{
    return json_pack("{s:s, s:i, s:o, s:b, s:b, s:s}", "functionDeclaration",
                     declaration_in(frame, function), "executionContextId", frame->world_id,
                     "arguments", arguments, "returnByValue", by_value, "awaitPromise", 1,
                     "objectGroup", frame_object_group);
}

static int64_t send_call(struct page *page, struct frame *frame, const char *function,
                         json_t *arguments, bool by_value, struct br_error *err)
{
    return cdp_send(page->client, frame->session_id, call_method,
                    call_params(frame, function, arguments, by_value), err);
}

static bool receive_call(struct page *page, int64_t id, json_t **ret_reply, struct br_error *err)
{
    if (!cdp_receive(page->client, id, call_method, ret_reply, err)) {
        forget_kept(page);
        return false;
    }
    page->answered_at_ms = clock_monotonic_ms();
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

int64_t frame_send_call(struct page *page, struct frame *frame, const char *function,
                        json_t *argument, struct br_error *err)
{
    return send_call(page, frame, function, arguments_of(argument, NULL), true, err);
}

void frame_post_call(struct page *page, struct frame *frame, const char *function, json_t *argument)
{
    cdp_post(page->client, frame->session_id, call_method,
             call_params(frame, function, arguments_of(argument, NULL), true));
}

bool frame_receive_call(struct page *page, int64_t id, json_t **ret_value, struct br_error *err)
{
    json_auto_t *reply = NULL;
    if (!receive_call(page, id, &reply, err)) {
        return false;
    }
    bool is_done = evaluate_take_value(reply, ret_value, err);
    if (!is_done) {
        forget_kept(page);
    }
    return is_done;
}

static bool try_call(struct page *page, struct frame *frame, const char *function, json_t *argument,
                     const json_t *objects, json_t **ret_value, struct br_error *err)
{
    if (!frame_ensure_world(page, frame, err)) {
        return false;
    }
    int64_t id = send_call(page, frame, function, arguments_of(argument, objects), true, err);
    return frame_receive_call(page, id, ret_value, err);
}

bool frame_call(struct page *page, struct frame *frame, const char *function, json_t *argument,
                const json_t *objects, json_t **ret_value, struct br_error *err)
{
    bool is_main = frame == page->frames;
    bool is_done = try_call(page, frame, function, argument, objects, ret_value, err);
    /* A navigation may take the world away between its creation and the call. */
    for (int i = 1; i < WORLD_TRIES && !is_done && page_was_left(err); i++) {
        frame->world_id = 0;
        is_done = try_call(page, frame, function, argument, objects, ret_value, err);
    }
    bool is_gone = page_was_left(err) || err->code == BR_PAGE_CRASHED;
    if (!is_done && !is_main && is_gone && page_is_alive(page)) {
        error_set(err, BR_TARGET_NOT_FOUND, "the frame %s has gone", frame->url);
    }
    return is_done;
}

void frames_call_others(struct page *page, const char *function, json_t *argument)
{
    struct deadline end = page_deadline(page);
    for (size_t i = 1; i < page->frame_count; i++) {
        struct br_error ignored;
        json_auto_t *answer = NULL;
        if (!frame_is_silent(page, &page->frames[i])) {
            page_set_deadline(page, deadline_earlier(end, deadline_in_ms(OTHER_MS)));
            frame_call(page, &page->frames[i], function, argument, NULL, &answer, &ignored);
        }
    }
    page_set_deadline(page, end);
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

bool frame_get_kept(struct page *page, struct frame *frame, char **ret_object_id,
                    struct br_error *err)
{
    static const char kept[] = "function () { return globalThis.browserRunnerKept; }";
    return frame_get_object(page, frame, kept, ret_object_id, err);
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
    bool is_done = frame_call(page, &page->frames[0], function, argument, NULL, ret_value, err);
    json_decref(argument);
    return is_done;
}
