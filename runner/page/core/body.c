#include "runner/page/core/body.h"

#include "imaging/base64.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

#include <string.h>

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
