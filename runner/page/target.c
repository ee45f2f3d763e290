#include "runner/page/target.h"

#include "runner/base/json.h"
#include "runner/page/scripts.h"

/* Pauses between tries; the last one is repeated. Most targets are ready at the first or second. */
static const int64_t pauses_ms[] = { 0, 20, 100, 100, 250 };

bool target_answer_is_fine(const json_t *answer, struct br_error *err)
{
    const char *code = json_member_string(answer, "code");
    const char *message = json_member_string(answer, "message");
    return !code || error_set(err, error_code_from_name(code), "%s", message ? message : code);
}

bool page_target_is_element(const struct page_target *target)
{
    return target->selector || target->test_id || target->text || target->targets;
}

static json_t *optional_text(const char *text)
{
    return text ? json_text(text) : NULL;
}

bool target_locate(struct page *page, const struct page_target *target, const char *mode,
                   json_t *more, json_t **ret_answer, struct br_error *err)
{
    json_t *argument =
        json_pack("{s:o*, s:o*, s:o*, s:O*, s:i, s:s}", "selector", optional_text(target->selector),
                  "testId", optional_text(target->test_id), "text", optional_text(target->text),
                  "targets", target->targets, "nth", target->nth, "mode", mode);
    if (more) {
        json_object_update(argument, more);
        json_decref(more);
    }
    json_auto_t *answer = NULL;
    if (!page_call_function(page, script_locate, argument, &answer, err)) {
        return false;
    }
    if (!target_answer_is_fine(answer, err)) {
        return false;
    }
    const char *chosen = json_member_string(answer, "chosen");
    if (chosen) {
        page_log(page, BR_LOG_INFO, "input", "took %s", chosen);
    }
    *ret_answer = TAKE(answer);
    return true;
}

static bool may_become_ready(const struct br_error *err)
{
    return err->code == BR_TARGET_NOT_FOUND || err->code == BR_TARGET_AMBIGUOUS ||
           err->code == BR_TARGET_NOT_VISIBLE || err->code == BR_TARGET_DISABLED ||
           err->code == BR_TARGET_OBSCURED;
}

bool target_try(struct page *page, const struct page_target *target, target_attempt *try_once,
                void *data, struct br_error *err)
{
    struct deadline end =
        deadline_earlier(deadline_in_ms(target->patience_ms), page_deadline(page));
    int last = (int)(sizeof(pauses_ms) / sizeof(pauses_ms[0])) - 1;
    for (int attempt = 0;; attempt++) {
        struct br_error before = *err;
        if (try_once(page, target, attempt, data, err)) {
            return true;
        }
        if (attempt > 0 && err->code == BR_TIMEOUT) {
            /* The time went while it was looked at again: what was wrong stays the reason. */
            *err = before;
            return false;
        }
        int64_t pause_ms = pauses_ms[attempt < last ? attempt : last];
        struct br_error interrupted;
        if (!may_become_ready(err) || deadline_left_ms(end) <= pause_ms) {
            return false;
        }
        if (!page_pause(page, pause_ms, &interrupted)) {
            *err = interrupted;
            return false;
        }
    }
}

struct box_reading {
    struct page_box box;
    bool is_scrolled;
};

static bool read_box(struct page *page, const struct page_target *target, int attempt, void *data,
                     struct br_error *err)
{
    struct box_reading *reading = data;
    struct page_box *box = &reading->box;
    json_auto_t *answer = NULL;
    (void)attempt;
    if (!target_locate(page, target, "box", NULL, &answer, err) ||
        !json_read(answer, "the element's box", err, "{s:F, s:F, s:F, s:F}", "x", &box->x, "y",
                   &box->y, "width", &box->width, "height", &box->height)) {
        return false;
    }
    reading->is_scrolled = json_member_bool(answer, "isScrolled", false);
    return true;
}

bool target_box(struct page *page, const struct page_target *target, struct page_box *ret_box,
                bool *ret_is_scrolled, struct br_error *err)
{
    struct box_reading reading = { 0 };
    if (!target_try(page, target, read_box, &reading, err)) {
        return false;
    }
    *ret_box = reading.box;
    *ret_is_scrolled = reading.is_scrolled;
    return true;
}

void target_restore(struct page *page)
{
    struct br_error ignored;
    json_auto_t *value = NULL;
    page_call_function(page, script_restore, json_object(), &value, &ignored);
}

struct scrolling {
    const struct page_scroll *options;
    double moved;
};

static bool scroll_once(struct page *page, const struct page_target *target, int attempt,
                        void *data, struct br_error *err)
{
    struct scrolling *scrolling = data;
    const struct page_scroll *options = scrolling->options;
    json_auto_t *answer = NULL;
    (void)attempt;
    json_t *more = json_pack("{s:b, s:b, s:f, s:f}", "intoView", options->is_into_view, "delta",
                             options->is_delta, "x", options->x, "y", options->y);
    if (!target_locate(page, target, "scroll", more, &answer, err)) {
        return false;
    }
    scrolling->moved = json_member_number(answer, "moved", 0);
    return true;
}

bool page_scroll(struct page *page, const struct page_target *target,
                 const struct page_scroll *options, double *ret_moved, struct br_error *err)
{
    struct scrolling scrolling = { .options = options };
    if (options->is_delta && !options->is_into_view) {
        page_act(page); /* twice is not the same as once */
    }
    if (!target_try(page, target, scroll_once, &scrolling, err)) {
        return false;
    }
    *ret_moved = scrolling.moved;
    return true;
}
