#include "runner/formats/message.h"

#include "runner/base/json.h"
#include "runner/formats/response_json.h"

#include <string.h>

bool message_is_output(const json_t *value)
{
    const char *type = json_member_string(value, "type");
    return type && strcmp(type, "function_call_output") == 0;
}

bool message_is(const json_t *value)
{
    return !json_object_get(value, "kind") &&
           (json_member_string(value, "role") || json_object_get(value, "parts") ||
            message_is_output(value));
}

static const char *container_of(const json_t *message)
{
    return message_is_output(message)          ? "output"
           : json_object_get(message, "parts") ? "parts"
                                               : "content";
}

bool message_check(const json_t *message, struct br_error *err)
{
    size_t index;
    json_t *block;
    const char *key = container_of(message);
    json_t *content = json_object_get(message, key);
    if (!content && !json_object_get(message, "tool_calls") &&
        !json_object_get(message, "function_call")) {
        return error_set(err, BR_INVALID_ACTION, "the message has no content");
    }
    if (strcmp(key, "parts") == 0 && !json_is_array(content)) {
        return error_set(err, BR_INVALID_ACTION, "parts: an array is due");
    }
    if (content && !json_is_null(content) && !json_is_string(content) && !json_is_array(content)) {
        return error_set(err, BR_INVALID_ACTION, "%s: a text or an array is due", key);
    }
    json_array_foreach (content, index, block) {
        if (!json_is_object(block)) {
            return error_set(err, BR_INVALID_ACTION, "%s[%zu]: an object is due", key, index);
        }
    }
    return true;
}

/* Gemini accepts both spellings. */
static json_t *either(const json_t *object, const char *key, const char *other)
{
    json_t *value = json_object_get(object, key);
    return value ? value : json_object_get(object, other);
}

static bool has_type(const json_t *block, const char *const *types)
{
    const char *type = json_member_string(block, "type");
    for (; type && *types; types++) {
        if (strcmp(type, *types) == 0) {
            return true;
        }
    }
    return false;
}

bool message_is_picture(const json_t *block)
{
    static const char *const types[] = { "image", "image_url", "input_image", NULL };
    const json_t *data = either(block, "inlineData", "inline_data");
    const json_t *file = either(block, "fileData", "file_data");
    const json_t *media_type = either(data ? data : file, "mimeType", "mime_type");
    return has_type(block, types) ||
           (json_is_string(media_type) &&
            strncmp(json_string_value(media_type), "image/", strlen("image/")) == 0);
}

json_t *message_placeholder(const json_t *picture, const json_t *capture)
{
    const char *type = json_member_string(picture, "type");
    json_t *cache_control = json_object_get(picture, "cache_control");
    json_t *block = picture_placeholder(capture);
    if (!type) {
        json_object_del(block, "type");
    } else if (strcmp(type, "input_image") == 0) {
        json_object_set_new(block, "type", json_string("input_text"));
    }
    if (cache_control) {
        json_object_set(block, "cache_control", cache_control);
    }
    return block;
}

/*
 * Returns what `captures` says of the picture at this place after the response's text. Pictures
 * whose placeholder is in the response itself are not among them.
 */
static json_t *capture_at(const json_t *response, size_t place)
{
    const char *key;
    json_t *capture;
    const json_t *screenshots = json_object_get(response, "screenshots");
    json_object_foreach (json_object_get(response, "captures"), key, capture) {
        const json_t *stays = json_object_get(screenshots, key);
        size_t count = json_is_array(capture) ? json_array_size(capture) : 1;
        size_t gone = json_is_array(stays) ? json_array_size(stays) : stays != NULL;
        size_t left = gone < count ? count - gone : 0;
        if (place < left) {
            return json_is_array(capture) ? json_array_get(capture, gone + place) : capture;
        }
        place -= left;
    }
    return NULL;
}

/* Returns the response whose JSON the member's text is; NULL for any other text. */
static json_t *take_text(struct message_parts *parts, json_t *holder, const char *key)
{
    struct br_error ignored;
    const json_t *text = json_object_get(holder, key);
    const char *bytes = json_string_value(text);
    if (!bytes || *bytes != '{') {
        return NULL;
    }
    json_auto_t *response = json_parse(bytes, json_string_length(text), key, &ignored);
    const char *kind = json_member_string(response, "kind");
    if (!kind || strcmp(kind, "response") != 0) {
        return NULL;
    }
    parts->texts = array_reserve(parts->texts, parts->text_count, &parts->text_capacity,
                                 sizeof(*parts->texts));
    parts->texts[parts->text_count++] = (struct message_text){
        .holder = holder,
        .key = key,
        .response = json_incref(response),
        .before = json_deep_copy(response),
    };
    return response;
}

/* Returns the response that answers a call of Gemini's; its pictures follow it. */
static json_t *take_answer(struct message_parts *parts, json_t *answer)
{
    json_t *response = take_text(parts, answer, "output");
    return response ? response : take_text(parts, answer, "error");
}

static bool is_placeholder(const json_t *block)
{
    const char *text = json_member_string(block, "text");
    return text && strncmp(text, PICTURE_PLACEHOLDER_BEGIN, strlen(PICTURE_PLACEHOLDER_BEGIN)) == 0;
}

/* Recursion is limited by the depth that the JSON reader allows. */
static void take_content(struct message_parts *parts, json_t *holder, const char *key)
{
    size_t index;
    json_t *block;
    json_t *response = NULL;
    size_t place = 0;
    json_t *content = json_object_get(holder, key);
    if (json_is_string(content)) {
        take_text(parts, holder, key);
        return;
    }
    json_array_foreach (content, index, block) {
        json_t *other = NULL;
        if (message_is_picture(block) || (response && is_placeholder(block))) {
            struct picture_slot slot = {
                .block = block,
                .capture = capture_at(response, place++),
                .response = response,
                .holder = content,
                .index = index,
            };
            picture_slots_add(&parts->slots, &slot);
        } else if ((other = take_text(parts, block, "text"))) {
            response = other;
            place = 0;
        } else if ((other = json_object_get(block, "functionResponse"))) {
            take_content(parts, other, "parts");
            response = take_answer(parts, json_object_get(other, "response"));
            place = 0;
        } else {
            take_content(parts, block, "content");
        }
    }
}

struct message_parts message_parts_list(json_t *message)
{
    struct message_parts parts = { 0 };
    take_content(&parts, message, container_of(message));
    return parts;
}

void message_parts_finish(struct message_parts *parts)
{
    for (size_t i = 0; i < parts->text_count; i++) {
        json_decref(parts->texts[i].response);
        json_decref(parts->texts[i].before);
    }
    free(parts->texts);
    picture_slots_finish(&parts->slots);
}

void message_parts_write(const struct message_parts *parts)
{
    for (size_t i = 0; i < parts->text_count; i++) {
        const struct message_text *text = &parts->texts[i];
        if (json_equal(text->response, text->before)) {
            continue;
        }
        size_t length = 0;
        CLEANUP_FREE char *line = json_line(text->response, &length);
        json_object_set_new(text->holder, text->key, json_stringn_nocheck(line, length));
    }
}
