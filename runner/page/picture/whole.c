#include "runner/page/picture/whole.h"

#include "runner/base/json.h"
#include "runner/page/core/call.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/wire.h"
#include "runner/page/picture/undrawn.h"
#include "runner/page/world/settings.h"

#include <math.h>
#include <string.h>

enum {
    PHASE_TRIES = 3,
    PHASE_LATE_MS = 5, /* since the frame began, of the 16 until the next one */
};

/* Reports when a frame has just begun, in milliseconds since 1970; replies soon in any case. */
static const char frame_function[] =
    "function () { return new Promise((resolve) => {"
    " setTimeout(resolve, 100, 0);"
    " requestAnimationFrame(() => requestAnimationFrame("
    "() => resolve(performance.timeOrigin + performance.now()))); }); }";

static bool is_blank(const struct page *page)
{
    const char *url = page_document(page)->url;
    return !url || strcmp(url, "about:blank") == 0;
}

/*
 * Waits for a moment with no frame soon: the page does not notice a size that is set only in
 * between.
 */
static void await_frame(struct page *page)
{
    for (int i = 0; i < PHASE_TRIES; i++) {
        struct br_error ignored;
        json_auto_t *began = NULL;
        if (!page_call_function(page, frame_function, json_object(), &began, &ignored) ||
            fabs((double)clock_wall_ms() - json_number_value(began)) < PHASE_LATE_MS) {
            return;
        }
    }
}

static int64_t send_capture(struct page *page, const char *session_id, struct br_error *err)
{
    return cdp_send(page->client, session_id, "Page.captureScreenshot",
                    json_pack("{s:s, s:i, s:b, s:{s:i, s:i, s:i, s:i, s:i}}", "format", "jpeg",
                              "quality", 1, "captureBeyondViewport", 1, "clip", "x", 0, "y", 0,
                              "width", 1, "height", 1, "scale", 1),
                    err);
}

/*
 * A capture beyond the viewport makes Chrome draw the whole document, but first gives the page the
 * size 1x1, which the page notices if a frame falls into that moment. At its end Chrome restores
 * the preferences that it found. Of two overlapping captures the second one finds, and so leaves,
 * those of the first: later captures need not set them again.
 */
static bool capture_twice(struct page *page, const char *session_id, struct deadline end,
                          struct br_error *err)
{
    static const char method[] = "Page.captureScreenshot";
    struct br_error later;
    int64_t first = send_capture(page, session_id, err);
    int64_t second = send_capture(page, session_id, err);
    if (second >= 0) {
        undrawn_await(page, second, end, &later);
    }
    bool is_done = cdp_receive(page->client, first, method, NULL, err);
    is_done &= cdp_receive(page->client, second, method, NULL, is_done ? err : &later);
    if (!is_done) {
        wire_note_unanswered(page, err);
    }
    return is_done;
}

bool whole_ensure(struct page *page, const char *session_id, struct deadline latest,
                  struct br_error *err)
{
    if (tabs_is_whole(page)) {
        return true;
    }
    /* A tab that is adopted has no override yet. At the end of the first one Chrome restores the
     * size that it found. */
    if (!settings_restore_screen(page, session_id, err)) {
        return false;
    }
    if (!is_blank(page)) {
        await_frame(page);
    }
    struct deadline end = undrawn_deadline();
    bool is_drawn = false;
    do {
        is_drawn = capture_twice(page, session_id, latest, err);
    } while (!is_drawn && undrawn_ask_again(page, end, err));
    /* The second capture also leaves the first one's size, and both switch touch emulation off. */
    bool is_done = is_drawn && settings_restore_screen(page, session_id, err);
    if (is_done) {
        tabs_set_whole(page);
    }
    return is_done;
}
