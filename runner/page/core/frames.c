#include "runner/page/core/frames.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/observe/stream.h"
#include "runner/page/core/frame.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

#include <fnmatch.h>
#include <string.h>

enum {
    MAX_CHILDREN = 100, /* sessions of other processes */
    ANSWER_MS = 1000,   /* time limit for a process to reply */
    SILENT_MS = 3000,   /* time during which a silent process is skipped */
};

/* The session of another process of the page. */
struct child {
    char *session_id;
    char *frame_id, *parent_id; /* of its frame; NULL: a worker; unknown */
    int64_t silent_until_ms;    /* it did not reply: skipped until then */
};

struct frames {
    struct frame_list list; /* the main one first */
    bool are_stale;         /* frames were added, removed or moved */
    struct child *children;
    size_t child_count, child_capacity;
    frames_on_process *on_process;
    bool holds;       /* new processes are paused until they have received the settings */
    json_t *contexts; /* object: for each session, the main worlds by frame id */
};

void frames_init(struct page *page, frames_on_process *on_process, bool holds)
{
    page->frames = xcalloc(1, sizeof(*page->frames));
    *page->frames =
        (struct frames){ .on_process = on_process, .holds = holds, .contexts = json_object() };
}

static void forget_child(struct page *page, size_t index)
{
    free(page->frames->children[index].session_id);
    free(page->frames->children[index].frame_id);
    free(page->frames->children[index].parent_id);
    page->frames->children[index] = page->frames->children[--page->frames->child_count];
}

static void forget_all(struct page *page)
{
    frame_list_finish(&page->frames->list);
    while (page->frames->child_count) {
        forget_child(page, page->frames->child_count - 1);
    }
    free(page->frames->children);
    page->frames->children = NULL;
    page->frames->child_capacity = 0;
}

void frames_finish(struct page *page)
{
    forget_all(page);
    json_decref(page->frames->contexts);
    free(TAKE(page->frames));
}

void frames_reset(struct page *page)
{
    forget_all(page);
    page->frames->list.items = xcalloc(1, sizeof(*page->frames->list.items));
    page->frames->list.items[0] = (struct frame){
        .id = xstrdup(page_frame_id(page)),
        .session_id = xstrdup(page_session(page)),
    };
    page->frames->list.count = 1;
    page->frames->are_stale = false;
}

size_t frames_count(const struct page *page)
{
    return page->frames->list.count;
}

struct frame *frame_at(const struct page *page, size_t index)
{
    return &page->frames->list.items[index];
}

struct frame *frame_main(const struct page *page)
{
    return page->frames->list.items;
}

void frames_touch(struct page *page)
{
    page->frames->are_stale = true;
}

const char *frames_session(const struct page *page, size_t index, bool *ret_is_frame)
{
    if (index >= page->frames->child_count) {
        return NULL;
    }
    const struct child *child = &page->frames->children[index];
    *ret_is_frame = child->frame_id;
    return child->session_id;
}

json_t *frame_context(const struct page *page, const struct frame *frame)
{
    return json_object_get(json_object_get(page->frames->contexts, frame->session_id), frame->id);
}

struct frame *frame_find(struct page *page, const char *frame_id)
{
    return frame_list_find(&page->frames->list, frame_id);
}

static struct child *find_child(const struct page *page, const char *session_id)
{
    for (size_t i = 0; session_id && i < page->frames->child_count; i++) {
        if (strcmp(page->frames->children[i].session_id, session_id) == 0) {
            return &page->frames->children[i];
        }
    }
    return NULL;
}

bool frame_is_silent(const struct page *page, const struct frame *frame)
{
    const struct child *child = find_child(page, frame->session_id);
    return child && clock_monotonic_ms() < child->silent_until_ms;
}

/* Records whether a process replied; err NULL: it did. `url` is that of its frame. */
static void note_answer(struct page *page, const char *session_id, const char *url,
                        const struct br_error *err)
{
    struct child *child = find_child(page, session_id);
    if (child && !err) {
        child->silent_until_ms = 0;
    } else if (child && err->code == BR_TIMEOUT) {
        child->silent_until_ms = clock_monotonic_ms() + SILENT_MS;
        page_log(page, BR_LOG_WARNING, "input", "the frame %s does not answer: it is skipped", url);
    }
}

struct deadline frame_begin(struct page *page)
{
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_earlier(before, deadline_in_ms(ANSWER_MS)));
    return before;
}

bool frames_has_session(const struct page *page, const char *session_id)
{
    return find_child(page, session_id);
}

json_t *frames_auto_attach(const struct page *page)
{
    return json_pack("{s:b, s:b, s:b}", "autoAttach", 1, "waitForDebuggerOnStart",
                     page->frames->holds, "flatten", 1);
}

