/* What an event does not say itself: asked for at once, before it is gone, and taken at the end. */
#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/page/state.h"

#include <string.h>

enum {
    DETAILS_MS = 400, /* for what has not come by the end of the action */
    BODY_MS = 200,    /* of it, for the body of an error whose head is there */
};

static void add(struct page *page, int64_t call_id, size_t index)
{
    if (call_id < 0) {
        return;
    }
    page->details = array_reserve(page->details, page->detail_count, &page->detail_capacity,
                                  sizeof(*page->details));
    page->details[page->detail_count++] =
        (struct page_detail){ .call_id = call_id, .index = index };
}

void page_ask_details(struct page *page, const char *session_id)
{
    struct br_error ignored;
    struct network_wanted wanted;
    if (network_take_wanted(&page->network, &wanted)) {
        add(page,
            cdp_send(page->client, session_id, "Network.getResponseBody",
                     json_pack("{s:s}", "requestId", wanted.request_id), &ignored),
            wanted.event);
        free(wanted.request_id);
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
    network_set_body(&page->network, detail->index, body, size);
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

void page_take_details(struct page *page)
{
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_earlier(before, deadline_in_ms(DETAILS_MS)));
    take_open_bodies(page);
    for (size_t i = 0; i < page->detail_count; i++) {
        struct br_error err;
        json_auto_t *reply = NULL;
        const struct page_detail *detail = &page->details[i];
        bool is_there =
            cdp_receive(page->client, detail->call_id, "Network.getResponseBody", &reply, &err);
        if (is_there || err.code != BR_TIMEOUT) {
            take_body(page, detail, reply);
        }
    }
    page->detail_count = 0;
    page_set_deadline(page, before);
}
