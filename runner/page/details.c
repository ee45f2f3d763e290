/* What an event does not say itself: asked for at once, before it is gone, and taken at the end. */
#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/page/scripts.h"
#include "runner/page/state.h"

#include <string.h>

enum {
    DETAILS_MS = 400,  /* for what has not come by the end of the action */
    MAX_DETAILS = 100, /* console calls of one action whose objects are looked at */
    BODY_MS = 200,     /* of it, for the body of an error whose head is there */
};

/* Takes ownership of what the detail holds. */
static void add(struct page *page, struct page_detail detail)
{
    if (detail.call_id < 0) {
        console_wanted_finish(&detail.logged);
        return;
    }
    page->details = array_reserve(page->details, page->detail_count, &page->detail_capacity,
                                  sizeof(*page->details));
    page->details[page->detail_count++] = detail;
}

/* Has the objects of a console call looked at. */
static int64_t inspect(struct page *page, const char *session_id,
                       const struct console_wanted *logged)
{
    struct br_error ignored;
    size_t index;
    json_t *object;
    json_t *arguments = json_array();
    json_array_foreach (logged->objects, index, object) {
        json_array_append_new(arguments,
                              json_pack("{s:O}", "objectId", json_object_get(object, "objectId")));
    }
    return cdp_send(page->client, session_id, "Runtime.callFunctionOn",
                    json_pack("{s:s, s:O, s:o, s:b, s:b}", "functionDeclaration", script_inspect,
                              "executionContextId",
                              json_object_get(logged->params, "executionContextId"), "arguments",
                              arguments, "returnByValue", 1, "silent", 1),
                    &ignored);
}

void page_ask_details(struct page *page, const char *session_id)
{
    struct br_error ignored;
    struct network_wanted wanted;
    struct console_wanted logged;
    if (network_take_wanted(&page->network, &wanted)) {
        int64_t call_id = cdp_send(page->client, session_id, "Network.getResponseBody",
                                   json_pack("{s:s}", "requestId", wanted.request_id), &ignored);
        add(page, (struct page_detail){ .call_id = call_id, .event = wanted.event });
        free(wanted.request_id);
    }
    if (console_take_wanted(&page->console, &logged)) {
        if (page->detail_count < MAX_DETAILS &&
            json_object_get(logged.params, "executionContextId")) {
            int64_t call_id = inspect(page, session_id, &logged);
            add(page, (struct page_detail){ .call_id = call_id, .logged = logged });
        } else {
            console_wanted_finish(&logged); /* what the event itself said is enough */
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
    network_set_body(&page->network, detail->event, body, size);
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

static void take_detail(struct page *page, struct page_detail *detail)
{
    struct br_error err;
    json_auto_t *reply = NULL;
    const char *what = detail->logged.params ? "Runtime.callFunctionOn" : "Network.getResponseBody";
    bool is_there = cdp_receive(page->client, detail->call_id, what, &reply, &err);
    if (detail->logged.params) {
        const json_t *members = json_object_get(json_object_get(reply, "result"), "value");
        if (json_is_array(members)) {
            console_set_objects(&page->console, &detail->logged, members);
        }
        console_wanted_finish(&detail->logged);
    } else if (is_there || err.code != BR_TIMEOUT) {
        take_body(page, detail, reply);
    }
}

void page_take_details(struct page *page)
{
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_earlier(before, deadline_in_ms(DETAILS_MS)));
    take_open_bodies(page);
    for (size_t i = 0; i < page->detail_count; i++) {
        struct page_detail detail = page->details[i]; /* more may come while it is waited for */
        take_detail(page, &detail);
    }
    page->detail_count = 0;
    page_set_deadline(page, before);
    console_drop_twins(page->console.logs);
}

void page_forget_details(struct page *page)
{
    for (size_t i = 0; i < page->detail_count; i++) {
        console_wanted_finish(&page->details[i].logged);
    }
    free(TAKE(page->details));
    page->detail_count = 0;
    page->detail_capacity = 0;
}
