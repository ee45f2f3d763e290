#include "runner/page/element/dom.h"

#include "runner/base/json.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/show.h"

#include <string.h>

static const char capture_method[] = "DOMSnapshot.captureSnapshot";
static const char owner_method[] = "DOM.getFrameOwner";
static const char tree_method[] = "Accessibility.getFullAXTree";
static const char partial_method[] = "Accessibility.getPartialAXTree";

static const char *const kinds[] = { "focused", "mixed", "invalid" };
/* Time limit for the other processes, after the page's own has replied. */
enum { OTHER_MS = 3000 };

enum { KIND_COUNT = sizeof(kinds) / sizeof(kinds[0]) };

/* The process of a part during the request. */
struct asking {
    char *session_id;
    char *parent_session_id; /* of its top frame's parent frame; NULL: the page's own */
    int64_t capture_id, owner_id;
};

/*
 * Lists the processes of the page, each with its top frame: one whose parent is in another process.
 */
static struct asking *list_processes(struct page *page, struct page_dom *dom)
{
    struct asking *asking = xcalloc(frames_count(page), sizeof(*asking));
    dom->parts = xcalloc(frames_count(page), sizeof(*dom->parts));
    for (size_t i = 0; i < frames_count(page); i++) {
        const struct frame *frame = frame_at(page, i);
        const struct frame *parent = frame_find(page, frame->parent_id);
        bool is_inner = parent && strcmp(parent->session_id, frame->session_id) == 0;
        if (is_inner || (frame->parent_id && (!parent || frame_is_silent(page, frame)))) {
            continue;
        }
        asking[dom->part_count] = (struct asking){
            .session_id = xstrdup(frame->session_id),
            .parent_session_id = xstrdup(parent ? parent->session_id : NULL),
        };
        dom->parts[dom->part_count++] = (struct page_dom_part){
            .frame_id = xstrdup(frame->id),
            .owner_part = -1,
        };
    }
    return asking;
}

static void free_asking(struct asking *asking, int count)
{
    for (int i = 0; i < count; i++) {
        free(asking[i].session_id);
        free(asking[i].parent_session_id);
    }
    free(asking);
}

static void add_styles(json_t *wanted, const char *const *styles)
{
    for (size_t i = 0; styles[i]; i++) {
        json_array_append_new(wanted, json_string(styles[i]));
    }
}

static void receive_owner(struct page *page, struct asking *asking, int count, int index,
                          struct page_dom_part *part)
{
    struct br_error ignored;
    json_auto_t *reply = NULL;
    if (!asking[index].parent_session_id ||
        !cdp_receive(page->client, asking[index].owner_id, owner_method, &reply, &ignored)) {
        return;
    }
    part->owner_id = (int64_t)json_member_number(reply, "backendNodeId", 0);
    for (int i = 0; i < count; i++) {
        if (strcmp(asking[i].session_id, asking[index].parent_session_id) == 0) {
            part->owner_part = i;
        }
    }
}

static bool receive_part(struct page *page, const struct asking *asking, struct page_dom_part *part,
                         struct br_error *err)
{
    CLEANUP_CDP_MESSAGE struct cdp_message *reply =
        cdp_receive_raw(page->client, asking->capture_id, capture_method, err);
    if (reply) {
        part->text = cdp_message_take_result(reply, &part->length);
    }
    return reply;
}

/* Asks all at once: each process works on its own. */
static bool ask_processes(struct page *page, const struct page_dom_request *request,
                          struct asking *asking, json_t *styles, struct page_dom *dom,
                          struct br_error *err)
{
    struct br_error missing = { 0 };
    for (int i = 0; i < dom->part_count; i++) {
        asking[i].capture_id =
            cdp_send(page->client, asking[i].session_id, capture_method,
                     json_pack("{s:O, s:b}", "computedStyles", styles, "includePaintOrder", 1),
                     i ? &missing : err);
        asking[i].owner_id = -1;
        if (asking[i].parent_session_id) {
            asking[i].owner_id =
                cdp_send(page->client, asking[i].parent_session_id, owner_method,
                         json_pack("{s:s}", "frameId", dom->parts[i].frame_id), &missing);
        }
    }
    if (request->on_sent) {
        request->on_sent(page);
    }
    bool is_known = receive_part(page, &asking[0], &dom->parts[0], err);
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_earlier(before, deadline_in_ms(OTHER_MS)));
    for (int i = 1; i < dom->part_count; i++) {
        bool is_there = receive_part(page, &asking[i], &dom->parts[i], &missing);
        const struct frame *frame = frame_find(page, dom->parts[i].frame_id);
        if (!is_there) {
            page_log(page, BR_LOG_WARNING, "snapshot", "the frame %s is omitted: %s",
                     frame ? frame->url : dom->parts[i].frame_id, missing.message);
        }
        receive_owner(page, asking, dom->part_count, i, &dom->parts[i]);
    }
    page_set_deadline(page, before);
    return is_known;
}

/* Returns the part of a session's process; -1: none. */
static int part_of(const struct asking *asking, int count, const char *session_id)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(asking[i].session_id, session_id) == 0) {
            return i;
        }
    }
    return -1;
}

