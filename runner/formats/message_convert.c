#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/formats/message.h"

#include <string.h>

/* A block of any format: a text, or a picture by its base64 or its address. All borrowed. */
struct content {
    const json_t *text;
    const char *media_type, *data, *url;
    size_t media_type_length;
};

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++) {
        if (strcmp(name, *names) == 0) {
            return true;
        }
    }
    return false;
}

static void read_url(struct content *content, const char *url)
{
    const char *mark = strstr(url, ";base64,");
    if (strncmp(url, "data:", 5) != 0 || !mark) {
        content->url = url;
        return;
    }
    content->media_type = url + 5;
    content->media_type_length = (size_t)(mark - content->media_type);
    content->data = mark + strlen(";base64,");
}

static void read_data(struct content *content, const char *media_type, const char *data)
{
    content->media_type = media_type;
    content->media_type_length = strlen(media_type);
    content->data = data;
}

/* Returns false for anything but a text or an independent picture. */
static bool read_block(const json_t *block, struct content *content)
{
    static const char *const texts[] = { "text", "input_text", "output_text", NULL };
    const char *type = json_member_string(block, "type");
    *content = (struct content){ 0 };
    if (!type) {
        const json_t *data = json_object_get(block, "inlineData");
        data = data ? data : json_object_get(block, "inline_data");
        const char *media_type = json_member_string(data, "mimeType");
        media_type = media_type ? media_type : json_member_string(data, "mime_type");
        const char *base64 = json_member_string(data, "data");
        if (media_type && base64 && message_is_picture(block)) {
            read_data(content, media_type, base64);
        } else if (!json_is_true(json_object_get(block, "thought"))) {
            content->text = json_object_get(block, "text");
        }
    } else if (is_one_of(type, texts)) {
        content->text = json_object_get(block, "text");
    } else if (message_is_picture(block)) {
        const json_t *source = json_object_get(block, "source");
        const json_t *image = json_object_get(block, "image_url");
        const char *media_type = json_member_string(source, "media_type");
        const char *base64 = json_member_string(source, "data");
        const char *url = json_is_string(image) ? json_string_value(image)
                                                : json_member_string(image ? image : source, "url");
        if (media_type && base64) {
            read_data(content, media_type, base64);
        } else if (url) {
            read_url(content, url);
        }
    }
    return json_is_string(content->text) || content->data || content->url;
}

static bool check_data(const struct content *content, struct br_error *err)
{
    struct br_error why;
    size_t size = 0;
    CLEANUP_FREE unsigned char *bytes = NULL;
    if (!content->data) {
        return true;
    }
    if (strncmp(content->media_type, "image/", strlen("image/")) != 0) {
        return error_set(err, BR_INVALID_ACTION, "%.*s is not a picture",
                         (int)(content->media_type_length > 60 ? 60 : content->media_type_length),
                         content->media_type);
    }
    if (*content->data == '\0') {
        return error_set(err, BR_INVALID_ACTION, "the picture has no data");
    }
    return base64_decode(content->data, strlen(content->data), &bytes, &size, &why) ||
           error_set(err, BR_INVALID_ACTION, "%s", why.message);
}

/* Returns NULL if Gemini would have to fetch the picture. */
static json_t *write_block(const struct content *content, enum message_form form)
{
    json_t *text = (json_t *)content->text;
    if (text) {
        return form == MESSAGE_GEMINI ? json_pack("{s:O}", "text", text)
                                      : json_pack("{s:s, s:O}", "type", "text", "text", text);
    }
    if (form == MESSAGE_ANTHROPIC && content->url) {
        return json_pack("{s:s, s:{s:s, s:s}}", "type", "image", "source", "type", "url", "url",
                         content->url);
    }
    if (form == MESSAGE_ANTHROPIC) {
        return json_pack("{s:s, s:{s:s, s:s%, s:s}}", "type", "image", "source", "type", "base64",
                         "media_type", content->media_type, content->media_type_length, "data",
                         content->data);
    }
    if (form == MESSAGE_GEMINI) {
        return content->url
                   ? NULL
                   : json_pack("{s:{s:s%, s:s}}", "inlineData", "mimeType", content->media_type,
                               content->media_type_length, "data", content->data);
    }
    CLEANUP_FREE char *url = content->url
                                 ? xstrdup(content->url)
                                 : xasprintf("data:%.*s;base64,%s", (int)content->media_type_length,
                                             content->media_type, content->data);
    return json_pack("{s:s, s:{s:s}}", "type", "image_url", "image_url", "url", url);
}

