#include "runner/console/write.h"

#include "runner/base/json.h"
#include "runner/base/unicode.h"
#include "runner/formats/terminal_log.h"

#include <string.h>

static void set_text(json_t *object, const char *name, const char *text)
{
    if (text) {
        json_object_set_new(object, name, json_text(text));
    }
}

static json_t *members_json(const struct console_value *value)
{
    bool is_object =
        value->kind == KIND_OBJECT || value->kind == KIND_DOM || value->kind == KIND_PROMISE;
    json_t *all = is_object ? json_object() : json_array();
    for (size_t i = 0; i < value->count; i++) {
        const struct console_member *member = &value->members[i];
        json_t *content = console_value_json(&member->value);
        if (is_object) {
            json_object_set_new(all, member->key ? member->key : "", content);
        } else if (member->key_value) {
            json_array_append_new(
                all, json_pack("[o, o]", console_value_json(member->key_value), content));
        } else {
            json_array_append_new(all, content);
        }
    }
    return all;
}

static bool has_members(const struct console_value *value)
{
    return value->count > 0 ||
           (!value->text && (value->kind == KIND_OBJECT || value->kind == KIND_ARRAY));
}

/* A JSON number; a string for NaN, infinities, -0 and other texts. */
static json_t *number_json(const char *text)
{
    struct br_error unused = { 0 };
    json_t *number = json_parse(text, strlen(text), "a number", &unused);
    if (!json_is_number(number) || strcmp(text, "-0") == 0) {
        json_decref(number);
        return json_text(text);
    }
    return number;
}

json_t *console_value_json(const struct console_value *value)
{
    if (value->kind == KIND_JSON) {
        return json_incref(value->json);
    }
    json_t *argument = json_pack("{s:s}", "type", console_kind_name(value->kind));
    if (has_members(value)) {
        json_object_set_new(argument, "value", members_json(value));
    } else if (value->kind == KIND_NULL) {
        json_object_set_new(argument, "value", json_null());
    } else if (value->kind == KIND_BOOLEAN && value->text) {
        json_object_set_new(argument, "value", json_boolean(strcmp(value->text, "true") == 0));
    } else if (value->kind == KIND_NUMBER && value->text) {
        json_object_set_new(argument, "value", number_json(value->text));
    } else {
        set_text(argument, "value", value->text);
    }
    if (value->left_out == CONSOLE_LEFT_UNKNOWN) {
        json_object_set_new(argument, "isCut", json_true());
    } else if (value->left_out > 0) {
        json_object_set_new(argument, "leftOut", json_integer((json_int_t)value->left_out));
    }
    set_text(argument, value->kind == KIND_DOM ? "tagName" : "name", value->name);
    set_text(argument, "className", value->class_name);
    set_text(argument, "stack", value->stack);
    return argument;
}

static void set_location(json_t *payload, const char *name, const struct console_location *place)
{
    if (!place->url) {
        return;
    }
    json_t *location = json_pack("{s:o}", "url", json_text(place->url));
    if (place->line > 0) {
        json_object_set_new(location, "line", json_integer(place->line));
    }
    if (place->column > 0) {
        json_object_set_new(location, "column", json_integer(place->column));
    }
    json_object_set_new(payload, name, location);
}

json_t *console_payload_json(const struct console_event *event)
{
    json_t *args = json_array();
    for (size_t i = 0; i < event->count; i++) {
        json_array_append_new(args, console_value_json(&event->args[i]));
    }
    json_t *payload =
        json_pack("{s:s, s:o}", "method", console_method_name(event->method), "args", args);
    set_location(payload, "location", &event->location);
    set_location(payload, "generatedLocation", &event->generated);
    set_text(payload, "stack", event->stack);
    set_text(payload, "result", event->result);
    return payload;
}

/* Writes a numeric tab id as a number, as extensions do. */
json_t *console_source_json(const struct console_event *event)
{
    json_t *source = json_object();
    const char *tab = event->source.tab;
    if (*tab) {
        json_object_set_new(source, "tabId", number_json(tab));
    }
    set_text(source, "url", event->source.url);
    set_text(source, "title", event->source.title);
    return source;
}

void console_add_json_line(struct strbuf *text, const json_t *json)
{
    CLEANUP_FREE char *line = json_dumps(json, JSON_COMPACT);
    const char *at = line ? line : "";
    const char *plain = at;
    while (*at) {
        const char *from = at;
        uint32_t character = unicode_decode(&at);
        /* Control characters occur in strings only, where an escape means the same. */
        if (unicode_is_control(character)) {
            strbuf_add(text, plain, (size_t)(from - plain));
            strbuf_add_format(text, "\\u%04x", (unsigned)character);
            plain = at;
        }
    }
    strbuf_add(text, plain, (size_t)(at - plain));
    strbuf_add_string(text, "\n");
}