bool frames_hold(struct page *page, struct br_error *err)
{
    if (page->frames->holds) {
        return true;
    }
    page->frames->holds = true;
    for (size_t i = 0; i < page->frames->child_count; i++) {
        cdp_post(page->client, page->frames->children[i].session_id, "Target.setAutoAttach",
                 frames_auto_attach(page));
    }
    return page_command(page, "Target.setAutoAttach", frames_auto_attach(page), NULL, err);
}

/* Enables the domains that are needed in a process of the page; it may be paused for that. */
static void listen_to_child(struct page *page, const struct child *child)
{
    static const char *const methods[] = { "Runtime.enable", "Log.enable", "Audits.enable",
                                           "Network.enable" };
    cdp_client_adopt(page->client, child->session_id);
    if (child->frame_id) {
        cdp_post(page->client, child->session_id, "Page.enable", NULL);
    }
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        cdp_post(page->client, child->session_id, methods[i], NULL);
    }
    page->frames->on_process(page, child->session_id,
                             child->frame_id ? PROCESS_FRAME : PROCESS_WORKER, true);
    cdp_post(page->client, child->session_id, "Target.setAutoAttach", frames_auto_attach(page));
    cdp_post(page->client, child->session_id, "Runtime.runIfWaitingForDebugger", NULL);
}

static void on_attached(struct page *page, json_t *params)
{
    const char *session_id = json_member_string(params, "sessionId");
    const json_t *target = json_object_get(params, "targetInfo");
    const char *type = json_member_string(target, "type");
    bool is_frame = type && strcmp(type, "iframe") == 0;
    bool is_worker = type && strstr(type, "worker");
    /* The session of a relay's client stands for the browser. */
    bool is_process = type && strcmp(type, "page") != 0 && strcmp(type, "browser") != 0;
    if (!session_id || !is_process) {
        return;
    }
    if (!(is_frame || is_worker) || page->frames->child_count >= MAX_CHILDREN) {
        page->frames->on_process(page, session_id, is_frame ? PROCESS_FRAME : PROCESS_WORKER,
                                 false);
        /* It may be paused until it is resumed. */
        cdp_post(page->client, session_id, "Runtime.runIfWaitingForDebugger", NULL);
        return;
    }
    page->frames->children =
        array_reserve(page->frames->children, page->frames->child_count,
                      &page->frames->child_capacity, sizeof(*page->frames->children));
    struct child *child = &page->frames->children[page->frames->child_count++];
    *child = (struct child){ .session_id = xstrdup(session_id) };
    if (is_frame) {
        /* The target of a frame has the frame's id. */
        child->frame_id = xstrdup(json_member_string(target, "targetId"));
        child->parent_id = xstrdup(json_member_string(target, "parentFrameId"));
        page->frames->are_stale = true;
    }
    listen_to_child(page, child);
}

static void on_contexts_cleared(struct page *page, const char *session_id)
{
    for (size_t i = 0; i < page->frames->list.count; i++) {
        if (strcmp(page->frames->list.items[i].session_id, session_id) == 0) {
            page->frames->list.items[i].world_id = 0;
        }
    }
    json_object_del(page->frames->contexts, session_id);
}

static void on_detached(struct page *page, json_t *params)
{
    struct child *child = find_child(page, json_member_string(params, "sessionId"));
    if (child) {
        page->frames->are_stale |= child->frame_id != NULL;
        on_contexts_cleared(page, child->session_id);
        forget_child(page, (size_t)(child - page->frames->children));
    }
}

/* Our world exists as soon as the document, since our scripts are added to each new document. */
static void on_our_world(struct page *page, const char *session_id, const char *frame_id,
                         int world_id)
{
    struct frame *frame = frame_find(page, frame_id);
    if (frame && strcmp(frame->session_id, session_id) == 0 && frame->world_id != world_id) {
        frame->world_id = world_id;
        frame->libraries = 0;
    }
}

/*
 * Records the main world of a frame. The process that a frame has left may still report its last
 * world.
 */
static void on_context(struct page *page, const char *session_id, json_t *params)
{
    json_t *context = json_object_get(params, "context");
    const json_t *more = json_object_get(context, "auxData");
    const char *frame_id = json_member_string(more, "frameId");
    const char *name = json_member_string(context, "name");
    bool is_default = json_member_bool(more, "isDefault", false);
    if (frame_id && !is_default && name && strcmp(name, page_world_name) == 0) {
        on_our_world(page, session_id, frame_id, (int)json_member_number(context, "id", 0));
    }
    if (!frame_id || !is_default) {
        return;
    }
    json_t *of_session = json_object_get(page->frames->contexts, session_id);
    if (!of_session) {
        of_session = json_object();
        json_object_set_new(page->frames->contexts, session_id, of_session);
    }
    json_object_set(of_session, frame_id, json_object_get(context, "uniqueId"));
}

static void on_navigated(struct page *page, json_t *params)
{
    struct frame *frame =
        frame_find(page, json_member_string(json_object_get(params, "frame"), "id"));
    bool is_main = frame == page->frames->list.items;
    if (frame) {
        frame->world_id = 0;
        free(frame->loader_id);
        frame->loader_id =
            xstrdup(json_member_string(json_object_get(params, "frame"), "loaderId"));
    }
    page->frames->are_stale |= !is_main || page->frames->list.count > 1;
}

