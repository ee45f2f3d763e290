#include "runner/page/element/patience.h"

#include "runner/base/clock.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/named.h"

#include <browser_runner/error.h>
#include <stddef.h>

/* Pauses between tries; the last one repeats. Most targets are ready at the first or second try. */
static const int64_t pauses_ms[] = { 0, 20, 100, 100, 250 };

static bool may_become_ready(const struct br_error *err)
{
    return err->code == BR_TARGET_NOT_FOUND || err->code == BR_TARGET_AMBIGUOUS ||
           err->code == BR_TARGET_NOT_VISIBLE || err->code == BR_TARGET_DISABLED ||
           err->code == BR_TARGET_OBSCURED;
}

/*
 * If no element has the text, it may be the name of a control, such as an icon button. That
 * requires a snapshot, so it is not tried at the first attempt, and later only at some.
 */
static bool try_as_name(struct page *page, const struct page_target *target,
                        patience_attempt *try_once, int attempt, void *data, struct br_error *err)
{
    struct page_target control = *target;
    struct br_error why;
    bool is_due = attempt == 1 || (attempt > 0 && attempt % 4 == 0);
    if (!target->text || !target->may_be_name || err->code != BR_TARGET_NOT_FOUND || !is_due) {
        return false;
    }
    control.text = NULL;
    control.role = "control";
    control.name = target->text;
    if (try_once(page, &control, attempt, data, &why)) {
        return true;
    }
    *err = why.code == BR_TARGET_NOT_FOUND ? *err : why;
    return false;
}

static bool try_until(struct page *page, const struct page_target *target,
                      patience_attempt *try_once, void *data, struct br_error *err)
{
    struct deadline end =
        deadline_earlier(deadline_in_ms(target->patience_ms), page_deadline(page));
    int last = (int)(sizeof(pauses_ms) / sizeof(pauses_ms[0])) - 1;
    for (int attempt = 0;; attempt++) {
        struct br_error before = *err;
        if (try_once(page, target, attempt, data, err) ||
            try_as_name(page, target, try_once, attempt, data, err)) {
            return true;
        }
        if (attempt > 0 && err->code == BR_TIMEOUT) {
            /* The time ran out during this try: the previous error stays the reason. */
            *err = before;
            return false;
        }
        int64_t pause_ms = pauses_ms[attempt < last ? attempt : last];
        struct br_error interrupted;
        if (!may_become_ready(err) || deadline_left_ms(end) <= pause_ms) {
            return false;
        }
        tell_waits_for(page, "%s", err->message);
        if (!page_pause(page, pause_ms, &interrupted)) {
            *err = interrupted;
            return false;
        }
    }
}

bool patience_try(struct page *page, const struct page_target *target, patience_attempt *try_once,
                  void *data, struct br_error *err)
{
    bool is_done = try_until(page, target, try_once, data, err);
    tell_waits_for(page, NULL);
    return is_done;
}

const char *patience_alignment(int attempt, bool was_covered)
{
    static const char *const alignments[] = { "nearest", "center", "end", "start" };
    size_t count = sizeof(alignments) / sizeof(alignments[0]);
    return alignments[was_covered ? (size_t)attempt % count : 0];
}
