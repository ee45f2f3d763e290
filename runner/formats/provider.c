#include "runner/formats/provider.h"

#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/memory.h"
#include "runner/base/names.h"
#include "runner/formats/message.h"
#include "runner/formats/response_json.h"

#include <browser_runner/image.h>
#include <math.h>
#include <string.h>

struct provider {
    const char *name;
    bool takes_images;
    bool takes_responses; /* responses are passed on unchanged */
    enum message_form form;
    size_t max_data; /* of a picture in base64; larger ones are refused. 0: unknown */
};

enum { MEGABYTE = 1024 * 1024 };

/*
 * The first one is the program's own output. Limits of OpenAI and Gemini are those of a whole
 * request.
 */
static const struct provider table[] = {
    { "anthropic", true, false, MESSAGE_ANTHROPIC, 5 * MEGABYTE },
    { "anthropic-text", false, false, MESSAGE_ANTHROPIC, 0 },
    { "openai", true, false, MESSAGE_OPENAI, 50 * MEGABYTE },
    { "openai-text", false, false, MESSAGE_OPENAI, 0 },
    { "gemini", true, false, MESSAGE_GEMINI, 20 * MEGABYTE },
    { "deepseek", false, false, MESSAGE_OPENAI_TEXT, 0 },
    { "none", true, true, MESSAGE_ANTHROPIC, 0 },
};
enum { PROVIDER_COUNT = sizeof(table) / sizeof(table[0]) };

static const struct provider *find(const char *name, struct br_error *err)
{
    const char *names[PROVIDER_COUNT];
    for (size_t i = 0; i < PROVIDER_COUNT; i++) {
        names[i] = table[i].name;
        if (strcmp(name, names[i]) == 0) {
            return &table[i];
        }
    }
    error_set(err, BR_INVALID_ACTION, "\"%s\" is not a known provider", name);
    names_hint(name, names, PROVIDER_COUNT, err);
    return NULL;
}

/* Returns a new block with only the known fields: providers refuse others, and invalid pictures. */
static json_t *checked_image(json_t *block, const char *key, struct br_error *err)
{
    struct br_error why;
    const char *type = NULL;
    const char *media_type = NULL;
    const char *data = NULL;
    size_t length = 0;
    size_t size = 0;
    if (!json_read(block, "image block", err, "{s:{s:s, s:s, s:s%}}", "source", "type", &type,
                   "media_type", &media_type, "data", &data, &length)) {
        err->code = BR_INVALID_ACTION;
        error_context(err, "screenshots.%s", key);
        return NULL;
    }
    if (strcmp(type, "base64") != 0 || strncmp(media_type, "image/", 6) != 0) {
        error_set(err, BR_INVALID_ACTION, "screenshots.%s: %s of %s is not a picture in base64",
                  key, type, media_type);
        return NULL;
    }
    if (length == 0) {
        error_set(err, BR_INVALID_ACTION, "screenshots.%s has no data", key);
        error_hint(err, "its chunks have to be joined first");
        return NULL;
    }
    CLEANUP_FREE unsigned char *bytes = NULL;
    if (!base64_decode(data, length, &bytes, &size, &why)) {
        error_set(err, BR_INVALID_ACTION, "screenshots.%s: %s", key, why.message);
        return NULL;
    }
    return json_pack("{s:s, s:{s:s, s:s, s:s%}}", "type", "image", "source", "type", "base64",
                     "media_type", media_type, "data", data, length);
}

/* Returns when the newest picture was taken. */
static json_int_t newest_ms(const struct picture_slots *slots)
{
    json_int_t newest = 0;
    for (size_t i = 0; i < slots->count; i++) {
        json_int_t at = json_integer_value(json_object_get(slots->items[i].capture, "capturedAt"));
        newest = at > newest ? at : newest;
    }
    return newest;
}

/*
 * Logs in `rest` that pictures are missing, and why. The entry has the pictures' time instead of
 * the present one, so that the same response always gives the same message, on which provider
 * caches rely.
 */
