#include "runner/page/element/locate.h"

#include "runner/base/json.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/questions.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/named.h"
#include "runner/page/element/node.h"
#include "runner/page/element/role.h"

static json_t *optional_text(const char *text)
{
    return text ? json_text(text) : NULL;
}

/* The argument of locate.js; takes ownership of more. */
static json_t *locate_argument(const struct page_target *target, const char *mode, json_t *more)
{
    json_t *argument = json_pack(
        "{s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:O*, s:i, s:s, s:b}", "selector",
        optional_text(target->selector), "testId", optional_text(target->test_id), "text",
        optional_text(target->text), "role", optional_text(target->role), "name",
        optional_text(target->name), "node",
        optional_text(target->node.backend_id ? target->node.label : NULL), "targets",
        target->targets, "nth", target->nth, "mode", mode, "ignoreNoAi", target->ignores_no_ai);
    if (more) {
        json_object_update(argument, more);
        json_decref(more);
    }
    return argument;
}

/* The elements that are known to Chrome and not to be looked for by locate.js; NULL: there are
 * none.
 */
static bool find_given(struct page *page, struct frame *frame, const struct page_target *target,
                       json_t **ret_elements, struct br_error *err)
{
    if (target->node.backend_id) {
        return node_find(page, frame, &target->node, ret_elements, err);
    }
    return !target->role || role_find(page, frame, target, ret_elements, err);
}

/* What came of locate.js in a frame, with is_called of its call alone. */
static bool judge_answer(struct page *page, struct frame *frame, const struct page_target *target,
                         bool is_called, const json_t *answer, struct br_error *err)
{
    bool is_done = is_called && call_answer_is_fine(answer, err);
    if (target->role || target->node.backend_id) {
        frame_release(page, frame); /* the document, too, that was asked */
    }
    if (!is_done && target->node.backend_id && err->code == BR_STALE_NODE) {
        return node_is_stale(&target->node, err);
    }
    if (!is_done && target->role && page_was_left(err) && page_is_alive(page)) {
        frame->world_id = 0;
        error_set(err, BR_TARGET_NOT_FOUND, "the document went away while it was looked through");
    }
    return is_done;
}

bool locate_in(struct page *page, struct frame *frame, const struct page_target *target,
               const char *mode, json_t *more, json_t **ret_answer, struct br_error *err)
{
    json_auto_t *argument = locate_argument(target, mode, more);
    json_auto_t *elements = NULL;
    json_auto_t *answer = NULL;
    bool is_called = find_given(page, frame, target, &elements, err) &&
                     frame_call(page, frame, script_locate, argument, elements, &answer, err);
    if (!judge_answer(page, frame, target, is_called, answer, err)) {
        return false;
    }
    *ret_answer = TAKE(answer);
    return true;
}

struct frame_question *locate_ask_frames(struct page *page, const struct page_target *target,
                                         const char *mode)
{
    json_auto_t *argument = locate_argument(target, mode, NULL);
    struct frame_question *questions = frame_questions_create(page);
    for (size_t i = 0; target->role && i < page->frame_count; i++) {
        struct frame_question *question = &questions[i];
        if (i && frame_is_silent(page, question->frame)) {
            continue;
        }
        struct deadline before = i ? frame_begin(page) : page_deadline(page);
        question->is_left_out =
            !find_given(page, question->frame, target, &question->objects, &question->err);
        if (i) {
            frame_end(page, question->frame, before, question->is_left_out ? &question->err : NULL);
        }
    }
    frames_ask(page, script_locate, argument, questions, page->frame_count);
    for (size_t i = 0; i < page->frame_count; i++) {
        struct frame_question *question = &questions[i];
        question->is_answered = judge_answer(page, question->frame, target, question->is_answered,
                                             question->answer, &question->err);
    }
    return questions;
}

int64_t locate_send_kept(struct page *page, const struct page_target *target, const char *mode,
                         json_t *more, struct br_error *err)
{
    json_auto_t *argument = locate_argument(target, mode, more);
    json_object_set_new(argument, "isKept", json_true());
    return frame_send_call(page, frame_acting(page), script_locate, argument, err);
}

bool locate_receive_kept(struct page *page, int64_t id, json_t **ret_answer, struct br_error *err)
{
    json_auto_t *answer = NULL;
    if (!frame_receive_call(page, frame_acting(page), id, &answer, err)) {
        return page_was_left(err) && page_is_alive(page)
                   ? error_set(err, BR_TARGET_NOT_FOUND,
                               "the document of the element went away before the input came")
                   : false;
    }
    if (!call_answer_is_fine(answer, err)) {
        return false;
    }
    *ret_answer = TAKE(answer);
    return true;
}
