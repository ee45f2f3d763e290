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

bool target_locate(struct page *page, const struct page_target *target, const char *mode,
                   json_t *more, json_t **ret_answer, struct br_error *err)
{
    json_t *argument = json_pack("{s:o, s:i, s:s}", "selector", json_text(target->selector), "nth",
                                 target->nth, "mode", mode);
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

static bool read_box(struct page *page, const struct page_target *target, int attempt, void *data,
                     struct br_error *err)
{
    struct page_box *box = data;
    json_auto_t *answer = NULL;
    (void)attempt;
    return target_locate(page, target, "box", NULL, &answer, err) &&
           json_read(answer, "the element's box", err, "{s:F, s:F, s:F, s:F}", "x", &box->x, "y",
                     &box->y, "width", &box->width, "height", &box->height);
}

bool page_target_box(struct page *page, const struct page_target *target, struct page_box *ret_box,
                     struct br_error *err)
{
    return target_try(page, target, read_box, ret_box, err);
}