/*
 * Whether the block is valid in this format. Anthropic has the most types; unknown ones count as
 * Anthropic's.
 */
static bool is_of_form(const json_t *block, enum message_form form)
{
    static const char *const chat[] = { "image_url", "input_audio", "file", "refusal", NULL };
    static const char *const responses[] = { "input_text", "output_text", "input_image",
                                             "input_file", "reasoning",   NULL };
    const char *type = json_member_string(block, "type");
    if (!type || form == MESSAGE_GEMINI) {
        return !type && form == MESSAGE_GEMINI;
    }
    if (form == MESSAGE_ANTHROPIC) {
        return !is_one_of(type, chat) && !is_one_of(type, responses);
    }
    /* Elsewhere a text may have more members, which OpenAI refuses. */
    return is_one_of(type, chat) || (strcmp(type, "text") == 0 && json_object_size(block) == 2);
}

static void no_form(struct br_error *err, const char *provider, const char *what, const char *name)
{
    error_set(err, BR_INVALID_ACTION, "%s%.60s has no form for %s", what, name, provider);
    error_hint(err, "only texts and pictures of users and assistants can be converted; remove the "
                    "rest, or choose the --provider whose message it is");
}

static json_t *convert_block(json_t *block, enum message_form form, const char *provider,
                             struct br_error *err)
{
    struct content content;
    if (is_of_form(block, form)) {
        return json_incref(block);
    }
    if (!read_block(block, &content)) {
        const char *type = json_member_string(block, "type");
        const char *member = json_object_iter_key(json_object_iter(block));
        if (json_object_get(block, "thought")) {
            member = "thought";
        }
        no_form(err, provider, type ? "a block of type " : "a part with ",
                type     ? type
                : member ? member
                         : "nothing");
        return NULL;
    }
    if (!check_data(&content, err)) {
        return NULL;
    }
    json_t *converted = write_block(&content, form);
    if (!converted) {
        no_form(err, provider, "a picture by its address", "");
    }
    return converted;
}

static json_t *convert_blocks(const json_t *blocks, const char *key, enum message_form form,
                              const char *provider, struct br_error *err)
{
    size_t index;
    json_t *block;
    json_auto_t *converted = json_array();
    json_array_foreach (blocks, index, block) {
        json_t *made = convert_block(block, form, provider, err);
        if (!made) {
            error_context(err, "%s[%zu]", key, index);
            return NULL;
        }
        json_array_append_new(converted, made);
    }
    return json_incref(converted);
}

/* Joins the texts into one. All blocks are already OpenAI's. */
static json_t *joined(const json_t *blocks, const char *key, const char *provider,
                      struct br_error *err)
{
    size_t index;
    json_t *block;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    json_array_foreach (blocks, index, block) {
        const json_t *piece = json_object_get(block, "text");
        if (!piece) {
            no_form(err, provider, "a block of type ", json_member_string(block, "type"));
            error_context(err, "%s[%zu]", key, index);
            return NULL;
        }
        strbuf_add_string(&text, index > 0 ? "\n\n" : "");
        strbuf_add(&text, json_string_value(piece), json_string_length(piece));
    }
    return json_stringn_nocheck(text.data, text.length);
}

/* Returns the role's name in the format; NULL if it has none. */
static const char *role_in(const char *role, enum message_form form)
{
    static const char *const chat[] = { "system", "developer", "tool", "function", NULL };
    role = role ? role : "user";
    if (strcmp(role, "user") == 0) {
        return role;
    }
    if (strcmp(role, "assistant") == 0 || strcmp(role, "model") == 0) {
        return form == MESSAGE_GEMINI ? "model" : "assistant";
    }
    if (form == MESSAGE_OPENAI_TEXT && strcmp(role, "developer") == 0) {
        return "system";
    }
    return (form == MESSAGE_OPENAI || form == MESSAGE_OPENAI_TEXT) && is_one_of(role, chat) ? role
                                                                                            : NULL;
}

