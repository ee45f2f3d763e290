#include "runner/page/element/chooser.h"

#include "runner/base/json.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/named.h"

#include <stdio.h>
#include <string.h>

static const char object_group[] = "browser-runner chooser";

/* The open file chooser. */
struct chooser {
    char *frame_id;     /* NULL: no chooser */
    char *session_id;   /* session that reported it */
    int64_t backend_id; /* of the field; 0: requested by a script in a way that cannot be
                           answered */
};

void chooser_init(struct page *page)
{
    page->chooser = xcalloc(1, sizeof(*page->chooser));
}

void chooser_intercept(struct page *page, const char *session_id)
{
    cdp_post(page->client, session_id, "Page.setInterceptFileChooserDialog",
             json_pack("{s:b}", "enabled", 1));
}

static void clear(struct page *page)
{
    free(page->chooser->frame_id);
    free(page->chooser->session_id);
    *page->chooser = (struct chooser){ 0 };
}

void chooser_finish(struct page *page)
{
    clear(page);
    free(TAKE(page->chooser));
}

void chooser_forget(struct page *page)
{
    if (page->chooser->backend_id) {
        cdp_post(page->client, page->chooser->session_id, "Runtime.releaseObjectGroup",
                 json_pack("{s:s}", "objectGroup", object_group));
    }
    clear(page);
}

/* When a document is left, its file input and the choosers of its frames are gone. */
static void note_left(struct page *page, const char *method, json_t *params)
{
    const char *open_in = page->chooser->frame_id;
    const char *left = NULL;
    if (open_in && strcmp(method, "Page.frameNavigated") == 0) {
        left = json_member_string(json_object_get(params, "frame"), "id");
    } else if (open_in && strcmp(method, "Page.frameDetached") == 0) {
        left = json_member_string(params, "frameId");
    }
    if (left && (strcmp(left, open_in) == 0 || strcmp(left, page_frame_id(page)) == 0)) {
        chooser_forget(page);
    }
}

bool chooser_on_event(struct page *page, const char *session_id, const char *method, json_t *params)
{
    note_left(page, method, params);
    if (strcmp(method, "Page.fileChooserOpened") != 0) {
        return false;
    }
    const char *mode = json_member_string(params, "mode");
    bool is_multiple = mode && strcmp(mode, "selectMultiple") == 0;
    chooser_forget(page);
    navigation_count(page, NAVIGATION_NOTICE);
    *page->chooser = (struct chooser){
        .frame_id = xstrdup(json_member_string(params, "frameId")),
        .session_id = xstrdup(session_id),
        .backend_id = (int64_t)json_member_number(params, "backendNodeId", 0),
    };
    if (!page->chooser->backend_id) {
        page_log(page, BR_LOG_WARNING, "input",
                 "a script of the page asks for files in a way that cannot be answered");
        return true;
    }
    page_log(
        page, BR_LOG_INFO, "input",
        "a file chooser is open: the action \"upload\" with `files`, %s, and without an element "
        "answers it",
        is_multiple ? "one or several" : "one of them");
    /*
     * Pages create such inputs temporarily: without a reference they may be collected before they
     * are answered.
     */
    cdp_post(page->client, session_id, "DOM.resolveNode",
             json_pack("{s:I, s:s}", "backendNodeId", (json_int_t)page->chooser->backend_id,
                       "objectGroup", object_group));
    return true;
}

static bool is_open(void *data)
{
    const struct page *page = data;
    return page->chooser->backend_id;
}

bool chooser_await(struct page *page, struct deadline deadline, struct page_node *ret_node,
                   struct br_error *err)
{
    if (!cdp_wait(page->client, is_open, page, "a file chooser",
                  deadline_earlier(deadline, page_deadline(page)), err)) {
        if (err->code == BR_TIMEOUT) {
            error_set(err, BR_INVALID_ACTION, "no file chooser is open");
            error_hint(err, "click what opens one first, or name the file input, its label, or the "
                            "area that accepts files");
        }
        return false;
    }
    if (!frames_update(page, err)) {
        return false;
    }
    const char *loader_id = page_frame_loader(page, page->chooser->frame_id);
    *ret_node = (struct page_node){
        .frame_id = page->chooser->frame_id,
        .loader_id = loader_id,
        .backend_id = page->chooser->backend_id,
    };
    snprintf(ret_node->label, sizeof(ret_node->label), "the chooser's field");
    return loader_id ||
           error_set(err, BR_STALE_NODE, "the frame of the file chooser no longer exists");
}