static void log_left_out(json_t *rest, size_t count, json_int_t at_ms, const char *why)
{
    json_t *old = json_object_get(rest, "logs");
    json_t *logs = json_is_array(old) ? json_copy(old) : json_array();
    CLEANUP_FREE char *message =
        xasprintf("%zu picture%s left out: %s", count, count == 1 ? " was" : "s were", why);
    json_array_append_new(logs, json_pack("{s:s, s:s, s:I, s:s, s:s, s:i}", "type",
                                          log_type_name(BR_LOG_INFO), "message", message,
                                          "timestamp", at_ms, "source", "tool", "category",
                                          "provider", "level", (int)BR_LOG_INFO));
    json_object_set_new(rest, "logs", logs);
}

/* Counts tokens by the provider's own rule, if it receives a picture at all. */
static void recount_tokens(const struct provider *provider, json_t *capture)
{
    int width = 0;
    int height = 0;
    if (!json_object_get(capture, "tokens")) {
        return;
    }
    json_unpack(capture, "{s:i, s:i}", "width", &width, "height", &height);
    int64_t tokens = provider->takes_images ? br_image_tokens(provider->name, width, height) : -1;
    if (tokens < 0) {
        json_object_del(capture, "tokens");
    } else {
        json_object_set_new(capture, "tokens", json_integer(tokens));
    }
}

/*
 * Whether the provider may refuse the picture, and with it every later request of the conversation:
 * by its size in pixels, or in bytes.
 */
static bool is_too_large(const struct provider *provider, const struct picture_slot *slot)
{
    const struct br_token_rule *rule = br_token_rule_find(provider->name);
    double width = json_member_number(slot->capture, "width", 0);
    double height = json_member_number(slot->capture, "height", 0);
    return rule && rule->max_side_of_many > 0 && fmax(width, height) > rule->max_side_of_many;
}

static bool is_too_heavy(const struct provider *provider, const struct picture_slot *slot)
{
    const json_t *data = json_object_get(json_object_get(slot->block, "source"), "data");
    double bytes = json_member_number(slot->capture, "bytes", 0);
    size_t length = bytes > 0 && bytes < INT32_MAX ? base64_encoded_size((size_t)bytes) : 0;
    if (json_is_string(data)) {
        length = json_string_length(data);
    }
    return provider->max_data > 0 && length > provider->max_data;
}

static bool is_out(const struct provider *provider, const struct picture_slot *slot)
{
    return !provider->takes_images || is_too_large(provider, slot) || is_too_heavy(provider, slot);
}

/* Returns why the provider does not receive some of the pictures. Caller frees. */
static char *why_left_out(const struct provider *provider, const struct picture_slots *slots)
{
    const struct br_token_rule *rule = br_token_rule_find(provider->name);
    bool is_by_size = false;
    for (size_t i = 0; i < slots->count; i++) {
        is_by_size |= is_too_large(provider, &slots->items[i]);
    }
    return !provider->takes_images ? xasprintf("%s takes none", provider->name)
           : is_by_size
               ? xasprintf("%s refuses requests of more than %d pictures with one of more than %d "
                           "pixels on a side; lower maxEdge",
                           provider->name, rule->many, rule->max_side_of_many)
               : xasprintf("%s takes pictures of up to %zu MB in base64; set maxBytes",
                           provider->name, provider->max_data / MEGABYTE);
}

/* Logs in `response` which of its pictures the provider did not receive. */
static void log_missing(const struct provider *provider, json_t *response, size_t count,
                        const struct picture_slots *slots)
{
    if (count > 0) {
        CLEANUP_FREE char *why = why_left_out(provider, slots);
        log_left_out(response, count, newest_ms(slots), why);
    }
}

/* Returns what remains of `screenshots` without its pictures; NULL if nothing does. */
static json_t *without_pictures(json_t *screenshots)
{
    size_t index;
    const char *key;
    json_t *value;
    json_t *item;
    json_t *rest = json_object();
    json_object_foreach (screenshots, key, value) {
        if (!json_is_array(value)) {
            if (!picture_is_image(value)) {
                json_object_set(rest, key, value);
            }
            continue;
        }
        json_t *items = json_array();
        json_array_foreach (value, index, item) {
            if (!picture_is_image(item)) {
                json_array_append(items, item);
            }
        }
        if (json_array_size(items) > 0) {
            json_object_set(rest, key, items);
        }
        json_decref(items);
    }
    if (json_object_size(rest) > 0) {
        return rest;
    }
    json_decref(rest);
    return NULL;
}

