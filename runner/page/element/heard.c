#include "runner/page/element/heard.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/state.h"
#include "runner/page/element/element.h"

#include <string.h>

enum { MAX_DEPTH = 100 /* depth of an element in its document */ };

/*
 * Returns the path from an element up to its window in the main world: Chrome reports listeners of
 * the world in which it is asked. A click on a label is also one on its control, and the other way
 * round.
 */
static const char path_function[] =
    "function () {"
    " const get = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;"
    " const [parentOf, hostOf] = [get(Node, 'parentNode'), get(ShadowRoot, 'host')];"
    " const label = Element.prototype.closest.call(this, 'label');"
    " const path = [];"
    " for (let node of [this, label?.control, ...(this.labels ?? [])]) {"
    " while (node && !path.includes(node)) {"
    " path.push(node);"
    " node = parentOf.call(node) ?? (node instanceof ShadowRoot ? hostOf.call(node) : null); } }"
    " return [...path, window]; }";

/* Pending requests for the listeners of each object. */
struct asked {
    int64_t calls[MAX_DEPTH];
    size_t count;
};

static const char listeners_method[] = "DOMDebugger.getEventListeners";

/* Gets the objects on the path as properties of an array; caller decrefs. */
static bool find_path(struct page *page, struct frame *frame, const struct element *element,
                      json_t **ret_path)
{
    struct br_error ignored;
    json_auto_t *resolved = NULL;
    json_auto_t *called = NULL;
    if (!frame_command(page, frame, "DOM.resolveNode",
                       json_pack("{s:I, s:s}", "backendNodeId", (json_int_t)element->backend_id,
                                 "objectGroup", frame_object_group),
                       &resolved, &ignored) ||
        !frame_command(page, frame, "Runtime.callFunctionOn",
                       json_pack("{s:s, s:O, s:s}", "functionDeclaration", path_function,
                                 "objectId",
                                 json_object_get(json_object_get(resolved, "object"), "objectId"),
                                 "objectGroup", frame_object_group),
                       &called, &ignored)) {
        return false;
    }
    json_t *path_id = json_object_get(json_object_get(called, "result"), "objectId");
    return path_id &&
           frame_command(page, frame, "Runtime.getProperties",
                         json_pack("{s:O, s:b}", "objectId", path_id, "ownProperties", 1), ret_path,
                         &ignored);
}

static bool ask_path(struct page *page, struct frame *frame, const struct element *element,
                     struct asked *asked)
{
    struct br_error ignored;
    json_auto_t *path = NULL;
    size_t index;
    json_t *member;
    if (!find_path(page, frame, element, &path)) {
        return false;
    }
    json_array_foreach (json_object_get(path, "result"), index, member) {
        json_t *id = json_object_get(json_object_get(member, "value"), "objectId");
        if (id && asked->count == MAX_DEPTH) {
            return false;
        }
        if (id) {
            asked->calls[asked->count++] =
                cdp_send(page->client, frame->session_id, listeners_method,
                         json_pack("{s:O}", "objectId", id), &ignored);
        }
    }
    return asked->count > 0;
}

static bool is_among(const char *type, const char *const *types)
{
    for (; *types; types++) {
        if (strncmp(type, *types, strlen(*types)) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_heard(const json_t *reply, const char *const *types)
{
    size_t index;
    json_t *listener;
    json_array_foreach (json_object_get(reply, "listeners"), index, listener) {
        const char *type = json_member_string(listener, "type");
        if (type && is_among(type, types)) {
            return true;
        }
    }
    return false;
}

static bool hears(struct page *page, struct frame *frame, const struct element *element,
                  const char *const *types)
{
    struct asked asked = { .count = 0 };
    bool hears = !ask_path(page, frame, element, &asked);
    for (size_t i = 0; i < asked.count; i++) {
        struct br_error ignored;
        json_auto_t *reply = NULL;
        hears |= !cdp_receive(page->client, asked.calls[i], listeners_method, &reply, &ignored) ||
                 is_heard(reply, types);
    }
    frame_release(page, frame);
    return hears;
}

bool page_hears(struct page *page, const struct element *element, const char *const *types)
{
    return hears(page, element_frame(page, element), element, types);
}

bool heard_at_focus(struct page *page, struct frame *frame, const char *const *types)
{
    static const char focused[] = "function () {"
                                  " let element = document.activeElement;"
                                  " while (element?.shadowRoot?.activeElement) { element = "
                                  "element.shadowRoot.activeElement; }"
                                  " return element; }";
    struct br_error ignored;
    CLEANUP_FREE char *object_id = NULL;
    json_auto_t *described = NULL;
    if (!frame_get_object(page, frame, focused, &object_id, &ignored) || !object_id ||
        !frame_command(page, frame, "DOM.describeNode", json_pack("{s:s}", "objectId", object_id),
                       &described, &ignored)) {
        return true;
    }
    const json_t *node = json_object_get(described, "node");
    const struct element element = {
        .backend_id = (int64_t)json_member_number(node, "backendNodeId", 0),
    };
    return hears(page, frame, &element, types);
}
