#include "runner/page/element/press.h"

#include "runner/base/json.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frame.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/questions.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/mouse.h"

#include <string.h>

enum { MAX_REPORTS = 100, MAX_PAYLOAD = 2000 };

static const char binding[] = "browserRunnerPress";

/* The page's reports about the presses of an action. */
struct presses {
    json_t *reports; /* array: {type, element, isHere, isOwn} for each event; NULL: no press yet */
    size_t begin;    /* index of the first report about the present press */
    double x, y;     /* position of the last press, in the page's viewport */
    char *frame_id;  /* frame of the intended element; NULL: a place is intended */
    bool is_cut;     /* see press_was_cut() */
};

void press_init(struct page *page)
{
    page->presses = xcalloc(1, sizeof(*page->presses));
}

void press_finish(struct page *page)
{
    press_reset(page);
    free(TAKE(page->presses));
}

void press_commands(struct press_command ret_commands[PRESS_COMMANDS])
{
    ret_commands[0] = (struct press_command){
        "Runtime.addBinding",
        json_pack("{s:s, s:s}", "name", binding, "executionContextName", page_world_name),
    };
    ret_commands[1] = (struct press_command){
        "Page.addScriptToEvaluateOnNewDocument",
        json_pack("{s:s, s:s, s:b}", "source", script_press, "worldName", page_world_name,
                  "runImmediately", 1),
    };
}

/* Returns whether the report is from the element's document. */
static bool is_own(struct page *page, const char *session_id, const json_t *params)
{
    const struct frame *frame = frame_find(page, page->presses->frame_id);
    return frame && frame->world_id == (int)json_member_number(params, "executionContextId", 0) &&
           strcmp(frame->session_id, session_id) == 0;
}

bool press_on_event(struct page *page, const char *session_id, const char *method,
                    const json_t *params)
{
    struct presses *presses = page->presses;
    struct br_error ignored;
    const char *name = json_member_string(params, "name");
    const char *payload = json_member_string(params, "payload");
    if (strcmp(method, "Runtime.bindingCalled") != 0 || !name || strcmp(name, binding) != 0) {
        return false;
    }
    if (!payload || strlen(payload) > MAX_PAYLOAD ||
        json_array_size(presses->reports) >= MAX_REPORTS) {
        return true;
    }
    json_auto_t *report = json_parse(payload, strlen(payload), "an event of a press", &ignored);
    if (presses->reports && json_member_string(report, "type") &&
        json_member_string(report, "element")) {
        bool is_of_element = is_own(page, session_id, params);
        bool is_here = is_of_element && json_member_bool(report, "isHere", false);
        json_object_set_new(report, "isHere", json_boolean(is_here || !presses->frame_id));
        json_object_set_new(report, "isOwn", json_boolean(is_of_element));
        json_array_append(presses->reports, report);
    }
    return true;
}

void press_begin(struct page *page, const struct element *element)
{
    struct presses *presses = page->presses;
    if (!presses->reports) {
        presses->reports = json_array();
    }
    presses->begin = json_array_size(presses->reports);
    presses->is_cut = false;
    free(presses->frame_id);
    presses->frame_id = element->object_id ? xstrdup(element->frame_id) : NULL;
    presses->x = mouse_at(page).x;
    presses->y = mouse_at(page).y;
}

void press_reset(struct page *page)
{
    json_decref(page->presses->reports);
    free(page->presses->frame_id);
    *page->presses = (struct presses){ 0 };
}

static const json_t *first_report(const struct page *page)
{
    return json_array_get(page->presses->reports, page->presses->begin);
}

/* Counts reports from a subframe's own document as received by the frame's element. */
static void count_frame_reports(struct presses *presses)
{
    for (size_t i = presses->begin; i < json_array_size(presses->reports); i++) {
        json_t *report = json_array_get(presses->reports, i);
        if (!json_member_bool(report, "isOwn", false)) {
            json_object_set_new(report, "isHere", json_true());
        }
    }
}

static bool has_click(const struct presses *presses)
{
    size_t index;
    json_t *report;
    json_array_foreach (presses->reports, index, report) {
        const char *type = json_member_string(report, "type");
        bool is_click = strstr(type, "click") || strcmp(type, "contextmenu") == 0;
        if (index >= presses->begin && is_click && json_member_bool(report, "isHere", false)) {
            return true;
        }
    }
    return false;
}