/* Adds a picture or its placeholder to the blocks; counts omitted pictures. */
static bool add_block(const struct provider *provider, const struct picture_slot *slot,
                      json_t *blocks, size_t *left_out, struct br_error *err)
{
    json_auto_t *image = checked_image(slot->block, slot->name, err);
    if (!image) {
        return false;
    }
    bool is_left_out = is_out(provider, slot);
    *left_out += is_left_out;
    recount_tokens(provider, slot->capture);
    json_array_append_new(blocks,
                          is_left_out ? picture_placeholder(slot->capture) : json_incref(image));
    return true;
}

/*
 * Moves the pictures of `rest`, a copy of the response, to `blocks`. Placeholders for pictures that
 * a history has removed stay.
 */
static bool move_pictures(const struct provider *provider, json_t *rest, json_t *blocks,
                          struct br_error *err)
{
    size_t left_out = 0;
    json_t *captures = json_object_get(rest, "captures");
    if (captures) {
        json_object_set_new(rest, "captures", json_deep_copy(captures));
    }
    CLEANUP_PICTURE_SLOTS struct picture_slots slots = picture_slots_list(rest);
    for (size_t i = 0; i < slots.count; i++) {
        if (picture_is_image(slots.items[i].block) &&
            !add_block(provider, &slots.items[i], blocks, &left_out, err)) {
            return false;
        }
    }
    json_auto_t *kept = without_pictures(json_object_get(rest, "screenshots"));
    if (kept) {
        json_object_set(rest, "screenshots", kept);
    } else {
        json_object_del(rest, "screenshots");
    }
    log_missing(provider, rest, left_out, &slots);
    return true;
}

/*
 * Replaces pictures that the provider does not accept by placeholders, and logs that in the
 * responses.
 */
static void leave_out(const struct provider *provider, struct message_parts *parts)
{
    for (size_t i = 0; i < parts->text_count; i++) {
        size_t count = 0;
        struct picture_slots own = { 0 };
        for (size_t j = 0; j < parts->slots.count; j++) {
            struct picture_slot *slot = &parts->slots.items[j];
            if (slot->response == parts->texts[i].response) {
                picture_slots_add(&own, slot);
                count += message_is_picture(slot->block) && is_out(provider, slot);
            }
        }
        log_missing(provider, parts->texts[i].response, count, &own);
        picture_slots_finish(&own);
    }
    for (size_t i = parts->slots.count; i-- > 0;) {
        struct picture_slot *slot = &parts->slots.items[i];
        if (message_is_picture(slot->block)) {
            recount_tokens(provider, slot->capture);
            if (is_out(provider, slot)) {
                picture_slot_set(slot, message_placeholder(slot->block, slot->capture));
            }
        }
        /* A single text must remain JSON, and its logs already say what is missing. */
        if (provider->form == MESSAGE_OPENAI_TEXT && slot->response) {
            json_array_remove(slot->holder, slot->index);
        }
    }
}

static json_t *translated(const struct provider *provider, json_t *message, struct br_error *err)
{
    if (provider->takes_responses) {
        return json_incref(message);
    }
    json_auto_t *copy = json_deep_copy(message);
    CLEANUP_MESSAGE_PARTS struct message_parts parts = message_parts_list(copy);
    leave_out(provider, &parts);
    message_parts_write(&parts);
    return message_convert(copy, provider->form, provider->name, err);
}

/*
 * Builds the message from a response's JSON without its pictures, and the image blocks or their
 * placeholders.
 */
static json_t *made(const struct provider *provider, const char *text, size_t length,
                    json_t *blocks, struct br_error *err)
{
    json_auto_t *message = json_pack("{s:s, s:[{s:s, s:o}]}", "role", "user", "content", "type",
                                     "text", "text", json_stringn_nocheck(text, length));
    /* A single text must remain JSON, and its logs already say what is missing. */
    if (provider->form != MESSAGE_OPENAI_TEXT) {
        json_array_extend(json_object_get(message, "content"), blocks);
    }
    return message_convert(message, provider->form, provider->name, err);
}

bool provider_check(const char *name, struct br_error *err)
{
    return find(name, err) != NULL;
}

