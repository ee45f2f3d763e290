#include "runner/page/element/wait.h"

#include "runner/base/json.h"
#include "runner/hints/advice.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/questions.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/url_pattern.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/evaluate.h"
#include "runner/page/element/named.h"
#include "runner/page/element/target.h"

#include <string.h>

enum { POLL_MS = 30 };

/*
 * A condition to wait for. `is_true` is its current state; false with an error if it can never be
 * determined. `last` says why it was not true, if known.
 */
struct condition {
    bool (*check)(struct page *page, struct condition *condition, bool *ret_is_true,
                  struct br_error *err);
    const char *text;
    const struct page_target *target;
    enum page_element_state state;
    struct br_error last;
};

static bool timed_out(const struct condition *condition, const char *what, struct br_error *err)
{
    /* A condition that could never be evaluated is an error, not a timeout. */
    enum br_code code = condition->last.code == BR_EVAL_ERROR ? BR_EVAL_ERROR : BR_TIMEOUT;
    error_set(err, code, "timed out waiting for %s \"%s\"%s%s", what, condition->text,
              condition->last.code ? ": " : "",
              condition->last.code ? condition->last.message : "");
    return error_advise(err, ADVICE_WAIT);
}

static bool wait_for(struct page *page, struct condition *condition, const char *what,
                     struct br_error *err)
{
    for (;;) {
        bool is_true = false;
        bool is_known = condition->check(page, condition, &is_true, err);
        if (is_known && is_true) {
            return true;
        }
        /* A navigation may replace the document during the check; the next check will succeed. */
        bool is_late = !is_known && err->code == BR_TIMEOUT;
        bool is_node =
            condition->target && condition->target->node.backend_id; /* does not reappear */
        if (!is_known && !is_late && (is_node || !page_was_left(err))) {
            return false;
        }
        if (is_late || deadline_left_ms(page_deadline(page)) <= POLL_MS) {
            return timed_out(condition, what, err);
        }
        tell_waits_for(page, "%s \"%s\"", what, condition->text);
        bool is_paused = page_pause(page, POLL_MS, err);
        tell_waits_for(page, NULL);
        if (!is_paused) {
            return false;
        }
    }
}

static bool check_element(struct page *page, struct condition *condition, bool *ret_is_true,
                          struct br_error *err)
{
    int count = 0;
    bool is_visible = false;
    bool is_known = target_count(page, condition->target, &count, &is_visible, err);
    bool is_gone = !is_known && condition->target->node.backend_id && err->code == BR_STALE_NODE;
    bool may_be_gone = condition->state == PAGE_HIDDEN || condition->state == PAGE_DETACHED;
    if (!is_known && !(is_gone && may_be_gone)) {
        return false;
    }
    bool is_attached = count > 0;
    switch (condition->state) {
    case PAGE_VISIBLE:
        *ret_is_true = is_visible;
        break;
    case PAGE_HIDDEN:
        *ret_is_true = !is_visible;
        break;
    case PAGE_ATTACHED:
        *ret_is_true = is_attached;
        break;
    case PAGE_DETACHED:
        *ret_is_true = !is_attached;
        break;
    }
    return true;
}

/* Returns the action's name of the target, for the timeout message. */
static const char *called(const struct page_target *target)
{
    const char *first = json_string_value(json_array_get(target->targets, 0));
    return target->node.backend_id ? target->node.label
           : target->selector      ? target->selector
           : target->test_id       ? target->test_id
           : target->role          ? (target->name ? target->name : target->role)
                                   : first;
}

bool page_wait_element(struct page *page, const struct page_target *target,
                       enum page_element_state state, struct br_error *err)
{
    static const char *const names[] = {
        [PAGE_VISIBLE] = "the visible element",
        [PAGE_HIDDEN] = "the disappearance of",
        [PAGE_ATTACHED] = "the element",
        [PAGE_DETACHED] = "the removal of",
    };
    struct condition condition = {
        .check = check_element, .text = called(target), .target = target, .state = state
    };
    return wait_for(page, &condition, names[state], err);
}

/* Returns whether a subframe shows it. A stuck frame counts as not showing it. */
static bool is_read_inside(struct page *page, json_t *argument)
{
    size_t count = frames_count(page);
    bool is_read = false;
    struct frame_question *questions = frame_questions_create(page);
    frames_ask(page, script_text, argument, questions + 1, count - 1);
    for (size_t i = 1; i < count; i++) {
        is_read |= json_is_true(questions[i].answer);
    }
    frame_questions_destroy(questions, count);
    return is_read;
}

static bool check_text(struct page *page, struct condition *condition, bool *ret_is_true,
                       struct br_error *err)
{
    json_auto_t *argument = json_pack("{s:o}", "text", json_text(condition->text));
    json_auto_t *answer = NULL;
    if (!frame_call(page, frame_main(page), script_text, argument, NULL, &answer, err) ||
        !frames_update(page, err)) {
        return false;
    }
    *ret_is_true =
        json_is_true(answer) || (frames_count(page) > 1 && is_read_inside(page, argument));
    return true;
}

bool page_wait_text(struct page *page, const char *text, struct br_error *err)
{
    struct condition condition = { .check = check_text, .text = text };
    return wait_for(page, &condition, "the text", err);
}

static bool check_url(struct page *page, struct condition *condition, bool *ret_is_true,
                      struct br_error *err)
{
    json_auto_t *answer = NULL;
    if (!page_call_function(page, "function () { return location.href; }", json_object(), &answer,
                            err)) {
        return false;
    }
    const char *answered = navigation_answered_url(page);
    const char *url = answered ? answered : json_string_value(answer);
    *ret_is_true = url && url_pattern_matches(condition->text, url);
    if (url && !*ret_is_true) {
        error_set(&condition->last, BR_TIMEOUT, "it is %s", url);
    }
    return true;
}

bool page_wait_url(struct page *page, const char *pattern, struct br_error *err)
{
    struct condition condition = { .check = check_url, .text = pattern };
    return wait_for(page, &condition, "the URL", err);
}

static bool check_expression(struct page *page, struct condition *condition, bool *ret_is_true,
                             struct br_error *err)
{
    if (page_is_true(page, condition->text, ret_is_true, err)) {
        condition->last.code = BR_OK;
        return true;
    }
    /* An expression that throws now may work a moment later. */
    condition->last = *err;
    return err->code == BR_EVAL_ERROR;
}

bool page_wait_expression(struct page *page, const char *expression, struct br_error *err)
{
    struct condition condition = { .check = check_expression, .text = expression };
    return wait_for(page, &condition, "the expression", err);
}
