#include "runner/page/element/locate.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/questions.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/named.h"
#include "runner/page/element/node.h"
#include "runner/page/element/role.h"

static json_t *optional_text(const char *text)
{
    return text ? json_text(text) : NULL;
}

/* Returns the query for scripts/elements/find.js. */
static json_t *query_of(const struct page_target *target)
{
    return json_pack("{s:o*, s:o*, s:b, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:O*, s:O*, s:i, "
                     "s:b}",
                     "word", optional_text(target->word), "kind", optional_text(target->word_kind),
                     "isLoose", target->is_loose, "field", optional_text(target->field), "selector",
                     optional_text(target->selector), "testId", optional_text(target->test_id),
                     "text", optional_text(target->text), "role", optional_text(target->role),
                     "name", optional_text(target->name), "node",
                     optional_text(target->node.backend_id ? target->node.label : NULL), "targets",
                     target->targets, "beside", target->beside, "nth", target->nth, "ignoreNoAi",
                     target->ignores_no_ai);
}

/* Finds elements that Chrome already knows; NULL: none, search for them. */
static bool find_given(struct page *page, struct frame *frame, const struct page_target *target,
                       json_t **ret_elements, bool *ret_is_exact, struct br_error *err)
{
    const struct page_node *node = target->within ? target->within : &target->node;
    if (node->backend_id) {
        return node_find(page, frame, node, ret_elements, err);
    }
    return !target->role || role_find(page, frame, target, ret_elements, ret_is_exact, err);
}

/* Evaluates the result of searching a frame. */
static bool judge(struct page *page, struct frame *frame, const struct page_target *target,
                  bool is_done, struct br_error *err)
{
    if (target->role || target->node.backend_id || target->within) {
        frame_release(page, frame); /* after a document was replaced, also the frame's objects */
    }
    if (!is_done && target->node.backend_id && err->code == BR_STALE_NODE) {
        return node_is_stale(&target->node, err);
    }
    if (!is_done && target->role && page_was_left(err) && page_is_alive(page)) {
        frame->world_id = 0;
        error_set(err, BR_TARGET_NOT_FOUND, "the document was replaced during the search");
    }
    return is_done;
}

/* Returns the argument of a job or function: its options and the query. */
static json_t *argument_of(const struct page_target *target, const struct job *job)
{
    json_t *argument = job->options ? json_copy(job->options) : json_object();
    json_object_set_new(argument, "query", query_of(target));
    return argument;
}

bool locate_in(struct page *page, struct frame *frame, const struct page_target *target,
               const struct job *job, struct element *ret_element, struct br_error *err)
{
    json_auto_t *argument = argument_of(target, job);
    json_auto_t *given = NULL;
    json_auto_t *object = NULL;
    bool is_exact = false;
    bool is_done = find_given(page, frame, target, &given, &is_exact, err) &&
                   frame_call(page, frame, job->function, argument, given, &object, err) &&
                   element_take(page, frame, object, ret_element, err);
    return judge(page, frame, target, is_done, err);
}

bool locate_count(struct page *page, struct frame *frame, const struct page_target *target,
                  const struct job *job, json_t **ret_answer, struct br_error *err)
{
    json_auto_t *argument = argument_of(target, job);
    json_auto_t *given = NULL;
    bool is_exact = false;
    bool is_done = find_given(page, frame, target, &given, &is_exact, err) &&
                   frame_call(page, frame, job->function, argument, given, ret_answer, err) &&
                   call_answer_is_fine(*ret_answer, err);
    return judge(page, frame, target, is_done, err);
}

/* Adds the elements that Chrome knows to a question. */
static void give(struct page *page, const struct page_target *target,
                 struct frame_question *question, bool *ret_is_exact)
{
    bool is_inner = question->frame != frame_main(page);
    if (is_inner && frame_is_silent(page, question->frame)) {
        return;
    }
    struct deadline before = is_inner ? frame_begin(page) : page_deadline(page);
    question->is_left_out = !find_given(page, question->frame, target, &question->objects,
                                        ret_is_exact, &question->err);
    if (is_inner) {
        frame_end(page, question->frame, before, question->is_left_out ? &question->err : NULL);
    }
}

/* An element with exactly the wanted name, in any frame, has precedence over all others. */
static void give_all(struct page *page, const struct page_target *target,
                     struct frame_question *questions)
{
    size_t count = frames_count(page);
    CLEANUP_FREE bool *is_exact = xcalloc(count + 1, sizeof(*is_exact));
    bool has_exact = false;
    for (size_t i = 0; i < count; i++) {
        give(page, target, &questions[i], &is_exact[i]);
        has_exact |= is_exact[i];
    }
    for (size_t i = 0; has_exact && i < count; i++) {
        if (!is_exact[i]) {
            json_array_clear(questions[i].objects);
        }
    }
}

struct frame_question *locate_ask_frames(struct page *page, const struct page_target *target,
                                         const struct job *job)
{
    json_auto_t *argument = argument_of(target, job);
    struct frame_question *questions = frame_questions_create(page);
    if (target->role) {
        give_all(page, target, questions);
    }
    frames_ask(page, job->function, argument, questions, frames_count(page));
    for (size_t i = 0; i < frames_count(page); i++) {
        struct frame_question *question = &questions[i];
        bool is_done =
            question->is_answered && call_answer_is_fine(question->answer, &question->err);
        question->is_answered = judge(page, question->frame, target, is_done, &question->err);
    }
    return questions;
}
