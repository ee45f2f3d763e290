#include "runner/page/element/resolve.h"

#include "runner/base/json.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/questions.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/element/element.h"
#include "runner/page/element/locate.h"
#include "runner/page/element/named.h"

#include <fnmatch.h>
#include <string.h>

enum { MAX_DEPTH = 20 /* nesting of frames */ };

/*
 * Finds the frame of an element, given the parameters of DOM.describeNode, which it takes over;
 * NULL: the element is not a frame, or not one of the page.
 */
static bool describe_frame(struct page *page, struct frame *frame, json_t *params,
                           struct frame **ret_frame, struct br_error *err)
{
    json_auto_t *reply = NULL;
    if (!frame_command(page, frame, "DOM.describeNode", params, &reply, err)) {
        return false;
    }
    *ret_frame = frame_find(page, json_member_string(json_object_get(reply, "node"), "frameId"));
    return true;
}

bool frame_follow_focus(struct page *page, struct frame **ret_frame, struct br_error *err)
{
    static const char focused[] = "function () { let active = document.activeElement;"
                                  " while (active && active.shadowRoot) {"
                                  " active = active.shadowRoot.activeElement; }"
                                  " return active && /^i?frame$/.test(active.localName)"
                                  " ? active : undefined; }";
    struct frame *frame = frame_main(page);
    struct frame *inner = frames_count(page) > 1 ? frame : NULL;
    for (int depth = 0; depth < MAX_DEPTH && inner; depth++) {
        CLEANUP_FREE char *object_id = NULL;
        frame = TAKE(inner);
        if (!frame_get_object(page, frame, focused, &object_id, err) ||
            (object_id && !describe_frame(page, frame, json_pack("{s:s}", "objectId", object_id),
                                          &inner, err))) {
            return false;
        }
        frame_release(page, frame);
    }
    *ret_frame = frame;
    return true;
}

/* A part of a URL must contain a slash: otherwise most names would match. */
static bool is_url_match(const struct frame *frame, const char *wanted)
{
    return strchr(wanted, '*') ? fnmatch(wanted, frame->url, 0) == 0
                               : strstr(wanted, "/") && strstr(frame->url, wanted);
}

static bool is_name_match(const struct frame *frame, const char *wanted)
{
    return frame->name && strcmp(frame->name, wanted) == 0;
}

/* Counts the matching frames; *ret_frame is the first one. */
static size_t count_frames(struct page *page, const char *wanted,
                           bool (*is_match)(const struct frame *, const char *),
                           struct frame **ret_frame)
{
    size_t count = 0;
    for (size_t i = 1; i < frames_count(page); i++) {
        if (is_match(frame_at(page, i), wanted) && count++ == 0) {
            *ret_frame = frame_at(page, i);
        }
    }
    return count;
}

/* Takes the frame whose element script_frame has found; NULL: it is not one of the page. */
static bool take_frame(struct page *page, const struct frame_question *question,
                       struct frame **ret_inner, struct br_error *err)
{
    CLEANUP_ELEMENT struct element element = { 0 };
    return element_take(page, question->frame, question->answer, &element, err) &&
           describe_frame(page, question->frame,
                          json_pack("{s:I}", "backendNodeId", (json_int_t)element.backend_id),
                          ret_inner, err);
}

/* Finds the frame by its element, in any frame. */
static bool find_by_selector(struct page *page, const char *selector, size_t *ret_count,
                             struct frame **ret_frame, struct br_error *err)
{
    struct page_target target = { .selector = selector, .nth = -1 };
    struct frame_question *questions =
        locate_ask_frames(page, &target, &(struct job){ script_frame, NULL });
    bool is_known = true;
    for (size_t i = 0; i < frames_count(page) && is_known; i++) {
        struct frame_question *question = &questions[i];
        struct frame *inner = NULL;
        bool is_found = question->is_answered && take_frame(page, question, &inner, &question->err);
        enum br_code missing = is_found ? BR_OK : question->err.code;
        if (!is_found && missing != BR_TARGET_NOT_FOUND && !(i && missing == BR_TIMEOUT)) {
            *err = question->err;
            is_known = false;
        }
        if (inner && (*ret_count)++ == 0) {
            *ret_frame = inner;
        }
    }
    frame_questions_destroy(questions, frames_count(page));
    return is_known;
}

/*
 * Finds the frame by its element's name if that was set later: the frame itself then has none, or
 * another one.
 */
static bool find_by_attribute(struct page *page, const char *name, size_t *ret_count,
                              struct frame **ret_frame, struct br_error *err)
{
    CLEANUP_FREE char *selector = xasprintf("iframe[name=\"%s\"], frame[name=\"%s\"]", name, name);
    return strpbrk(name, "\"\\\r\n\f") ||
           find_by_selector(page, selector, ret_count, ret_frame, err);
}

static bool is_ambiguous(struct page *page, const char *wanted, size_t count, struct br_error *err)
{
    if (count > 1) {
        error_set(err, BR_TARGET_AMBIGUOUS, "%zu of %zu frames match \"%s\"", count,
                  frames_count(page) - 1, wanted);
    }
    return count > 1;
}

bool frame_resolve(struct page *page, const char *wanted, struct frame **ret_frame,
                   struct br_error *err)
{
    struct frame *frame = NULL;
    size_t count = count_frames(page, wanted, is_name_match, &frame);
    if (!count) {
        count = count_frames(page, wanted, is_url_match, &frame);
    }
    if ((!count && !find_by_selector(page, wanted, &count, &frame, err)) ||
        (!count && !find_by_attribute(page, wanted, &count, &frame, err))) {
        return false;
    }
    if (is_ambiguous(page, wanted, count, err)) {
        return false;
    }
    if (!frame) {
        error_set(err, BR_TARGET_NOT_FOUND, "no frame has the name, URL or selector \"%s\"",
                  wanted);
        return error_hint(err, "the page has %zu frames in it", frames_count(page) - 1);
    }
    *ret_frame = frame;
    return true;
}