/* Explains from the answer of script_arrived why no event was reported. */
static bool explain_silence(const json_t *answer, struct br_error *err)
{
    const char *name = json_member_string(answer, "name");
    if (!name) {
        error_set(err, BR_STALE_NODE,
                  "the element's document was replaced before the click arrived");
        return error_hint(err, "its replacement may have received the click");
    }
    if (json_member_bool(answer, "isFrame", false)) {
        return true; /* such as a plugin, which reports nothing */
    }
    return json_member_bool(answer, "isGone", false)
               ? error_set(err, BR_TARGET_NOT_FOUND, "%s was removed before the click arrived",
                           name)
               : error_set(err, BR_TARGET_OBSCURED, "%s did not receive the click", name);
}

/* Judges by the first event: the page's reaction to it determines where the others go. */
static bool judge(struct page *page, const json_t *answer, struct br_error *err)
{
    const json_t *first = first_report(page);
    const char *name = json_member_string(answer, "name");
    const bool is_here = json_member_bool(first, "isHere", false);
    if (!first || (!is_here && !name)) {
        return explain_silence(answer, err);
    }
    if (!is_here) {
        return error_set(err, BR_TARGET_OBSCURED, "%s did not receive the click, but %s", name,
                         json_member_string(first, "element"));
    }
    if (json_member_bool(answer, "isThere", false) && !has_click(page->presses)) {
        page->presses->is_cut = json_member_bool(answer, "isGone", false);
        if (!page->presses->is_cut) {
            page_log(page, BR_LOG_WARNING, "click",
                     "the press arrived, but the page changed because of it, and the click went "
                     "elsewhere");
        }
    }
    return true;
}

bool press_was_cut(const struct page *page)
{
    return page->presses->is_cut;
}

void press_warn_of_cut(struct page *page)
{
    if (page->presses->is_cut) {
        page_log(page, BR_LOG_WARNING, "click",
                 "the press arrived, but the element was replaced before the release, and the "
                 "click went elsewhere");
    }
}

/* Flushes the frames in other processes; those in the main frame's process are flushed with it. */
static void flush_other_frames(struct page *page)
{
    json_auto_t *nothing = json_object();
    bool is_frame = false;
    if (!first_report(page) && frames_session(page, 0, &is_frame)) {
        frames_call_others(page, "function () {}", nothing);
    }
}

bool press_end(struct page *page, const struct element *element, struct br_error *err)
{
    struct br_error unanswered = { 0 };
    json_auto_t *answer = NULL;
    bool is_asked = element->object_id && element_frame(page, element)->world_id;
    int64_t arrived =
        is_asked ? element_send(page, element, script_arrived, NULL, &unanswered) : -1;
    page_receive_flush(page, page_send_flush(page));
    bool is_known = is_asked && element_receive(page, arrived, &answer, &unanswered);
    if (!element->object_id) {
        flush_other_frames(page);
        return true;
    }
    if (json_member_bool(answer, "isFrame", false)) {
        count_frame_reports(page->presses);
    }
    if (is_asked && !is_known && !first_report(page) && !page_was_left(&unanswered) &&
        unanswered.code != BR_TARGET_NOT_FOUND) {
        *err = unanswered;
        return false;
    }
    return judge(page, answer, err);
}

/* Returns { events, element } of events at the target, or elsewhere; NULL if there are none. */
static json_t *gather(const struct presses *presses, bool is_here)
{
    json_t *events = json_array();
    const char *element = NULL;
    size_t index;
    json_t *report;
    json_array_foreach (presses->reports, index, report) {
        if (json_member_bool(report, "isHere", false) == is_here) {
            json_array_append(events, json_object_get(report, "type"));
            element = element ? element : json_member_string(report, "element");
        }
    }
    return json_pack("{s:o, s:s*}", "events", events, "element", element);
}

json_t *page_delivered(const struct page *page)
{
    const struct presses *presses = page->presses;
    if (!presses->reports) {
        return NULL;
    }
    json_t *delivered = gather(presses, true);
    json_auto_t *elsewhere = gather(presses, false);
    json_object_set_new(delivered, "x", json_number(presses->x, 100));
    json_object_set_new(delivered, "y", json_number(presses->y, 100));
    if (json_array_size(json_object_get(elsewhere, "events"))) {
        json_object_set(delivered, "elsewhere", elsewhere);
    }
    return delivered;
}
