/* What an event does not say itself: asked for at once, before it is gone, and taken at the end. */
#include "runner/page/core/details.h"

#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/observe/stream.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

#include <string.h>

enum {
    DETAILS_MS = 400,  /* for what has not come by the end of the action */
    MAX_DETAILS = 100, /* console calls of one action whose objects are looked at */
    VALUES_DEPTH = 5,  /* of objects whose arguments are serialised; as in values.js */
    BODY_MS = 200,     /* of it, for the body of an error whose head is there */
};

/* What Chrome keeps for us until it was looked at. */
static const char values_group[] = "browserRunnerValues";

/* What a reply that nobody has waited for yet belongs to; see details.c. */
struct page_detail {
    int64_t call_id;
    struct network_wanted body;   /* whose it is, where `logged` is of nothing */
    struct console_wanted logged; /* the console call that it is about */
    bool are_values;              /* its arguments serialised; otherwise the objects in words */
    char *session_id;             /* with are_values: where they were */
};

struct details {
    struct page_detail *list; /* asked for, to be in the next answer */
    size_t count, capacity;
    size_t asked; /* console calls of this action that were looked into */
};

void details_init(struct page *page)
{
    page->details = xcalloc(1, sizeof(*page->details));
}

static void detail_finish(struct page_detail *detail)
{
    free(TAKE(detail->body.request_id));
    console_wanted_finish(&detail->logged);
    free(TAKE(detail->session_id));
}

/* Takes ownership of what the detail holds. */
static void add(struct page *page, struct page_detail detail)
{
    if (detail.call_id < 0) {
        detail_finish(&detail);
        return;
    }
    page->details->list = array_reserve(page->details->list, page->details->count,
                                        &page->details->capacity, sizeof(*page->details->list));
    page->details->list[page->details->count++] = detail;
}

/* The page's own function about arguments of a console call, sent to where it was made. */
static int64_t send_about(struct page *page, const char *session_id, const char *function,
                          const struct console_wanted *logged, json_t *arguments, json_t *how)
{
    struct br_error ignored;
    json_t *params =
        json_pack("{s:s, s:O, s:o, s:b, s:s}", "functionDeclaration", function,
                  "executionContextId", json_object_get(logged->params, "executionContextId"),
                  "arguments", arguments, "silent", 1, "objectGroup", values_group);
    json_object_update(params, how);
    json_decref(how);
    return cdp_send(page->client, session_id, "Runtime.callFunctionOn", params, &ignored);
}

/* An argument of a call that was logged, as one of another. */
static json_t *argument_of(const json_t *object)
{
    return json_pack("{s:O*, s:O*, s:O*}", "objectId", json_object_get(object, "objectId"), "value",
                     json_object_get(object, "value"), "unserializableValue",
                     json_object_get(object, "unserializableValue"));
}

static json_t *arguments_of(const json_t *objects)
{
    size_t index;
    json_t *object;
    json_t *arguments = json_array();
    json_array_foreach (objects, index, object) {
        json_array_append_new(arguments, argument_of(object));
    }
    return arguments;
}

static struct console_wanted wanted_again(const struct console_wanted *wanted)
{
    struct console_wanted again = *wanted;
    json_incref(again.params);
    json_incref(again.objects);
    return again;
}

/* Has the objects of a console call looked at, and serialised where somebody wants that. */
static void ask_about(struct page *page, const char *session_id, struct console_wanted *logged)
{
    if (json_array_size(logged->objects) > 0) {
        int64_t call_id =
            send_about(page, session_id, script_inspect, logged, arguments_of(logged->objects),
                       json_pack("{s:b}", "returnByValue", 1));
        add(page, (struct page_detail){ .call_id = call_id, .logged = wanted_again(logged) });
    }
    if (logged->wants_values) {
        int64_t call_id = send_about(page, session_id, script_values, logged,
                                     arguments_of(json_object_get(logged->params, "args")),
                                     json_pack("{s:{s:s, s:i, s:{s:i, s:s}}}",
                                               "serializationOptions", "serialization", "deep",
                                               "maxDepth", VALUES_DEPTH + 1, "additionalParameters",
                                               "maxNodeDepth", 0, "includeShadowTree", "none"));
        add(page, (struct page_detail){ .call_id = call_id,
                                        .logged = wanted_again(logged),
                                        .are_values = true,
                                        .session_id = xstrdup(session_id) });
    }
    console_wanted_finish(logged);
}

void page_ask_details(struct page *page, const char *session_id)
{
    struct br_error ignored;
    struct network_wanted wanted;
    struct console_wanted logged;
    if (network_take_wanted(&page->network, &wanted)) {
        int64_t call_id = cdp_send(page->client, session_id, "Network.getResponseBody",
                                   json_pack("{s:s}", "requestId", wanted.request_id), &ignored);
        add(page, (struct page_detail){ .call_id = call_id, .body = wanted });
    }
    if (console_take_wanted(&page->console, &logged)) {
        if (page->details->asked < MAX_DETAILS &&
            json_object_get(logged.params, "executionContextId")) {
            page->details->asked++;
            ask_about(page, session_id, &logged);
        } else {
            console_let_go(&page->console, &logged); /* what the event itself said is enough */
            console_wanted_finish(&logged);
        }
    }
}

