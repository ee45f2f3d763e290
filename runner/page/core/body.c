#include "runner/page/core/body.h"

#include "imaging/base64.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

#include <string.h>

enum { PART_BYTES = 1024 * 1024 /* of a stream */ };

/* Requests of frames and workers in other processes are only known in their sessions. */
static bool ask(struct page *page, const char *method, const char *request_id, json_t **ret_reply,
                struct br_error *err)
{
    struct br_error other;
    if (page_command(page, method, json_pack("{s:s}", "requestId", request_id), ret_reply, err)) {
        return true;
    }
    bool is_frame = false;
    const char *found = NULL;
    for (size_t i = 0; (found = frames_session(page, i, &is_frame)); i++) {
        CLEANUP_FREE char *session_id = xstrdup(found);
        if (cdp_call(page->client, session_id, method, json_pack("{s:s}", "requestId", request_id),
                     ret_reply, &other)) {
            return true;
        }
    }
    return false;
}

bool page_response_body(struct page *page, const char *request_id, unsigned char **ret_bytes,
                        size_t *ret_size, struct br_error *err)
{
    json_auto_t *reply = NULL;
    if (!ask(page, "Network.getResponseBody", request_id, &reply, err)) {
        return false;
    }
    const char *body = json_member_string(reply, "body");
    if (!body) {
        return error_set(err, BR_UNKNOWN_ERROR, "Network.getResponseBody: no body came");
    }
    *ret_size = strlen(body);
    if (json_member_bool(reply, "base64Encoded", false)) {
        return base64_decode(body, *ret_size, ret_bytes, ret_size, err);
    }
    *ret_bytes = (unsigned char *)xstrdup(body);
    return true;
}

char *page_request_body(struct page *page, const char *request_id)
{
    struct br_error ignored;
    json_auto_t *reply = NULL;
    return ask(page, "Network.getRequestPostData", request_id, &reply, &ignored)
               ? xstrdup(json_member_string(reply, "postData"))
               : NULL;
}

/* Adds one part of a stream. */
static bool add_part(const json_t *reply, struct strbuf *text, struct br_error *err)
{
    CLEANUP_FREE unsigned char *bytes = NULL;
    const json_t *data = json_object_get(reply, "data");
    size_t size = json_string_length(data);
    if (!json_is_string(data)) {
        return error_set(err, BR_UNKNOWN_ERROR, "IO.read: no data came");
    }
    if (!json_member_bool(reply, "base64Encoded", false)) {
        strbuf_add(text, json_string_value(data), size);
    } else if (base64_decode(json_string_value(data), size, &bytes, &size, err)) {
        strbuf_add(text, bytes, size);
    } else {
        return false;
    }
    return !text->overflowed ||
           error_set(err, BR_LIMIT_EXCEEDED, "it has more than %zu bytes", text->max);
}

bool body_of_stream(struct page *page, const char *handle, size_t max_bytes, char **ret_bytes,
                    size_t *ret_size, struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(max_bytes);
    bool is_ended = false;
    bool is_read = true;
    while (is_read && !is_ended) {
        json_auto_t *reply = NULL;
        is_read = page_command(page, "IO.read",
                               json_pack("{s:s, s:i}", "handle", handle, "size", PART_BYTES),
                               &reply, err) &&
                  add_part(reply, &text, err);
        is_ended = is_read && json_member_bool(reply, "eof", true);
    }
    page_post(page, "IO.close", json_pack("{s:s}", "handle", handle));
    if (is_read) {
        *ret_size = text.length;
        *ret_bytes = strbuf_take(&text);
    }
    return is_read;
}