/* Moves tool calls and their names, which only OpenAI's two formats have in common. */
static bool take_calls(const json_t *message, json_t *converted, enum message_form form,
                       const char *provider, struct br_error *err)
{
    static const char *const keys[] = { "tool_calls", "function_call", "tool_call_id", "name" };
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        json_t *value = json_object_get(message, keys[i]);
        if (!value || json_is_null(value)) {
            continue;
        }
        if (form == MESSAGE_OPENAI || form == MESSAGE_OPENAI_TEXT) {
            json_object_set(converted, keys[i], value);
        } else if (strcmp(keys[i], "name") != 0 &&
                   !(json_is_array(value) && json_array_size(value) == 0)) {
            no_form(err, provider, "", keys[i]);
            return false;
        }
    }
    return true;
}

/*
 * Returns the content; if there is none, the refusal of OpenAI's models. NULL if there is neither.
 */
static json_t *content_of(const json_t *message, const char *key)
{
    json_t *content = json_object_get(message, key);
    json_t *refusal = json_object_get(message, "refusal");
    return (!content || json_is_null(content)) && json_is_string(refusal) ? refusal : content;
}

static bool has_form(const json_t *message, enum message_form form)
{
    size_t index;
    json_t *block;
    const char *role = json_member_string(message, "role");
    const json_t *parts = json_object_get(message, "parts");
    const json_t *content = parts ? parts : json_object_get(message, "content");
    if ((form == MESSAGE_GEMINI) != (parts != NULL) ||
        (form == MESSAGE_OPENAI_TEXT && json_is_array(content))) {
        return false;
    }
    if (!(parts && role && strcmp(role, "function") == 0)) {
        const char *same = role_in(role, form);
        if (!same || (role && strcmp(same, role) != 0)) {
            return false;
        }
    }
    json_array_foreach (content, index, block) {
        if (!is_of_form(block, form)) {
            return false;
        }
    }
    /* Calls must be refused in a message of Anthropic's format, not passed on. */
    return form != MESSAGE_ANTHROPIC ||
           (!json_object_get(message, "tool_calls") && !json_object_get(message, "function_call") &&
            content && !json_is_null(content));
}

json_t *message_convert(json_t *message, enum message_form form, const char *provider,
                        struct br_error *err)
{
    bool is_output = message_is_output(message);
    if (is_output ? form == MESSAGE_OPENAI : has_form(message, form)) {
        return json_incref(message);
    }
    if (is_output) {
        no_form(err, provider, "", "function_call_output");
        return NULL;
    }
    const char *own_role = json_member_string(message, "role");
    const char *role = role_in(own_role, form);
    if (!role) {
        no_form(err, provider, "the role ", own_role);
        return NULL;
    }
    const char *key = json_object_get(message, "parts") ? "parts" : "content";
    json_t *content = content_of(message, key);
    json_auto_t *converted = json_pack("{s:s, s:n}", "role", role, "content");
    if (!take_calls(message, converted, form, provider, err)) {
        return NULL;
    }
    json_auto_t *as_array =
        json_is_string(content) ? json_pack("[{s:s, s:O}]", "type", "text", "text", content) : NULL;
    json_auto_t *blocks = convert_blocks(as_array ? as_array : content, key, form, provider, err);
    if (!blocks) {
        return NULL;
    }
    bool has_calls =
        json_object_get(converted, "tool_calls") || json_object_get(converted, "function_call");
    if (json_array_size(blocks) == 0 && !has_calls) {
        no_form(err, provider, "a message without content", "");
        return NULL;
    }
    if (form == MESSAGE_GEMINI) {
        json_object_del(converted, "content");
        json_object_set(converted, "parts", blocks);
    } else if (form != MESSAGE_OPENAI_TEXT) {
        json_object_set(converted, "content", as_array ? content : blocks);
    } else if (json_is_array(content)) {
        json_t *text = joined(blocks, key, provider, err);
        if (!text) {
            return NULL;
        }
        json_object_set_new(converted, "content", text);
    } else if (content) {
        json_object_set(converted, "content", content);
    }
    return json_incref(converted);
}
