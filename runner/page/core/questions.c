#include "runner/page/core/questions.h"

#include "runner/base/json.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

#include <string.h>

enum { OTHER_MS = 300 /* time limit for a frame whose reply hardly matters */ };

struct frame_question *frame_questions_create(struct page *page)
{
    struct frame_question *questions = xcalloc(frames_count(page), sizeof(*questions));
    for (size_t i = 0; i < frames_count(page); i++) {
        questions[i].frame = frame_at(page, i);
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

/* State of asking several frames the same. */
struct asking {
    struct page *page;
    const char *function;
    json_t *argument;
    struct frame_question *questions;
    size_t count;
    int64_t patience_ms; /* for each frame; 0: as in frame_begin() and frame_end() */
};

/* The frames of a process wait for each other: if one did not reply, no other will. */
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

/* Receives the reply to the call or, with is_world, the frame's context. */
static bool receive_one(const struct asking *asking, struct frame_question *question, bool is_world)
{
    struct page *page = asking->page;
    struct frame *frame = question->frame;
    struct br_error *err = &question->err;
    int64_t id = question->call_id;
    question->call_id = 0;
    if (is_world ? frame_receive_world(page, frame, id, err)
                 : frame_receive_call(page, frame, id, &question->answer, err)) {
        return true;
    }
    if (!page_was_left(err)) {
        return frame_explain_gone(page, frame, err);
    }
    frame->world_id = 0; /* of a document that was just replaced: asks the next one */
    return is_world ? frame_ensure_world(page, frame, err) || frame_explain_gone(page, frame, err)
                    : frame_call(page, frame, asking->function, asking->argument, question->objects,
                                 &question->answer, err);
}

/* Receives within the frame's time limit, which starts after the previous replies. */
static bool receive_in_time(const struct asking *asking, size_t index, bool is_world)
{
    struct page *page = asking->page;
    struct frame_question *question = &asking->questions[index];
    struct deadline before = page_deadline(page);
    if (question->frame == frame_main(page)) {
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
            question->call_id = frame_send_world(asking->page, question->frame, &question->err);
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
        if (!question->is_left_out && question->frame != frame_main(asking->page) &&
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
                frame_send_call_on(page, question->frame, asking->function, asking->argument,
                                   question->objects, &question->err);
        }
    }
    for (size_t i = 0; i < asking->count; i++) {
        struct frame_question *question = &asking->questions[i];
        question->is_answered = !question->is_left_out && receive_in_time(asking, i, false);
    }
}

void frames_ensure_worlds(struct page *page)
{
    size_t count = frames_count(page);
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
    size_t count = frames_count(page);
    if (count <= 1) {
        return;
    }
    struct frame_question *questions = frame_questions_create(page);
    struct asking asking = { page, function, argument, questions + 1, count - 1, OTHER_MS };
    ask(&asking);
    frame_questions_destroy(questions, count);
}
