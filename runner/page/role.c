#include "runner/base/json.h"
#include "runner/page/frames.h"
#include "runner/page/scripts.h"
#include "runner/page/target.h"

enum { MAX_ELEMENTS = 1000 /* of one role, in one frame */ };

/* Accessibility.queryAXTree of the frame's document. */
static bool query(struct page *page, struct frame *frame, const char *role, json_t **ret_reply,
                  struct br_error *err)
{
    CLEANUP_FREE char *document_id = NULL;
    if (!frame_get_object(page, frame, "function () { return document; }", &document_id, err)) {
        return false;
    }
    json_t *params = json_pack("{s:s?, s:o}", "objectId", document_id, "role", json_text(role));
    return frame_command(page, frame, "Accessibility.queryAXTree", params, ret_reply, err);
}

/* Two arrays of the same length: the DOM's ids of what is in the tree, and its names. */
static void split(const json_t *reply, json_t *ids, json_t *names)
{
    size_t index;
    json_t *node;
    json_array_foreach (json_object_get(reply, "nodes"), index, node) {
        json_t *id = json_object_get(node, "backendDOMNodeId");
        const char *name = json_member_string(json_object_get(node, "name"), "value");
        if (id && !json_member_bool(node, "ignored", false) &&
            json_array_size(ids) < MAX_ELEMENTS) {
            json_array_append(ids, id);
            json_array_append_new(names, json_text(name ? name : ""));
        }
    }
}

/* Leaves those of the ids whose name is meant. */
static bool choose_by_name(struct page *page, struct frame *frame, const char *wanted, json_t *ids,
                           json_t *names, struct br_error *err)
{
    json_auto_t *argument = json_pack("{s:O, s:o}", "names", names, "wanted", json_text(wanted));
    json_auto_t *numbers = NULL;
    json_auto_t *chosen = json_array();
    size_t index;
    json_t *number;
    if (!frame_call(page, frame, script_names, argument, NULL, &numbers, err)) {
        return false;
    }
    json_array_foreach (numbers, index, number) {
        json_array_append(chosen, json_array_get(ids, (size_t)json_integer_value(number)));
    }
    json_array_clear(ids);
    json_array_extend(ids, chosen);
    return true;
}

/* Elements that have gone meanwhile are left out. */
static void resolve(struct page *page, struct frame *frame, const json_t *ids, json_t *elements)
{
    static const char method[] = "DOM.resolveNode";
    size_t count = json_array_size(ids);
    CLEANUP_FREE int64_t *calls = xcalloc(count + 1, sizeof(*calls));
    struct br_error gone;
    for (size_t i = 0; i < count; i++) {
        calls[i] = cdp_send(page->client, frame->session_id, method,
                            json_pack("{s:O, s:i, s:s}", "backendNodeId", json_array_get(ids, i),
                                      "executionContextId", frame->world_id, "objectGroup",
                                      frame_object_group),
                            &gone);
    }
    for (size_t i = 0; i < count; i++) {
        json_auto_t *reply = NULL;
        if (cdp_receive(page->client, calls[i], method, &reply, &gone)) {
            json_t *id = json_object_get(json_object_get(reply, "object"), "objectId");
            json_array_append(elements, id);
        }
    }
}

bool role_find(struct page *page, struct frame *frame, const struct page_target *target,
               json_t **ret_elements, struct br_error *err)
{
    json_auto_t *reply = NULL;
    json_auto_t *ids = json_array();
    json_auto_t *names = json_array();
    bool is_shown = false;
    if (!frame_show(page, frame, true, &is_shown, err)) {
        return false;
    }
    if (!is_shown) {
        *ret_elements = json_array(); /* what cannot be seen has no accessibility tree */
        return true;
    }
    if (!query(page, frame, target->role, &reply, err)) {
        return false;
    }
    split(reply, ids, names);
    if (target->name && json_array_size(ids) &&
        !choose_by_name(page, frame, target->name, ids, names, err)) {
        return false;
    }
    *ret_elements = json_array();
    resolve(page, frame, ids, *ret_elements);
    return true;
}