static void add_mark(struct page_dom *dom, int part, const char *name, int64_t node_id)
{
    for (size_t i = 0; i < KIND_COUNT; i++) {
        if (strncmp(name, kinds[i], strlen(kinds[i])) == 0) {
            dom->marks = array_reserve(dom->marks, dom->mark_count, &dom->mark_capacity,
                                       sizeof(*dom->marks));
            dom->marks[dom->mark_count++] =
                (struct page_dom_mark){ .part = part, .node_id = node_id, .kind = kinds[i] };
        }
    }
}

/* Counts the frame's elements and adds its marks. */
static bool look_at_frame(struct page *page, struct frame *frame, int part, struct page_dom *dom,
                          double *elements, struct br_error *err)
{
    size_t index;
    json_t *member;
    json_auto_t *nothing = json_object();
    json_auto_t *object = NULL;
    if (!frame_call(page, frame, script_marks, nothing, NULL, &object, err)) {
        return false;
    }
    element_hold(page, frame);
    json_array_foreach (json_object_get(json_object_get(object, "deepSerializedValue"), "value"),
                        index, member) {
        const char *name = json_string_value(json_array_get(member, 0));
        const json_t *value = json_object_get(json_array_get(member, 1), "value");
        if (name && strcmp(name, "elements") == 0) {
            *elements += json_number_value(value);
        } else if (name && json_is_object(value)) {
            add_mark(dom, part, name, (int64_t)json_member_number(value, "backendNodeId", 0));
        }
    }
    return true;
}

/* Runs before the DOM is requested, so that a page that is too large is never requested. */
static bool look_at_frames(struct page *page, const struct asking *asking, struct page_dom *dom,
                           struct br_error *err)
{
    double elements = 0;
    struct br_error ignored;
    if (!look_at_frame(page, frame_main(page), 0, dom, &elements, err)) {
        return false;
    }
    for (size_t i = 1; i < frames_count(page); i++) {
        struct frame *frame = frame_at(page, i);
        int part = part_of(asking, dom->part_count, frame->session_id);
        struct deadline before = page_deadline(page);
        if (part < 0 || frame_is_silent(page, frame)) {
            continue;
        }
        frame_begin(page);
        bool is_done = look_at_frame(page, frame, part, dom, &elements, &ignored);
        page_set_deadline(page, before);
        if (!is_done) {
            frame->world_id = 0;
        }
    }
    if (elements > PAGE_MAX_ELEMENTS) {
        error_set(err, BR_LIMIT_EXCEEDED,
                  "the page has %.0f elements, the limit for a snapshot is %d", elements,
                  PAGE_MAX_ELEMENTS);
        return error_hint(err, "let the page show less of it at once, or take a screenshot");
    }
    return true;
}

bool page_get_dom(struct page *page, const struct page_dom_request *request,
                  struct page_dom *ret_dom, struct br_error *err)
{
    json_auto_t *wanted = json_array();
    *ret_dom = (struct page_dom){ 0 };
    if (!frames_update(page, err)) {
        return false;
    }
    show_remove(page);
    add_styles(wanted, request->styles);
    if (frames_count(page) > 1) {
        add_styles(wanted, request->frame_styles);
    }
    struct asking *asking = list_processes(page, ret_dom);
    bool is_done = look_at_frames(page, asking, ret_dom, err) &&
                   ask_processes(page, request, asking, wanted, ret_dom, err);
    free_asking(asking, ret_dom->part_count);
    return is_done;
}

void page_dom_finish(struct page_dom *dom)
{
    for (int i = 0; i < dom->part_count; i++) {
        free(dom->parts[i].text);
        free(dom->parts[i].frame_id);
    }
    free(dom->parts);
    free(dom->marks);
}

bool page_get_accessibility(struct page *page, const struct page_dom_part *part, json_t **ret_nodes,
                            struct br_error *err)
{
    const struct frame *top = frame_find(page, part->frame_id);
    json_auto_t *nodes = json_array();
    for (size_t i = 0; top && i < frames_count(page); i++) {
        const struct frame *frame = frame_at(page, i);
        json_auto_t *reply = NULL;
        if (strcmp(frame->session_id, top->session_id) != 0) {
            continue;
        }
        if (!frame_command(page, frame, tree_method, json_pack("{s:s}", "frameId", frame->id),
                           &reply, err)) {
            return false;
        }
        json_array_extend(nodes, json_object_get(reply, "nodes"));
    }
    *ret_nodes = TAKE(nodes);
    return true;
}

bool page_get_accessibility_of(struct page *page, const struct page_dom_part *part,
                               const int64_t *node_ids, size_t count, json_t **ret_nodes,
                               struct br_error *err)
{
    const struct frame *top = frame_find(page, part->frame_id);
    CLEANUP_FREE int64_t *calls = xcalloc(count + 1, sizeof(*calls));
    json_auto_t *nodes = json_array();
    for (size_t i = 0; top && i < count; i++) {
        calls[i] = cdp_send(
            page->client, top->session_id, partial_method,
            json_pack("{s:I, s:b}", "backendNodeId", (json_int_t)node_ids[i], "fetchRelatives", 0),
            err);
    }
    for (size_t i = 0; top && i < count; i++) {
        json_auto_t *reply = NULL;
        if (cdp_receive(page->client, calls[i], partial_method, &reply, err)) {
            json_array_extend(nodes, json_object_get(reply, "nodes"));
        } else if (!page_is_alive(page) || err->code == BR_TIMEOUT) {
            return false;
        }
    }
    *ret_nodes = TAKE(nodes);
    return true;
}
