#include "runner/page/element/role.h"

#include "runner/base/json.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/named.h"

enum { MAX_ELEMENTS = 1000 /* with one role, in one frame */ };

bool role_look(struct page *page, const struct page_target *target, struct br_error *err)
{
    role_forget(page);
    if (!target->role || !page->options.read_role ||
        page->options.read_role(page, target->role, &page->of_role, err)) {
        return true;
    }
    return page_was_left(err) && page_is_alive(page)
               ? error_set(err, BR_TARGET_NOT_FOUND, "the document was replaced during the search")
               : false;
}

void role_forget(struct page *page)
{
    json_decref(page->of_role);
    page->of_role = NULL;
}

/* Splits the frame's elements into two arrays of equal length: their backend ids and names. */
static void split(const struct page *page, const struct frame *frame, json_t *ids, json_t *names)
{
    size_t index;
    json_t *element;
    json_array_foreach (json_object_get(page->of_role, frame->id), index, element) {
        if (index < MAX_ELEMENTS) {
            json_array_append(ids, json_object_get(element, "id"));
            json_array_append(names, json_object_get(element, "name"));
        }
    }
}

/* Keeps the ids whose name matches. */
static bool choose_by_name(struct page *page, struct frame *frame, const struct page_target *target,
                           json_t *names, json_t *ids, bool *ret_is_exact, struct br_error *err)
{
    json_auto_t *argument =
        json_pack("{s:O, s:o}", "names", names, "wanted", json_text(target->name));
    json_auto_t *answer = NULL;
    json_auto_t *chosen = json_array();
    size_t index;
    json_t *number;
    if (!frame_call(page, frame, script_namesMeant, argument, NULL, &answer, err)) {
        return false;
    }
    *ret_is_exact = json_member_bool(answer, "isExact", false);
    json_array_foreach (json_object_get(answer, "numbers"), index, number) {
        json_array_append(chosen, json_array_get(ids, (size_t)json_integer_value(number)));
    }
    json_array_clear(ids);
    if (*ret_is_exact || !target->is_exact) {
        json_array_extend(ids, chosen);
    }
    return true;
}

/* Omits elements that no longer exist. */
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
               json_t **ret_elements, bool *ret_is_exact, struct br_error *err)
{
    json_auto_t *ids = json_array();
    json_auto_t *names = json_array();
    if (!frame_ensure_world(page, frame, err)) {
        return false;
    }
    split(page, frame, ids, names);
    *ret_is_exact = false;
    if (target->name && json_array_size(ids) &&
        !choose_by_name(page, frame, target, names, ids, ret_is_exact, err)) {
        return false;
    }
    *ret_elements = json_array();
    resolve(page, frame, ids, *ret_elements);
    return true;
}
