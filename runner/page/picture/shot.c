#include "runner/page/picture/shot.h"

#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/page/core/box.h"
#include "runner/page/core/call.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/highlight.h"
#include "runner/page/element/show.h"
#include "runner/page/picture/look.h"
#include "runner/page/picture/undrawn.h"
#include "runner/page/picture/whole.h"
#include "runner/page/world/settings.h"

#include <string.h>

enum {
    KICK_MS = 250,      /* time for a screencast to make Chrome draw */
    MAX_RUNG_MS = 5000, /* for one way to get a picture */
    PROBE_MS = 300,     /* time limit for the page to respond */
    MAX_CAPTURES = 4,   /* of one picture */
};

/* Returns the format and the part of the page. Caller decrefs. */
static json_t *params_of(const struct shot *shot)
{
    const struct page_box *box = shot->box;
    int quality = shot->webp_quality + shot->jpeg_quality;
    const char *format = shot->webp_quality ? "webp" : shot->jpeg_quality ? "jpeg" : "png";
    json_t *params = json_pack("{s:s, s:b}", "format", format, "optimizeForSpeed", quality == 0);
    if (quality) {
        json_object_set_new(params, "quality", json_integer(quality));
    }
    if (box) {
        json_object_set_new(params, "clip",
                            json_pack("{s:f, s:f, s:f, s:f, s:f}", "x", box->x - shot->left, "y",
                                      box->y - shot->top, "width", box->width, "height",
                                      box->height, "scale", shot->scale > 0 ? shot->scale : 1.0));
    }
    return params;
}

/* The taking of one picture. */
struct attempt {
    struct page *page;
    const struct shot *shot;
    struct deadline end;  /* of the action; the page's deadline is that of the present way */
    unsigned char *bytes; /* owned */
    size_t size;
};

static void attempt_drop(struct attempt *attempt)
{
    free(TAKE(attempt->bytes));
    attempt->size = 0;
}

static bool ask(struct attempt *attempt, const char *session_id, struct br_error *err)
{
    static const char method[] = "Page.captureScreenshot";
    struct page *page = attempt->page;
    int64_t call_id = cdp_send(page->client, session_id, method, params_of(attempt->shot), err);
    if (call_id >= 0 && !undrawn_await(page, call_id, attempt->end, err)) {
        wire_note_unanswered(page, err);
        cdp_forget(page->client, call_id);
        return false;
    }
    /* The picture is decoded directly from the reply's text; no JSON tree contains it. */
    CLEANUP_CDP_MESSAGE struct cdp_message *reply =
        cdp_receive_raw(page->client, call_id, method, err);
    if (!reply) {
        wire_note_unanswered(page, err);
        return false;
    }
    struct cdp_slice data = cdp_slice_string(reply->result, "data");
    if (!data.length) {
        return error_set(err, BR_UNKNOWN_ERROR, "%s: the reply has no picture", method);
    }
    look_note_capture(page);
    attempt_drop(attempt);
    return base64_decode(data.text, data.length, &attempt->bytes, &attempt->size, err);
}

static bool capture_once(struct attempt *attempt, const char *session_id, struct br_error *err)
{
    struct deadline end = undrawn_deadline();
    bool is_done = false;
    do {
        is_done = ask(attempt, session_id, err);
    } while (!is_done && undrawn_ask_again(attempt->page, end, err));
    return is_done;
}

/*
 * A tab that has just been switched to drawing its whole document may lack parts of it in its next
 * frames: captures until two in a row are equal, or the limit is reached for a moving page.
 */
static bool capture_drawn(struct attempt *attempt, const char *session_id, struct br_error *err)
{
    if (!capture_once(attempt, session_id, err)) {
        return false;
    }
    bool is_drawn = false;
    for (int i = 1; i < MAX_CAPTURES && !is_drawn; i++) {
        CLEANUP_FREE unsigned char *before = TAKE(attempt->bytes);
        size_t size = attempt->size;
        if (!capture_once(attempt, session_id, err)) {
            return false;
        }
        is_drawn = attempt->size == size && memcmp(attempt->bytes, before, size) == 0;
    }
    return true;
}

/* Captures in a session to the page's tab, which the page cannot detect. */
static bool capture(struct attempt *attempt, const char *session_id, struct br_error *err)
{
    if (!attempt->shot->is_beyond_viewport || tabs_is_whole(attempt->page)) {
        return capture_once(attempt, session_id, err);
    }
    return whole_ensure(attempt->page, session_id, attempt->end, err) &&
           capture_drawn(attempt, session_id, err);
}

static bool bring_to_front(struct page *page, struct br_error *err)
{
    return page_command(page, "Page.bringToFront", NULL, NULL, err);
}

/* Starts a screencast, which makes an idle compositor draw. */
static bool kick_compositor(struct page *page, struct br_error *err)
{
    bool is_started = page_command(page, "Page.startScreencast",
                                   json_pack("{s:s, s:i, s:i, s:i}", "format", "jpeg", "quality", 1,
                                             "maxWidth", 16, "maxHeight", 16),
                                   NULL, err) &&
                      page_pause(page, KICK_MS, err);
    page_post(page, "Page.stopScreencast", NULL);
    return is_started;
}