void frames_on_event(struct page *page, const char *session_id, const char *method, json_t *params)
{
    if (!page->frames->list.count) {
        return;
    }
    if (strcmp(method, "Runtime.executionContextCreated") == 0) {
        on_context(page, session_id, params);
    } else if (strcmp(method, "Target.attachedToTarget") == 0) {
        on_attached(page, params);
    } else if (strcmp(method, "Target.detachedFromTarget") == 0) {
        on_detached(page, params);
    } else if (strcmp(method, "Runtime.executionContextsCleared") == 0) {
        on_contexts_cleared(page, session_id);
    } else if (strcmp(method, "Page.frameNavigated") == 0) {
        on_navigated(page, params);
    } else if (strcmp(method, "Page.frameAttached") == 0 ||
               strcmp(method, "Page.frameDetached") == 0) {
        page->frames->are_stale = true;
    }
}

/* Returns the processes to be asked; their list may change meanwhile. */
static struct frame_tree *choose_trees(struct page *page, size_t *ret_count)
{
    struct frame_tree *trees = xcalloc(page->frames->child_count + 1, sizeof(*trees));
    trees[0].session_id = xstrdup(page_session(page));
    *ret_count = 1;
    for (size_t i = 0; i < page->frames->child_count; i++) {
        const struct child *child = &page->frames->children[i];
        if (child->frame_id && clock_monotonic_ms() >= child->silent_until_ms) {
            trees[(*ret_count)++] = (struct frame_tree){
                .session_id = xstrdup(child->session_id),
                .root_id = xstrdup(child->frame_id),
                .parent_id = xstrdup(child->parent_id ? child->parent_id : page_frame_id(page)),
            };
        }
    }
    return trees;
}

static bool ask_trees(struct page *page, struct frame_tree *trees, size_t count,
                      struct br_error *err)
{
    static const char method[] = "Page.getFrameTree";
    struct br_error missing = { 0 }; /* of a process that is ending, or stuck */
    for (size_t i = 0; i < count; i++) {
        trees[i].call_id = cdp_send(page->client, trees[i].session_id, method, NULL, err);
    }
    bool is_known = cdp_receive(page->client, trees[0].call_id, method, &trees[0].reply, err);
    struct deadline before = frame_begin(page);
    for (size_t i = 1; i < count; i++) {
        bool is_answered =
            cdp_receive(page->client, trees[i].call_id, method, &trees[i].reply, &missing);
        const struct frame *known = frame_find(page, trees[i].root_id);
        note_answer(page, trees[i].session_id, known ? known->url : trees[i].root_id,
                    is_answered ? NULL : &missing);
    }
    page_set_deadline(page, before);
    return is_known;
}

/* Frames may share a stuck process: all are asked at once instead of one per second. */
static void find_silent(struct page *page)
{
    struct br_error ignored;
    size_t count = 0;
    struct frame_tree *trees = choose_trees(page, &count);
    ask_trees(page, trees, count, &ignored);
    frame_trees_free(trees, count);
}

void frame_end(struct page *page, const struct frame *frame, struct deadline before,
               const struct br_error *err)
{
    page_set_deadline(page, before);
    /* With hardly any time left, a missing reply means nothing. */
    if (!deadline_passed(before)) {
        note_answer(page, frame->session_id, frame->url, err);
    }
    if (frame_is_silent(page, frame)) {
        find_silent(page);
    }
}

bool frames_update(struct page *page, struct br_error *err)
{
    if (!page->frames->are_stale) {
        return true;
    }
    size_t count = 0;
    struct frame_tree *trees = choose_trees(page, &count);
    struct frame_list list = { 0 };
    /* Changes from now on require another update. */
    page->frames->are_stale = false;
    bool is_known = ask_trees(page, trees, count, err);
    if (is_known) {
        list = frame_list_make(trees, count, &page->frames->list);
    }
    if (list.count) {
        frame_list_finish(&page->frames->list);
        page->frames->list = list;
    } else {
        frame_list_finish(&list);
        page->frames->are_stale = true;
    }
    for (size_t i = 0; i < page->frames->child_count; i++) {
        /* No event reports when it responds again. */
        page->frames->are_stale |= page->frames->children[i].silent_until_ms > 0;
    }
    frame_trees_free(trees, count);
    return is_known;
}

const char *page_frame_loader(struct page *page, const char *frame_id)
{
    const struct frame *frame = frame_find(page, frame_id);
    if (frame && !frame->parent_id) {
        return page_document(page)->loader_id;
    }
    return frame ? frame->loader_id : NULL;
}

bool frame_command(struct page *page, const struct frame *frame, const char *method, json_t *params,
                   json_t **ret_result, struct br_error *err)
{
    return cdp_call(page->client, frame->session_id, method, params, ret_result, err);
}
