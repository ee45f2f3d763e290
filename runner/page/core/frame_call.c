#include "runner/base/json.h"
#include "runner/page/core/evaluate.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"

#include <string.h>

enum {
    WORLD_TRIES = 3,
    OTHER_MS = 300, /* for a frame that is told without being waited for any longer */
};

const char page_world_name[] = "browser-runner";

const char *const frame_object_group = "browser-runner";

static const char world_method[] = "Page.createIsolatedWorld";
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

static int64_t send_world(struct page *page, struct frame *frame, struct br_error *err)
{
    frame->kept = 0;
    return cdp_send(page->client, frame->session_id, world_method,
                    json_pack("{s:s, s:s}", "frameId", frame->id, "worldName", page_world_name),
                    err);
}

static bool receive_world(struct page *page, struct frame *frame, int64_t id, struct br_error *err)
{
    json_auto_t *reply = NULL;
    return cdp_receive(page->client, id, world_method, &reply, err) &&
           json_read(reply, world_method, err, "{s:i}", "executionContextId", &frame->world_id);
}

bool frame_ensure_world(struct page *page, struct frame *frame, struct br_error *err)
{
    return frame->world_id || receive_world(page, frame, send_world(page, frame, err), err);
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

bool frame_receive_call(struct page *page, struct frame *frame, int64_t id, json_t **ret_value,
                        struct br_error *err)
{
    json_auto_t *reply = NULL;
    bool is_done =
        receive_call(page, id, &reply, err) && evaluate_take_value(reply, ret_value, err);
    if (!is_done) {
        frame->kept = 0; /* it may not have brought its function */
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
    return frame_receive_call(page, frame, id, ret_value, err);
}

/* A frame inside may go at any time; always false. */
static bool explain_gone(struct page *page, const struct frame *frame, struct br_error *err)
{
    bool is_gone = page_was_left(err) || err->code == BR_PAGE_CRASHED;
    if (frame != page->frames && is_gone && page_is_alive(page)) {
        error_set(err, BR_TARGET_NOT_FOUND, "the frame %s has gone", frame->url);
    }
    return false;
}

bool frame_call(struct page *page, struct frame *frame, const char *function, json_t *argument,
                const json_t *objects, json_t **ret_value, struct br_error *err)
{
    bool is_done = try_call(page, frame, function, argument, objects, ret_value, err);
    /* A navigation may take the world away between its creation and the call. */
    for (int i = 1; i < WORLD_TRIES && !is_done && page_was_left(err); i++) {
        frame->world_id = 0;
        is_done = try_call(page, frame, function, argument, objects, ret_value, err);
    }
    return is_done || explain_gone(page, frame, err);
}

struct frame_question *frame_questions_create(struct page *page)
{
    struct frame_question *questions = xcalloc(page->frame_count, sizeof(*questions));
    for (size_t i = 0; i < page->frame_count; i++) {
        questions[i].frame = &page->frames[i];
    }
    return questions;
}

void frame_questions_destroy(struct frame_question *questions, size_t count)
{
    for (size_t i = 0; questions && i < count; i++) {
        json_decref(questions[i].objects);
        json_decref(questions[i].answer);
    }
    free(questions);
}

/* Several frames that are asked the same. */
struct asking {
    struct page *page;
    const char *function;
    json_t *argument;
    struct frame_question *questions;
    size_t count;
    int64_t patience_ms; /* with each; 0: as frame_begin() and frame_end() have it */
};

/* The frames of a process wait for each other: after one that did not answer, no other will. */
static bool is_stuck(const struct asking *asking, size_t index)
{
    const struct frame_question *questions = asking->questions;
    for (size_t i = 0; i < index; i++) {
        if (questions[i].err.code == BR_TIMEOUT &&
            strcmp(questions[i].frame->session_id, questions[index].frame->session_id) == 0) {
            return true;
        }
    }
    return frame_is_silent(asking->page, questions[index].frame);
}

/* The answer to the call, or with is_world the frame's context. */
static bool receive_one(const struct asking *asking, struct frame_question *question, bool is_world)
{
    struct page *page = asking->page;
    struct frame *frame = question->frame;
    struct br_error *err = &question->err;
    int64_t id = question->call_id;
    question->call_id = 0;
    if (is_world ? receive_world(page, frame, id, err)
                 : frame_receive_call(page, frame, id, &question->answer, err)) {
        return true;
    }
    if (!page_was_left(err)) {
        return explain_gone(page, frame, err);
    }
    frame->world_id = 0; /* of a document that has just gone: the next one is asked */
    return is_world ? frame_ensure_world(page, frame, err) || explain_gone(page, frame, err)
                    : frame_call(page, frame, asking->function, asking->argument, question->objects,
                                 &question->answer, err);
}

/* As long as the frame may take: its time begins when those before it have answered. */
static bool receive_in_time(const struct asking *asking, size_t index, bool is_world)
{
    struct page *page = asking->page;
    struct frame_question *question = &asking->questions[index];
    struct deadline before = page_deadline(page);
    if (question->frame == page->frames) {
        return receive_one(asking, question, is_world);
    }
    bool is_noted = !asking->patience_ms && !is_stuck(asking, index);
    if (is_noted) {
        frame_begin(page);
    } else {
        int64_t patience_ms = is_stuck(asking, index) ? 0 : asking->patience_ms;
        page_set_deadline(page, deadline_earlier(before, deadline_in_ms(patience_ms)));
    }
    bool is_done = receive_one(asking, question, is_world);
    page_set_deadline(page, before);
    if (is_noted) {
        frame_end(page, question->frame, before, is_done ? NULL : &question->err);
    }
    return is_done;
}

static void ensure_worlds(const struct asking *asking)
{
    for (size_t i = 0; i < asking->count; i++) {
        struct frame_question *question = &asking->questions[i];
        if (!question->is_left_out && !question->frame->world_id) {
            question->call_id = send_world(asking->page, question->frame, &question->err);
        }
    }
    for (size_t i = 0; i < asking->count; i++) {
        if (asking->questions[i].call_id) {
            asking->questions[i].is_left_out = !receive_in_time(asking, i, true);
        }
    }
}

static void leave_out_silent(const struct asking *asking)
{
    for (size_t i = 0; i < asking->count; i++) {
        struct frame_question *question = &asking->questions[i];
        if (!question->is_left_out && question->frame != asking->page->frames &&
            frame_is_silent(asking->page, question->frame)) {
            question->is_left_out = true;
            error_set(&question->err, BR_TIMEOUT, "the frame %s does not answer",
                      question->frame->url);
        }
    }
}

static void ask(const struct asking *asking)
{
    struct page *page = asking->page;
    leave_out_silent(asking);
    ensure_worlds(asking);
    for (size_t i = 0; i < asking->count; i++) {
        struct frame_question *question = &asking->questions[i];
        if (!question->is_left_out) {
            question->call_id =
                send_call(page, question->frame, asking->function,
                          arguments_of(asking->argument, question->objects), true, &question->err);
        }
    }
    for (size_t i = 0; i < asking->count; i++) {
        struct frame_question *question = &asking->questions[i];
        question->is_answered = !question->is_left_out && receive_in_time(asking, i, false);
    }
}

void frames_ensure_worlds(struct page *page)
{
    size_t count = page->frame_count;
    struct frame_question *questions = frame_questions_create(page);
    struct asking asking = { .page = page, .questions = questions, .count = count };
    leave_out_silent(&asking);
    ensure_worlds(&asking);
    frame_questions_destroy(questions, count);
}

void frames_ask(struct page *page, const char *function, json_t *argument,
                struct frame_question *questions, size_t count)
{
    struct asking asking = { page, function, argument, questions, count, 0 };
    ask(&asking);
}

void frames_call_others(struct page *page, const char *function, json_t *argument)
{
    size_t count = page->frame_count;
    if (count <= 1) {
        return;
    }
    struct frame_question *questions = frame_questions_create(page);
    struct asking asking = { page, function, argument, questions + 1, count - 1, OTHER_MS };
    ask(&asking);
    frame_questions_destroy(questions, count);
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
