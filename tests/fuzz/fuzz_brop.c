/*
 * Feeds any bytes as a message of a BROP client: reads it, converts it to an action, and answers
 * it.
 */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/servers/brop/envelope.h"
#include "runner/servers/brop/translate.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void answer(const struct brop_request *request, const struct br_error *why)
{
    json_auto_t *reply = brop_failure(request->id, why);
    CLEANUP_FREE char *text = json_dumps(reply, JSON_COMPACT);
    assert(text && json_is_false(json_object_get(reply, "success")));
}

static void take(const struct brop_request *request)
{
    struct br_error err = { 0 };
    int32_t tab = 0;
    const char *code = json_member_string(request->params, "code");
    const char *url = json_member_string(request->params, "url");
    json_auto_t *action = brop_action(request->method, request->params, &err);
    assert(!action || json_member_string(action, "type"));
    if (!action) {
        answer(request, &err);
    }
    bool is_id = brop_read_tab_id(json_object_get(request->params, "tabId"), &tab);
    assert(tab >= 0 && (is_id || tab == 0));
    if (code) {
        CLEANUP_FREE char *logged = brop_console_text(code);
        bool is_safe = brop_console_is_safe(code, &err);
        assert(is_safe || !logged);
    }
    if (url) {
        CLEANUP_FREE char *whole = brop_whole_url(url);
        assert(strlen(whole) >= strlen(url));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct br_error err = { 0 };
    struct brop_request request;
    bool is_read = brop_request_read(&request, (const char *)bytes, size, &err);
    assert(is_read == (request.method != NULL) && request.params);
    if (is_read) {
        take(&request);
    } else {
        answer(&request, &err);
    }
    brop_request_finish(&request);
    return 0;
}
