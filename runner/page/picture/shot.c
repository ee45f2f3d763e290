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
    KICK_MS = 250,      /* that a screencast takes to make Chrome draw */
    MAX_RUNG_MS = 5000, /* for one way to get at a picture */
    PROBE_MS = 300,     /* for a sign of life of the page */
    MAX_CAPTURES = 4,   /* for one picture */
};

/* The format, and what of the page. Caller decrefs. */
static json_t *params_of(const struct shot *shot)
{
    const struct page_box *box = shot->box;
    json_t *params = json_pack("{s:s, s:b}", "format", shot->webp_quality ? "webp" : "png",
                               "optimizeForSpeed", shot->webp_quality == 0);
    if (shot->webp_quality) {
        json_object_set_new(params, "quality", json_integer(shot->webp_quality));
    }
    if (box) {
        json_object_set_new(params, "clip",
                            json_pack("{s:f, s:f, s:f, s:f, s:f}", "x", box->x, "y", box->y,
                                      "width", box->width, "height", box->height, "scale",
                                      shot->scale > 0 ? shot->scale : 1.0));
    }
    return params;
}

static bool ask(struct page *page, const char *session_id, const struct shot *shot,
                unsigned char **ret_bytes, size_t *ret_size, struct br_error *err)
{
    /* The picture goes straight from the reply's text to bytes; no JSON tree holds it. */
    CLEANUP_CDP_MESSAGE struct cdp_message *reply =
        cdp_call_raw(page->client, session_id, "Page.captureScreenshot", params_of(shot), err);
    if (!reply) {
        wire_note_unanswered(page, err);
        return false;
    }
    struct cdp_slice data = cdp_slice_string(reply->result, "data");
    if (!data.length) {
        return error_set(err, BR_UNKNOWN_ERROR, "Page.captureScreenshot: the reply has no picture");
    }
    look_note_capture(page);
    return base64_decode(data.text, data.length, ret_bytes, ret_size, err);
}

/* One capture as bytes, which are the caller's to free. */
static bool capture_once(struct page *page, const char *session_id, const struct shot *shot,
                         unsigned char **ret_bytes, size_t *ret_size, struct br_error *err)
{
    struct deadline end = undrawn_deadline();
    bool is_done = false;
    do {
        is_done = ask(page, session_id, shot, ret_bytes, ret_size, err);
    } while (!is_done && undrawn_ask_again(page, end, err));
    return is_done;
}

/*
 * What has just been made to draw its whole document may lack parts of it in its next frames: until
 * two captures in a row are alike, or enough were made of what moves.
 */
static bool capture_drawn(struct page *page, const char *session_id, const struct shot *shot,
                          unsigned char **ret_bytes, size_t *ret_size, struct br_error *err)
{
    if (!capture_once(page, session_id, shot, ret_bytes, ret_size, err)) {
        return false;
    }
    bool is_drawn = false;
    for (int i = 1; i < MAX_CAPTURES && !is_drawn; i++) {
        CLEANUP_FREE unsigned char *before = TAKE(*ret_bytes);
        size_t size = *ret_size;
        if (!capture_once(page, session_id, shot, ret_bytes, ret_size, err)) {
            return false;
        }
        is_drawn = *ret_size == size && memcmp(*ret_bytes, before, size) == 0;
    }
    return true;
}

/* A capture in a session to the page's tab, of which the page notices nothing. */
static bool capture(struct page *page, const char *session_id, const struct shot *shot,
                    unsigned char **ret_bytes, size_t *ret_size, struct br_error *err)
{
    if (!shot->is_beyond_viewport || tabs_is_whole(page)) {
        return capture_once(page, session_id, shot, ret_bytes, ret_size, err);
    }
    return whole_ensure(page, session_id, err) &&
           capture_drawn(page, session_id, shot, ret_bytes, ret_size, err);
}

static bool bring_to_front(struct page *page, struct br_error *err)
{
    return page_command(page, "Page.bringToFront", NULL, NULL, err);
}

/* A screencast makes an idle compositor draw. */
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

/* Another session to the same tab, for one capture: *ret_session is the caller's to free. */
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
 * A capture puts the tab back to the screen of its own session, and one that is detached takes its
 * screen along: so the session is given the page's screen, and stays until the tab is closed.
 */
static bool capture_in_new_session(struct page *page, const struct shot *shot,
                                   unsigned char **ret_bytes, size_t *ret_size,
                                   struct br_error *err)
{
    CLEANUP_FREE char *session_id = NULL;
    return attach_again(page, &session_id, err) && settings_restore_screen(page, session_id, err) &&
           (!shot->is_beyond_viewport || whole_ensure(page, session_id, err)) &&
           capture_once(page, session_id, shot, ret_bytes, ret_size, err);
}

/*
 * Chrome does not draw a tab that stands behind another, and sometimes not one that has nothing
 * new; its capture then waits for ever. Each step is given a part of the time that is left.
 */
static const struct rung {
    const char *name;
    bool (*help)(struct page *page, struct br_error *err); /* NULL: nothing */
    bool is_in_new_session;
    double share; /* of the time left */
} ladder[] = {
    { "the first try", NULL, false, 0.35 },
    { "bringing the tab to the front", bring_to_front, false, 0.35 },
    { "making Chrome draw", kick_compositor, false, 0.4 },
    { "a new session", NULL, true, 0.5 },
};
enum { RUNG_COUNT = sizeof(ladder) / sizeof(ladder[0]) };

static bool climb(struct page *page, const struct rung *rung, const struct shot *shot,
                  unsigned char **ret_bytes, size_t *ret_size, struct br_error *err)
{
    /* The document may have become another one since the last rung. */
    if ((rung->help && !rung->help(page, err)) ||
        !page_await_paint(page, page_deadline(page), err)) {
        return false;
    }
    if (rung->is_in_new_session) {
        return capture_in_new_session(page, shot, ret_bytes, ret_size, err);
    }
    return capture(page, page_session(page), shot, ret_bytes, ret_size, err);
}

/* A failure that another way may mend: the capture waits, or Chrome's graphics have just died. */
static bool may_be_helped(struct page *page, const struct br_error *err)
{
    return page_is_alive(page) && (err->code == BR_TIMEOUT || page_was_left(err));
}

static bool take(struct page *page, const struct shot *shot, unsigned char **ret_bytes,
                 size_t *ret_size, struct br_error *err)
{
    struct deadline end = page_deadline(page);
    bool is_done = false;
    if (tabs_is_behind(page) && !bring_to_front(page, err)) {
        return false;
    }
    tabs_note_front(page);
    if (!page_await_paint(page, end, err)) {
        return false; /* no way leads to a picture of what was never painted */
    }
    for (size_t i = 0; i < RUNG_COUNT && !is_done; i++) {
        double part_ms = (double)deadline_left_ms(end) * ladder[i].share;
        int64_t limit_ms = part_ms < MAX_RUNG_MS ? (int64_t)part_ms : MAX_RUNG_MS;
        page_set_deadline(page, deadline_earlier(end, deadline_in_ms(limit_ms)));
        is_done = climb(page, &ladder[i], shot, ret_bytes, ret_size, err);
        page_set_deadline(page, end);
        /* A page that is stuck itself is not helped by other ways to it. */
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
    bool is_done = take(page, shot, ret_bytes, ret_size, err);
    if (has_mark) {
        highlight_again(page);
    }
    if (is_hidden) {
        show_again(page);
    }
    return is_done;
}