/* The text of a body, or of what is base64 of it. */
static void take_body(struct page *page, const struct page_detail *detail, const json_t *reply)
{
    struct br_error ignored;
    const char *body = json_member_string(reply, "body");
    CLEANUP_FREE unsigned char *bytes = NULL;
    size_t size = body ? strlen(body) : 0;
    /* Chrome takes for binary whatever has no type. */
    if (body && json_member_bool(reply, "base64Encoded", false)) {
        bool is_decoded = base64_decode(body, size, &bytes, &size, &ignored);
        body = is_decoded ? (const char *)bytes : NULL;
    }
    network_set_body(&page->network, &detail->body, body, size);
}

/* The part of a body that is there although nobody reads it. */
static void take_open_body(struct page *page, const char *request_id)
{
    struct br_error ignored;
    json_auto_t *reply = NULL;
    size_t size = 0;
    if (!page_command(page, "Network.streamResourceContent",
                      json_pack("{s:s}", "requestId", request_id), &reply, &ignored)) {
        return;
    }
    CLEANUP_FREE unsigned char *bytes = NULL;
    const char *text = json_member_string(reply, "bufferedData");
    if (text && base64_decode(text, strlen(text), &bytes, &size, &ignored)) {
        network_set_failing_body(&page->network, request_id, (const char *)bytes, size);
    }
}

static bool has_bodies(void *data)
{
    const struct page *page = data;
    return !network_has_bare_failing(&page->network);
}

static void take_open_bodies(struct page *page)
{
    struct br_error late;
    size_t index = 0;
    const char *found = NULL;
    cdp_wait(page->client, has_bodies, page, "bodies", deadline_in_ms(BODY_MS), &late);
    while ((found = network_failing(&page->network, &index))) {
        CLEANUP_FREE char *request_id = xstrdup(found);
        take_open_body(page, request_id);
    }
    network_tell_failing(&page->network);
}

/* Whether more is to come about the same call. */
static bool is_awaited(const struct page *page, uint64_t log)
{
    for (size_t i = 0; i < page->details->count; i++) {
        if (page->details->list[i].logged.params && page->details->list[i].logged.log == log) {
            return true;
        }
    }
    return false;
}

static void take_logged(struct page *page, const struct page_detail *detail, const json_t *reply)
{
    const json_t *result = json_object_get(reply, "result");
    const json_t *members = json_object_get(result, "value");
    const json_t *deep = json_object_get(result, "deepSerializedValue");
    if (detail->are_values) {
        console_set_values(&page->console, &detail->logged, json_object_get(deep, "value"));
        cdp_post(page->client, detail->session_id, "Runtime.releaseObjectGroup",
                 json_pack("{s:s}", "objectGroup", values_group));
    } else if (json_is_array(members)) {
        console_set_objects(&page->console, &detail->logged, members);
    }
    if (!is_awaited(page, detail->logged.log)) {
        console_let_go(&page->console, &detail->logged);
    }
}

/* Waits for what one of them came to; it is no longer among those that are due. */
static void take_detail(struct page *page, size_t index)
{
    struct br_error err;
    json_auto_t *reply = NULL;
    struct page_detail detail = page->details->list[index];
    const char *what = detail.logged.params ? "Runtime.callFunctionOn" : "Network.getResponseBody";
    memmove(&page->details->list[index], &page->details->list[index + 1],
            (--page->details->count - index) * sizeof(detail));
    bool is_there = cdp_receive(page->client, detail.call_id, what, &reply, &err);
    if (detail.logged.params) {
        take_logged(page, &detail, reply);
    } else if (is_there || err.code != BR_TIMEOUT) {
        take_body(page, &detail, reply);
    }
    detail_finish(&detail);
}

void page_take_ready_details(struct page *page)
{
    for (size_t i = 0; i < page->details->count;) {
        if (cdp_has_reply(page->client, page->details->list[i].call_id)) {
            take_detail(page, i); /* does not wait */
        } else {
            i++;
        }
    }
}

void page_take_details(struct page *page)
{
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_earlier(before, deadline_in_ms(DETAILS_MS)));
    take_open_bodies(page);
    while (page->details->count) {
        take_detail(page, 0); /* more may come while it is waited for */
    }
    page->details->asked = 0;
    page_set_deadline(page, before);
    if (page->options.stream) {
        stream_flush(page->options.stream);
    }
    console_drop_twins(page->console.logs);
}

void details_finish(struct page *page)
{
    for (size_t i = 0; i < page->details->count; i++) {
        detail_finish(&page->details->list[i]);
    }
    free(page->details->list);
    free(TAKE(page->details));
}
