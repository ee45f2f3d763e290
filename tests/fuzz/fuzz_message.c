/*
 * Scans any bytes as a message of a browser. What the scan finds must lie inside the text. If
 * jansson can read the text, both must agree.
 */
#include "runner/base/memory.h"
#include "runner/cdp/message.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_inside(const struct cdp_message *message, struct cdp_slice slice)
{
    if (slice.length > 0) {
        assert(slice.text >= message->text);
        assert(slice.text + slice.length <= message->text + message->length);
    }
}

static void check_string(const struct cdp_message *message, struct cdp_slice object)
{
    static const char *const keys[] = { "data", "value", "sessionId", "" };
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        check_inside(message, cdp_slice_string(object, keys[i]));
    }
}

/* The scan keeps escapes as written, so only strings without escapes are compared. */
static void check_member(const json_t *root, const char *key, struct cdp_slice slice)
{
    const char *text = json_string_value(json_object_get(root, key));
    if (text && slice.length > 0 && !memchr(slice.text, '\\', slice.length)) {
        assert(cdp_slice_equals(slice, text));
    }
}

/*
 * jansson treats keys that differ only in their escapes as one key, the scan as two. So texts with
 * escapes are not compared.
 */
static void compare(const struct cdp_message *message)
{
    json_auto_t *root = json_loadb(message->text, message->length, JSON_REJECT_DUPLICATES, NULL);
    if (!root || memchr(message->text, '\\', message->length)) {
        return;
    }
    check_member(root, "method", message->method);
    check_member(root, "sessionId", message->session_id);
    const json_t *id = json_object_get(root, "id");
    if (json_is_integer(id)) {
        assert(message->kind == CDP_REPLY && message->id == json_integer_value(id));
    }
    assert(!json_object_get(root, "result") == (message->result.length == 0));
    assert(!json_object_get(root, "params") == (message->params.length == 0));
    struct cdp_slice value = cdp_slice_string(message->result, "data");
    const json_t *data = json_object_get(json_object_get(root, "result"), "data");
    assert(value.length == json_string_length(data));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = xmalloc(size + 1);
    memcpy(text, bytes, size);
    text[size] = '\0';
    CLEANUP_CDP_MESSAGE struct cdp_message *message = cdp_message_scan(text, size);
    if (message) {
        const struct cdp_slice slices[] = { message->method, message->session_id, message->result,
                                            message->failure, message->params };
        for (size_t i = 0; i < sizeof(slices) / sizeof(slices[0]); i++) {
            check_inside(message, slices[i]);
            check_string(message, slices[i]);
        }
        compare(message);
    }
    /* A text that may end anywhere and has no NUL after it. */
    char *piece = xmalloc(size + (size == 0));
    memcpy(piece, bytes, size);
    struct cdp_slice object = { .text = piece, .length = size };
    struct cdp_slice value = cdp_slice_string(object, "data");
    assert(value.length == 0 || (value.text >= piece && value.text + value.length <= piece + size));
    free(piece);
    return 0;
}
