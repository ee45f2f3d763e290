#include "runner/servers/brop/envelope.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <math.h>
#include <string.h>

static bool read_command(struct brop_request *request, struct br_error *err)
{
    const json_t *older = json_object_get(request->root, "command");
    const json_t *from = json_object_get(request->root, "method") ? request->root : older;
    json_t *params = json_object_get(from, "params");
    request->method = json_member_string(from, from == older ? "type" : "method");
    if (!request->method || !*request->method) {
        request->method = NULL;
        error_set(err, BR_INVALID_ACTION, "Invalid command: missing method");
        return error_hint(err,
                          "a command is {\"id\": 1, \"method\": \"list_tabs\", \"params\": {}}");
    }
    if (params && !json_is_object(params) && !json_is_null(params)) {
        request->method = NULL;
        return error_set(err, BR_INVALID_ACTION, "Invalid command: params must be an object");
    }
    if (json_is_object(params)) {
        json_decref(request->params);
        request->params = json_incref(params);
    }
    return true;
}

bool brop_request_read(struct brop_request *request, const char *text, size_t length,
                       struct br_error *err)
{
    struct br_error why;
    *request = (struct brop_request){ .params = json_object() };
    request->root = json_parse(text, length, "the command", &why);
    if (!request->root) {
        return error_set(err, BR_INVALID_ACTION, "Invalid JSON: %s", why.message);
    }
    if (!json_is_object(request->root)) {
        return error_set(err, BR_INVALID_ACTION, "Invalid command: it must be a JSON object");
    }
    request->id = json_incref(json_object_get(request->root, "id"));
    return read_command(request, err);
}

void brop_request_finish(struct brop_request *request)
{
    json_decref(request->id);
    json_decref(request->params);
    json_decref(request->root);
    *request = (struct brop_request){ 0 };
}

json_t *brop_result(json_t *id, json_t *result)
{
    return json_pack("{s:s, s:O*, s:b, s:o}", "type", "response", "id", id, "success", 1, "result",
                     result);
}

json_t *brop_failure(json_t *id, const struct br_error *why)
{
    CLEANUP_FREE char *text =
        *why->hint ? xasprintf("%s (%s)", why->message, why->hint) : xstrdup(why->message);
    return json_pack("{s:s, s:O*, s:b, s:o, s:s}", "type", "response", "id", id, "success", 0,
                     "error", json_text(text), "errorCode", br_code_name(why->code));
}

bool brop_read_tab_id(const json_t *value, int32_t *ret_id)
{
    double number = json_number_value(value);
    *ret_id = 0;
    if (!value || json_is_null(value)) {
        return true;
    }
    if (json_is_string(value)) {
        const char *digits = json_string_value(value);
        size_t length = strlen(digits);
        if (length == 0 || length > 10 || strspn(digits, "0123456789") != length) {
            return false;
        }
        number = strtod(digits, NULL);
    } else if (!json_is_number(value)) {
        return false;
    }
    if (!(number >= 1 && number <= INT32_MAX) || number != floor(number)) {
        return false;
    }
    *ret_id = (int32_t)number;
    return true;
}