/* Attaches another session to the tab, for one capture; the caller frees *ret_session. */
static bool attach_again(struct page *page, char **ret_session, struct br_error *err)
{
    json_auto_t *reply = NULL;
    const char *session_id = NULL;
    tabs_set_attaching(page, true);
    bool is_attached = cdp_call(
        page->client, NULL, "Target.attachToTarget",
        json_pack("{s:s, s:b}", "targetId", page_target_id(page), "flatten", 1), &reply, err);
    tabs_set_attaching(page, false);
    if (!is_attached ||
        !json_read(reply, "Target.attachToTarget", err, "{s:s}", "sessionId", &session_id)) {
        return false;
    }
    *ret_session = xstrdup(session_id);
    return true;
}

/*
 * A capture resets the tab to the screen settings of its own session, and detaching a session
 * removes its settings: so the new session gets the page's screen settings, and stays until the tab
 * is closed.
 */
static bool capture_in_new_session(struct attempt *attempt, struct br_error *err)
{
    struct page *page = attempt->page;
    CLEANUP_FREE char *session_id = NULL;
    return attach_again(page, &session_id, err) && settings_restore_screen(page, session_id, err) &&
           (!attempt->shot->is_beyond_viewport ||
            whole_ensure(page, session_id, attempt->end, err)) &&
           capture_once(attempt, session_id, err);
}

/*
 * Chrome does not draw a tab behind another one, and sometimes not a tab without changes; the
 * capture then never returns. Each step gets a share of the remaining time.
 */
static const struct rung {
    const char *name;
    bool (*help)(struct page *page, struct br_error *err); /* NULL: no preparation */
    bool is_in_new_session;
    double share; /* of the remaining time */
} ladder[] = {
    { "the first try", NULL, false, 0.35 },
    { "bringing the tab to the front", bring_to_front, false, 0.35 },
    { "making Chrome draw", kick_compositor, false, 0.4 },
    { "a new session", NULL, true, 0.5 },
};
enum { RUNG_COUNT = sizeof(ladder) / sizeof(ladder[0]) };

static bool climb(struct attempt *attempt, const struct rung *rung, struct br_error *err)
{
    struct page *page = attempt->page;
    double part_ms = (double)deadline_left_ms(attempt->end) * rung->share;
    int64_t limit_ms = part_ms < MAX_RUNG_MS ? (int64_t)part_ms : MAX_RUNG_MS;
    page_set_deadline(page, deadline_earlier(attempt->end, deadline_in_ms(limit_ms)));
    /* The document may have been replaced since the previous step. */
    bool is_done = (!rung->help || rung->help(page, err)) &&
                   page_await_paint(page, page_deadline(page), err) &&
                   (rung->is_in_new_session ? capture_in_new_session(attempt, err)
                                            : capture(attempt, page_session(page), err));
    page_set_deadline(page, attempt->end);
    return is_done;
}

/*
 * Returns whether another way may help: the capture hangs, or Chrome's GPU process has just died.
 */
static bool may_be_helped(struct page *page, const struct br_error *err)
{
    return page_is_alive(page) && (err->code == BR_TIMEOUT || page_was_left(err));
}

static bool take(struct attempt *attempt, struct br_error *err)
{
    struct page *page = attempt->page;
    bool is_done = false;
    if (tabs_is_behind(page) && !bring_to_front(page, err)) {
        return false;
    }
    tabs_note_front(page);
    if (!page_await_paint(page, attempt->end, err)) {
        return false; /* nothing can capture what was never painted */
    }
    for (size_t i = 0; i < RUNG_COUNT && !is_done; i++) {
        is_done = climb(attempt, &ladder[i], err);
        /* A page that is stuck itself cannot be captured in other ways either. */
        bool is_stuck =
            !is_done && i == 0 && err->code == BR_TIMEOUT && !page_answers(page, PROBE_MS);
        if (!is_done && (is_stuck || !may_be_helped(page, err))) {
            return false;
        }
        if (!is_done || i > 0) {
            page_log(page, is_done ? BR_LOG_INFO : BR_LOG_WARNING, "screenshot",
                     "the capture %s: %s%s%s", is_done ? "came by" : "blocked", ladder[i].name,
                     is_done ? "" : ": ", is_done ? "" : err->message);
        }
    }
    return is_done;
}

bool shot_take(struct page *page, const struct shot *shot, unsigned char **ret_bytes,
               size_t *ret_size, struct br_error *err)
{
    bool may_show = shot->has_actions && page->options.shows_actions == BR_SHOW_ACTIONS_CAPTURED;
    bool is_hidden = !may_show && show_hide(page);
    bool has_mark = highlight_hide(page, shot->has_actions);
    struct attempt attempt = { .page = page, .shot = shot, .end = page_deadline(page) };
    bool is_done = take(&attempt, err);
    if (is_done) {
        *ret_bytes = attempt.bytes;
        *ret_size = attempt.size;
    } else {
        attempt_drop(&attempt);
    }
    if (has_mark) {
        highlight_again(page);
    }
    if (is_hidden) {
        show_again(page);
    }
    return is_done;
}
