#include "runner/page/element/element.h"

#include "runner/base/json.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

#include <string.h>

static const char call_method[] = "Runtime.callFunctionOn";

void element_finish(struct element *element)
{
    free(element->frame_id);
    free(element->object_id);
    json_decref(element->answer);
    *element = (struct element){ 0 };
}

struct frame *element_frame(struct page *page, const struct element *element)
{
    struct frame *frame = frame_find(page, element->frame_id);
    return frame ? frame : frame_main(page);
}

/* Returns a member of a deeply serialised object; NULL if it has none of this name. */
static json_t *member_of(const json_t *object, const char *name)
{
    size_t index;
    json_t *member;
    json_array_foreach (json_object_get(json_object_get(object, "deepSerializedValue"), "value"),
                        index, member) {
        const char *said = json_string_value(json_array_get(member, 0));
        if (said && strcmp(said, name) == 0) {
            return json_object_get(json_array_get(member, 1), "value");
        }
    }
    return NULL;
}

void element_hold(struct page *page, const struct frame *frame)
{
    if (!page->holding) {
        page->holding = json_object();
    }
    json_object_set_new(page->holding, frame->session_id, json_true());
}

bool element_take(struct page *page, const struct frame *frame, const json_t *object,
                  struct element *ret_element, struct br_error *err)
{
    const char *object_id = json_member_string(object, "objectId");
    const json_t *said = member_of(object, "answer");
    json_auto_t *answer = NULL;
    if (object_id) {
        element_hold(page, frame);
    }
    if (!object_id || !json_is_string(said)) {
        return error_set(err, BR_UNKNOWN_ERROR, "the page returned no element");
    }
    answer = json_parse(json_string_value(said), json_string_length(said), "an element", err);
    if (!answer || !call_answer_is_fine(answer, err)) {
        return false;
    }
    *ret_element = (struct element){
        .frame_id = xstrdup(frame->id),
        .object_id = xstrdup(object_id),
        .backend_id = (int64_t)json_member_number(member_of(object, "node"), "backendNodeId", 0),
        .answer = TAKE(answer),
    };
    return true;
}

json_t *element_objects(const struct element *element)
{
    return element->object_id ? json_pack("[s]", element->object_id) : NULL;
}

int64_t element_send(struct page *page, const struct element *element, const char *function,
                     json_t *options, struct br_error *err)
{
    return cdp_send(page->client, element_frame(page, element)->session_id, call_method,
                    json_pack("{s:s, s:s, s:[{s:o}, {s:s}], s:b, s:b}", "functionDeclaration",
                              function, "objectId", element->object_id, "arguments", "value",
                              options ? options : json_object(), "objectId", element->object_id,
                              "returnByValue", 1, "awaitPromise", 1),
                    err);
}

bool element_receive(struct page *page, int64_t id, json_t **ret_answer, struct br_error *err)
{
    json_auto_t *reply = NULL;
    json_auto_t *answer = NULL;
    if (!cdp_receive(page->client, id, call_method, &reply, err)) {
        return page_was_left(err) && page_is_alive(page)
                   ? error_set(err, BR_TARGET_NOT_FOUND,
                               "the element's document was replaced before the input arrived")
                   : false;
    }
    wire_note_answer(page);
    if (!call_take_value(reply, &answer, err) || !call_answer_is_fine(answer, err)) {
        return false;
    }
    *ret_answer = TAKE(answer);
    return true;
}

bool element_call(struct page *page, const struct element *element, const char *function,
                  json_t *options, json_t **ret_answer, struct br_error *err)
{
    return element_receive(page, element_send(page, element, function, options, err), ret_answer,
                           err);
}

void elements_release(struct page *page)
{
    const char *session_id;
    json_t *is_holding;
    json_object_foreach (page->holding, session_id, is_holding) {
        cdp_post(page->client, session_id, "Runtime.releaseObjectGroup",
                 json_pack("{s:s}", "objectGroup", frame_element_group));
    }
    json_decref(TAKE(page->holding));
}
