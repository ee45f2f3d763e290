#include "runner/page/picture/undrawn.h"

#include "runner/base/json.h"
#include "runner/hints/advice.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/wire.h"

#include <string.h>

enum {
    UNDRAWN_MS = 1000,
    PAUSE_MS = 8,      /* half a frame */
    GUESS_MS = 1000,   /* time limit for a frame without a known blocking request; interval between
                          checks */
    MAX_LEFT = 3,      /* documents replaced while being asked */
    PROBE_MS = 300,    /* time limit for the page to respond */
    DRAWING_MS = 5000, /* for a page that is drawing, until the next probe */
};

/* Chrome makes no frames for a document that must not be painted yet. */
static const char frame_function[] =
    "function () { return new Promise((resolve) => { requestAnimationFrame(() => resolve()); }); }";

/* A loaded document waits for nothing, even if it has nothing to paint. */
static bool may_be_captured(const struct page *page)
{
    const struct document *document = page_document(page);
    return document->is_painted || document->is_loaded || page_has_been_nowhere(page);
}

/* Finds the request that blocks the first paint; NULL: none is known. */
static const struct br_network_event *find_blocker(const struct page *page)
{
    return network_blocking_paint(&page->network, page_frame_id(page),
                                  page_document(page)->loader_id);
}

char *page_unpainted_reason(const struct page *page)
{
    const struct br_network_event *blocker = find_blocker(page);
    if (may_be_captured(page) || (!blocker && !page_document(page)->has_stopped)) {
        return NULL;
    }
    if (!blocker) {
        return xstrdup("nothing of the page has been painted: its loading was stopped early");
    }
    bool is_document = strcmp(blocker->type, "document") == 0;
    return xasprintf("nothing of the page has been painted yet: it waits for the %s %.*s",
                     is_document ? "rest of the document" : blocker->type, MAX_SHOWN_URL,
                     blocker->url);
}

/* A frame requested from the page. */
struct frame_wait {
    struct page *page;
    int64_t call_id;
    unsigned documents; /* mark.documents at the request */
};

static bool has_come(void *data)
{
    const struct frame_wait *wait = data;
    return may_be_captured(wait->page) || cdp_has_reply(wait->page->client, wait->call_id) ||
           page_mark(wait->page).documents != wait->documents;
}

/* Requests a frame from the present document, and waits for it or for another document. */
static bool await_frame(struct page *page, struct br_error *err)
{
    struct frame *frame = frame_main(page);
    struct frame_wait wait = { .page = page, .documents = page_mark(page).documents };
    if (!frame_ensure_world(page, frame, err)) {
        return false;
    }
    wait.call_id = frame_send_call(page, frame, frame_function, NULL, err);
    bool is_over = wait.call_id < 0;
    bool has_frame = false;
    while (!is_over) {
        has_frame = cdp_wait(page->client, has_come, &wait, "the first paint",
                             deadline_in_ms(GUESS_MS), err);
        is_over = has_frame || err->code != BR_TIMEOUT || deadline_passed(page_deadline(page)) ||
                  !find_blocker(page);
    }
    if (!cdp_has_reply(page->client, wait.call_id)) {
        cdp_forget(page->client, wait.call_id);
        return has_frame;
    }
    json_auto_t *nothing = NULL;
    if (!frame_receive_call(page, frame, wait.call_id, &nothing, err)) {
        return false;
    }
    if (page_mark(page).documents == wait.documents) {
        navigation_set_painted(page);
    }
    return true;
}

/*
 * Returns whether a capture may succeed although the document made no frame in time; else sets the
 * error.
 */
static bool explain(const struct page *page, struct br_error *err)
{
    CLEANUP_FREE char *reason = page_unpainted_reason(page);
    if (err->code != BR_TIMEOUT || !reason) {
        return err->code == BR_TIMEOUT;
    }
    if (find_blocker(page)) {
        error_set(err, BR_TIMEOUT, "%s", reason);
        return error_advise(err, ADVICE_PAINT);
    }
    error_set(err, BR_TARGET_NOT_VISIBLE, "%s", reason);
    return error_hint(err, "`reload` it, or go elsewhere by `navigate`");
}

static bool await_paint(struct page *page, struct br_error *err)
{
    int left = 0;
    if (!may_be_captured(page) && tabs_is_behind(page)) {
        /* A tab behind another one makes no frames at all. */
        if (!page_command(page, "Page.bringToFront", NULL, NULL, err)) {
            return false;
        }
        tabs_note_front(page);
    }
    while (!may_be_captured(page)) {
        if (await_frame(page, err)) {
            continue;
        }
        if (page_was_left(err) && ++left < MAX_LEFT) {
            frame_main(page)->world_id = 0; /* asks the next document */
            continue;
        }
        return explain(page, err);
    }
    return true;
}

bool page_await_paint(struct page *page, struct deadline deadline, struct br_error *err)
{
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_earlier(before, deadline));
    bool is_done = await_paint(page, err);
    page_set_deadline(page, before);
    return is_done;
}

struct deadline undrawn_deadline(void)
{
    return deadline_in_ms(UNDRAWN_MS);
}

bool undrawn_ask_again(struct page *page, struct deadline end, const struct br_error *err)
{
    struct br_error ended;
    return err->code == BR_UNKNOWN_ERROR && strstr(err->message, "Unable to capture screenshot") &&
           !deadline_passed(end) && page_pause(page, PAUSE_MS, &ended);
}

/*
 * Returns whether the page is busy without running a script. Chrome answers getMetrics in the
 * middle of a script, but in the middle of layout and painting it answers nothing.
 */
static bool is_drawing(struct page *page)
{
    struct br_error ignored;
    struct deadline before = page_deadline(page);
    if (page_answers(page, PROBE_MS)) {
        return false;
    }
    page_set_deadline(page, deadline_in_ms(PROBE_MS));
    bool is_answered = page_command(page, "Performance.getMetrics", NULL, NULL, &ignored);
    page_set_deadline(page, before);
    return !is_answered && page_is_alive(page);
}

/* A sent command. */
struct sent {
    struct page *page;
    int64_t call_id;
};

static bool has_answer(void *data)
{
    const struct sent *sent = data;
    return cdp_has_reply(sent->page->client, sent->call_id);
}

bool undrawn_await(struct page *page, int64_t call_id, struct deadline latest, struct br_error *err)
{
    struct sent sent = { .page = page, .call_id = call_id };
    bool is_done = false;
    bool is_over = false;
    while (!is_done && !is_over) {
        is_done = cdp_wait(page->client, has_answer, &sent, "the reply to Page.captureScreenshot",
                           page_deadline(page), err);
        is_over = !is_done && (err->code != BR_TIMEOUT || deadline_passed(latest) ||
                               (!is_drawing(page) && !has_answer(&sent)));
        if (!is_done && !is_over) {
            page_set_deadline(page, deadline_earlier(latest, deadline_in_ms(DRAWING_MS)));
        }
    }
    return is_done;
}