size_t provider_left_out(const char *name, json_t *entry, char **ret_why)
{
    size_t count = 0;
    struct br_error ignored;
    bool is_message = message_is(entry);
    const struct provider *provider = find(name, &ignored);
    if (!provider || provider->takes_responses) {
        return 0;
    }
    CLEANUP_MESSAGE_PARTS struct message_parts parts = { 0 };
    if (is_message) {
        parts = message_parts_list(entry);
    } else {
        parts.slots = picture_slots_list(entry);
    }
    for (size_t i = 0; i < parts.slots.count; i++) {
        const struct picture_slot *slot = &parts.slots.items[i];
        bool is_there =
            is_message ? message_is_picture(slot->block) : picture_is_image(slot->block);
        count += is_there && is_out(provider, slot);
    }
    if (count > 0) {
        free(*ret_why);
        *ret_why = why_left_out(provider, &parts.slots);
    }
    return count;
}

/* The bytes of a PDF are no text for a model: it would pay for them, and could not read them. */
static void leave_out_bytes(json_t *response)
{
    const char *type = json_member_string(response, "type");
    json_t *result = json_object_get(response, "result");
    if (!type || strcmp(type, "pdf") != 0 || !json_object_get(result, "data")) {
        return;
    }
    json_t *shown = json_copy(result);
    json_object_del(shown, "data");
    json_object_set_new(shown, "omitted",
                        json_string("data: the bytes are no text; name a file for them"));
    json_object_set_new(response, "result", shown);
}

json_t *provider_message(const char *name, json_t *response, struct br_error *err)
{
    const struct provider *provider = find(name, err);
    if (!provider) {
        return NULL;
    }
    if (!json_is_object(response)) {
        error_set(err, BR_INVALID_ACTION, "a response must be an object");
        return NULL;
    }
    if (message_is(response)) {
        return translated(provider, response, err);
    }
    json_auto_t *rest = json_copy(response);
    json_auto_t *blocks = json_array();
    if (!move_pictures(provider, rest, blocks, err)) {
        return NULL;
    }
    if (provider->takes_responses) {
        return json_incref(response);
    }
    leave_out_bytes(rest);
    size_t length = 0;
    CLEANUP_FREE char *line = json_line(rest, &length);
    return made(provider, line, length, blocks, err);
}

json_t *provider_answer(const char *name, json_t *response, const struct tool_call *call,
                        struct br_error *err)
{
    json_auto_t *message = provider_message(name, response, err);
    return message ? tool_call_answer(call, find(name, err)->form, message) : NULL;
}

json_t *provider_call_answer(const char *name, json_t *response, struct br_error *err)
{
    const struct provider *provider = find(name, err);
    if (!provider) {
        return NULL;
    }
    if (provider->takes_responses) {
        return json_pack("[O]", response);
    }
    static const enum action_call kinds[] = {
        [MESSAGE_ANTHROPIC] = CALL_ANTHROPIC,
        [MESSAGE_OPENAI] = CALL_CHAT,
        [MESSAGE_OPENAI_TEXT] = CALL_CHAT,
        [MESSAGE_GEMINI] = CALL_GEMINI,
    };
    const char *type = json_member_string(response, "type");
    const struct tool_call call = {
        .kind = kinds[provider->form],
        .id = json_member_string(response, "callId"),
        .name = type ? type : "",
        .has_failed = !json_member_bool(response, "success", true),
    };
    json_auto_t *rest = json_copy(response);
    json_object_del(rest, "callId");
    return provider_answer(name, rest, &call, err);
}

/* Returns the blocks that answer a call, if the message has any; NULL for OpenAI's. */
static json_t *answering_blocks(const json_t *message)
{
    json_t *content = json_object_get(message, "content");
    json_t *parts = json_object_get(message, "parts");
    const char *type = json_member_string(json_array_get(content, 0), "type");
    bool is_anthropic = type && strcmp(type, "tool_result") == 0;
    bool is_gemini = json_object_get(json_array_get(parts, 0), "functionResponse");
    return is_anthropic ? content : is_gemini ? parts : NULL;
}

void provider_join_answers(json_t *answers, const json_t *more)
{
    json_t *first = json_array_get(more, 0);
    json_t *others = answering_blocks(json_array_get(answers, 0));
    json_t *blocks = answering_blocks(first);
    size_t index;
    json_t *message;
    if (others && blocks) {
        json_array_extend(others, blocks);
        return;
    }
    size_t place = 0;
    while (place < json_array_size(answers) &&
           json_object_get(json_array_get(answers, place), "tool_call_id")) {
        place++;
    }
    json_array_foreach (more, index, message) {
        json_array_insert(answers, index == 0 ? place : json_array_size(answers), message);
    }
}
