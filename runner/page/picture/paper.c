#include "runner/page/picture/paper.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/body.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/questions.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/highlight.h"
#include "runner/page/element/show.h"

#include <ctype.h>
#include <string.h>

enum {
    PRINT_TRIES = 3, /* while the page shows what was taken out, or replaces documents */
    END_MS = 1000,   /* to restore the page, whatever time is left */
};

/* Replaces a missing header or footer: Chrome would print the date and the title. */
static const char nothing[] = "<span></span>";

static json_t *params_of(const struct paper *paper)
{
    bool has_templates = paper->header || paper->footer;
    json_t *params =
        json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:b, s:b, s:b, s:b}", "transferMode",
                  "ReturnAsStream", "paperWidth", paper->width, "paperHeight", paper->height,
                  "marginTop", paper->margins[0], "marginRight", paper->margins[1], "marginBottom",
                  paper->margins[2], "marginLeft", paper->margins[3], "scale", paper->scale,
                  "landscape", paper->is_landscape, "printBackground", paper->has_background,
                  "preferCSSPageSize", paper->has_css_size, "displayHeaderFooter", has_templates);
    if (paper->ranges) {
        json_object_set_new(params, "pageRanges", json_text(paper->ranges));
    }
    if (has_templates) {
        json_object_set_new(params, "headerTemplate",
                            json_text(paper->header ? paper->header : nothing));
        json_object_set_new(params, "footerTemplate",
                            json_text(paper->footer ? paper->footer : nothing));
    }
    return params;
}

/* The action has ended before the page was printed: Chrome would keep the PDF. */
static void close_late(void *data, const char *session_id, json_t *result)
{
    const struct page *page = data;
    cdp_post(page->client, session_id, "IO.close",
             json_pack("{s:O}", "handle", json_object_get(result, "stream")));
}

/* Chrome keeps the PDF, and sends it in parts: no message has the whole of it. */
static bool print(struct page *page, const struct paper *paper, char **ret_bytes, size_t *ret_size,
                  struct br_error *err)
{
    static const char method[] = "Page.printToPDF";
    json_auto_t *reply = NULL;
    const char *handle = NULL;
    int64_t id = page_send(page, method, params_of(paper), err);
    cdp_client_expect_late(page->client, id, close_late);
    return cdp_receive(page->client, id, method, &reply, err) &&
           json_read(reply, method, err, "{s:s}", "stream", &handle) &&
           body_of_stream(page, handle, paper->max_bytes, ret_bytes, ret_size, err);
}

/*
 * Calls the script in all frames, and adds up their answers. A frame that does not answer may show
 * what it should not.
 */
static bool call_in_frames(struct page *page, const char *mode, int *ret_sum, struct br_error *err)
{
    *ret_sum = 0;
    if (!frames_update(page, err)) {
        return false;
    }
    bool is_done = true;
    size_t count = frames_count(page);
    json_auto_t *argument = json_pack("{s:s}", "mode", mode);
    struct frame_question *questions = frame_questions_create(page);
    frames_ask(page, script_withhold, argument, questions, count);
    for (size_t i = 0; i < count && is_done; i++) {
        const struct frame_question *question = &questions[i];
        *ret_sum += question->is_answered ? (int)json_number_value(question->answer) : 0;
        if (question->is_answered || question->err.code == BR_TARGET_NOT_FOUND) {
            continue; /* a removed frame is not printed */
        }
        is_done = false;
        *err = question->err;
        if (i > 0 && err->code == BR_TIMEOUT && !deadline_passed(page_deadline(page))) {
            error_set(err, BR_POLICY_DENIED,
                      "the frame %s does not answer: it may show what data-no-ai hides from models",
                      question->frame->url);
            error_hint(err, "ignoreNoAi: true prints all parts");
        }
    }
    frame_questions_destroy(questions, count);
    return is_done;
}

/*
 * Restores those frames which do not answer as soon as they can: they received 'begin'. Also after
 * a cancel. A frame that is asked again does nothing.
 */
static void post_end(struct page *page, bool only_silent)
{
    for (size_t i = 0; i < frames_count(page); i++) {
        struct frame *frame = frame_at(page, i);
        if (frame->world_id && (!only_silent || frame_is_silent(page, frame))) {
            json_auto_t *argument = json_pack("{s:s}", "mode", "end");
            frame_post_call(page, frame, script_withhold, argument);
        }
    }
}

/* Restores the page. *ret_shown: the number of parts that were printed nevertheless. */
static bool restore(struct page *page, int *ret_shown, struct br_error *err)
{
    if (!page_is_alive(page)) {
        return page_check_alive(page, err);
    }
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_in_ms(END_MS));
    post_end(page, true); /* an update of the list may leave them out */
    bool is_done = page_check_alive(page, err) && call_in_frames(page, "end", ret_shown, err);
    if (!is_done) {
        post_end(page, false);
    }
    page_set_deadline(page, before);
    return is_done;
}

static bool print_once(struct page *page, const struct paper *paper, char **ret_bytes,
                       size_t *ret_size, int *ret_left_out, int *ret_shown, struct br_error *err)
{
    struct br_error ignored;
    bool is_printed = call_in_frames(page, "begin", ret_left_out, err) &&
                      print(page, paper, ret_bytes, ret_size, err);
    return restore(page, ret_shown, is_printed ? err : &ignored) && is_printed;
}

static bool print_without_withheld(struct page *page, const struct paper *paper, char **ret_bytes,
                                   size_t *ret_size, int *ret_left_out, struct br_error *err)
{
    for (int i = 0; i < PRINT_TRIES; i++) {
        CLEANUP_FREE char *bytes = NULL;
        int shown = 0;
        if (!print_once(page, paper, &bytes, ret_size, ret_left_out, &shown, err)) {
            return false;
        }
        if (shown == 0) {
            *ret_bytes = TAKE(bytes);
            return true;
        }
    }
    error_set(err, BR_POLICY_DENIED,
              "the page shows parts that data-no-ai hides from models again when it is printed");
    return error_hint(err, "ignoreNoAi: true prints all parts");
}

bool paper_print(struct page *page, const struct paper *paper, char **ret_bytes, size_t *ret_size,
                 int *ret_left_out, struct br_error *err)
{
    bool is_hidden = show_hide(page);
    bool has_mark = highlight_hide(page, false);
    *ret_bytes = NULL;
    *ret_left_out = 0;
    bool is_done = paper->shows_withheld ? print(page, paper, ret_bytes, ret_size, err)
                                         : print_without_withheld(page, paper, ret_bytes, ret_size,
                                                                  ret_left_out, err);
    if (has_mark) {
        highlight_again(page);
    }
    if (is_hidden) {
        show_again(page);
    }
    return is_done;
}

/* Chrome writes the dictionaries of pages as plain text; other streams are compressed. */
int paper_count_pages(const char *bytes, size_t size)
{
    static const char type[] = "/Type /Page";
    const size_t length = sizeof(type) - 1;
    int count = 0;
    const char *end = bytes + size;
    for (const char *at = bytes; (at = memmem(at, (size_t)(end - at), type, length));
         at += length) {
        count += at + length < end && !isalpha((unsigned char)at[length]);
    }
    return count;
}
