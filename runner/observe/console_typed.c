#include "runner/observe/console_typed.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/observe/console_value.h"

#include <stdio.h>
#include <string.h>

static bool is_word(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

static bool is_one_of(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_word(text, words[i])) {
            return true;
        }
    }
    return false;
}

/* The class of an object; NULL for plain objects and arrays, and where the type implies it. */
static json_t *class_of(const json_t *arg)
{
    static const char *const known[] = { "typedarray", "array", "generator", "iterator" };
    const char *name = json_member_string(arg, "className");
    const char *subtype = json_member_string(arg, "subtype");
    bool is_plain = name && (strcmp(name, "Object") == 0 || strcmp(name, "Array") == 0);
    if (is_word(subtype, "proxy")) {
        return json_object_get(arg, "description"); /* "Proxy(Object)" */
    }
    bool is_complete = !subtype || is_one_of(subtype, known, sizeof(known) / sizeof(known[0]));
    return is_complete && !is_plain ? json_object_get(arg, "className") : NULL;
}

static json_t *typed_preview(const json_t *preview, int depth);

/* A property of a preview, whose value is a text. */
static json_t *typed_member(const json_t *property, int depth)
{
    const char *type = json_member_string(property, "type");
    const char *subtype = json_member_string(property, "subtype");
    const json_t *nested = json_object_get(property, "valuePreview");
    bool is_object = type && (strcmp(type, "object") == 0 || strcmp(type, "function") == 0) &&
                     !(subtype && strcmp(subtype, "null") == 0);
    if (nested && depth < CONSOLE_PREVIEW_DEPTH) {
        return typed_preview(nested, depth + 1);
    }
    return json_pack("{s:s, s:O*}", "type",
                     subtype ? subtype
                     : type  ? type
                             : "object",
                     is_object || is_word(type, "symbol") ? "description" : "value",
                     json_object_get(property, "value"));
}

/* A key or a value of a Map or Set. */
static json_t *typed_entry(const json_t *part, int depth)
{
    const char *type = json_member_string(part, "type");
    bool is_object = type && strcmp(type, "object") == 0;
    return is_object && depth < CONSOLE_PREVIEW_DEPTH
               ? typed_preview(part, depth + 1)
               : json_pack("{s:O*, s:O*}", "type", json_object_get(part, "type"), "value",
                           json_object_get(part, "description"));
}

/* Computes the missing members from "Array(2000)" or "Map(3)". */
static void note_left_out(json_t *typed, const json_t *preview)
{
    const char *description = json_member_string(preview, "description");
    const char *size = description ? strrchr(description, '(') : NULL;
    long count = size ? strtol(size + 1, NULL, 10) : 0;
    long present = (long)json_array_size(json_object_get(typed, "value"));
    if (count > present) {
        json_object_set_new(typed, "leftOut", json_integer(count - present));
    } else if (json_member_bool(preview, "overflow", false)) {
        json_object_set_new(typed, "isCut", json_true());
    }
}

static bool is_index(const char *name)
{
    return name && *name && strspn(name, "0123456789") == strlen(name);
}

/* Subtypes that DeepSerializedValue does not know become objects with a class. */
static const char *typed_type(const char *subtype)
{
    static const char *const objects[] = { "proxy", "generator", "iterator" };
    bool is_object = !subtype || is_one_of(subtype, objects, sizeof(objects) / sizeof(objects[0]));
    return is_object ? "object" : subtype;
}

/* The object with the members that the preview has. */
static json_t *typed_preview(const json_t *preview, int depth)
{
    size_t index;
    json_t *item;
    const char *subtype = json_member_string(preview, "subtype");
    bool is_list = console_is_list(subtype);
    json_t *members = json_array();
    json_array_foreach (json_object_get(preview, "entries"), index, item) {
        const json_t *key = json_object_get(item, "key");
        json_t *value = typed_entry(json_object_get(item, "value"), depth);
        json_array_append_new(members,
                              key ? json_pack("[o, o]", typed_entry(key, depth), value) : value);
    }
    bool has_entries = json_object_get(preview, "entries");
    json_array_foreach (has_entries ? NULL : json_object_get(preview, "properties"), index, item) {
        const char *name = json_member_string(item, "name");
        if (is_list && !is_index(name)) {
            continue; /* "byteLength", "callee" */
        }
        json_t *value = typed_member(item, depth);
        json_array_append_new(members,
                              is_list ? value : json_pack("[s, o]", name ? name : "?", value));
    }
    json_t *typed = json_pack("{s:s, s:o}", "type", typed_type(subtype), "value", members);
    note_left_out(typed, preview);
    return typed;
}

static bool has_preview(const json_t *object)
{
    static const char *const subtypes[] = { "promise", "proxy", "generator", "iterator" };
    const char *subtype = json_member_string(object, "subtype");
    return json_object_get(object, "preview") &&
           (console_is_container(object) ||
            is_one_of(subtype, subtypes, sizeof(subtypes) / sizeof(subtypes[0])));
}

/* The form of deep serialisation, from a description such as /a+/gi. NULL: it is another text. */
static json_t *typed_regexp(const char *description)
{
    const char *end = description && *description == '/' ? strrchr(description, '/') : NULL;
    return end && end > description
               ? json_pack("{s:s, s:{s:s%, s:s}}", "type", "regexp", "value", "pattern",
                           description + 1, (size_t)(end - description - 1), "flags", end + 1)
               : NULL;
}

static json_t *typed_value(const json_t *object)
{
    const char *type = json_member_string(object, "type");
    const char *subtype = json_member_string(object, "subtype");
    const char *description = json_member_string(object, "description");
    const char *unserializable = json_member_string(object, "unserializableValue");
    json_t *value = json_object_get(object, "value");
    if (json_is_string(object)) { /* the cutter's mark: further arguments were cut */
        return json_pack("{s:s, s:O}", "type", "string", "value", object);
    }
    if (subtype && strcmp(subtype, "null") == 0) {
        return json_pack("{s:s}", "type", subtype);
    }
    if (unserializable) {
        return json_pack("{s:s, s:s}", "type", type ? type : "number", "value", unserializable);
    }
    if (value) {
        return json_pack("{s:s, s:O}", "type", type ? type : "object", "value", value);
    }
    if (has_preview(object)) {
        json_t *typed = typed_preview(json_object_get(object, "preview"), 0);
        json_object_set(typed, "className", class_of(object));
        return typed;
    }
    json_t *regexp = is_word(subtype, "regexp") ? typed_regexp(description) : NULL;
    if (regexp) {
        return regexp;
    }
    return json_pack("{s:s, s:s*, s:O*}", "type",
                     subtype ? subtype
                     : type  ? type
                             : "object",
                     "description", description, "className", class_of(object));
}

/* Whether serialisation shows less of an argument than the preview that came with the call. */
static bool is_less_detailed(const json_t *value, const json_t *arg)
{
    static const char *const types[] = { "undefined", "promise",    "proxy",         "generator",
                                         "iterator",  "typedarray", "platformobject" };
    static const char *const classes[] = { "Number", "String", "Boolean",
                                           "BigInt", "Symbol", "Arguments" };
    const char *type = json_member_string(value, "type");
    const char *name = json_member_string(arg, "className");
    return !type || is_one_of(type, types, sizeof(types) / sizeof(types[0])) ||
           is_one_of(name, classes, sizeof(classes) / sizeof(classes[0])) ||
           /* serialised as {} */
           is_word(json_member_string(arg, "subtype"), "dataview");
}

/* The members that deep serialisation lacks: the argument's class, and an error's stack. */
static json_t *with_description(const json_t *arg, const json_t *value)
{
    static const char *const described[] = { "error", "function", "symbol", "node", "arraybuffer" };
    bool is_described = is_one_of(json_member_string(value, "type"), described,
                                  sizeof(described) / sizeof(described[0]));
    return json_pack("{s:O*, s:O*}", "className", class_of(arg), "description",
                     is_described ? json_object_get(arg, "description") : NULL);
}

/*
 * Chrome serialises an error inside another value without its stack, and calls getters. values.js
 * therefore replaces both by marked texts; this turns them back into typed values.
 */
static void restore_marked(json_t *value)
{
    static const char *const types[] = { "error", "accessor" };
    const char *text = json_member_string(value, "value");
    size_t index;
    json_t *item;
    for (size_t i = 0; text && *text == '\001' && i < sizeof(types) / sizeof(types[0]); i++) {
        size_t length = strlen(types[i]);
        if (strncmp(text + 1, types[i], length) == 0 && text[1 + length] == ' ') {
            json_object_set_new(value, "description", json_text(text + 1 + length + 1));
            json_object_set_new(value, "type", json_string(types[i]));
            json_object_del(value, "value");
            return;
        }
    }
    json_t *inner = json_is_array(value) ? value : json_object_get(value, "value");
    json_array_foreach (inner, index, item) {
        restore_marked(item);
    }
}

/* Objects that were met, by their references. */
struct references {
    json_t *all; /* contents of the objects that any argument has written out */
    json_t *own; /* objects that this argument has written out */
    size_t room; /* how many values may still be repeated */
};

static void separate(json_t *value, struct references *references)
{
    char name[32];
    size_t index;
    json_t *item;
    json_t *reference = json_object_get(value, "weakLocalObjectReference");
    json_t *content = json_object_get(value, "value");
    references->room -= references->room > 0;
    if (reference) {
        snprintf(name, sizeof(name), "%lld", (long long)json_integer_value(reference));
        json_t *before = json_object_get(references->all, name);
        if (!content && before && references->room > 0 && !json_object_get(references->own, name)) {
            content = json_deep_copy(before);
            json_object_set_new(value, "value", content);
        } else if (content) {
            json_object_set(references->all, name, content);
        }
        json_object_set_new(references->own, name, json_true());
    }
    json_t *inner = json_is_array(value) ? value : content;
    json_array_foreach (inner, index, item) {
        separate(item, references);
    }
}

void console_values_separate(json_t *values)
{
    enum { MAX_WRITTEN_AGAIN = 20000 };
    size_t index;
    json_t *value;
    struct references references = { .all = json_object(), .room = MAX_WRITTEN_AGAIN };
    json_array_foreach (values, index, value) {
        references.own = json_object();
        separate(value, &references);
        json_decref(references.own);
    }
    json_decref(references.all);
}

json_t *console_typed_values(const json_t *args, const json_t *values, size_t first)
{
    size_t index;
    json_t *arg;
    json_t *typed = json_array();
    const json_t *left_out = json_array_get(values, json_array_size(values) - 1);
    json_array_foreach (args, index, arg) {
        json_t *value = json_array_get(values, first + index);
        if (is_less_detailed(value, arg)) {
            json_array_append_new(typed, typed_value(arg));
        } else {
            json_t *described = with_description(arg, value);
            json_object_update(described, value);
            const json_t *left = json_array_get(json_object_get(left_out, "value"), first + index);
            double count = json_member_number(left, "value", 0);
            if (count > 0) {
                json_object_set_new(described, "leftOut", json_integer((json_int_t)count));
            }
            restore_marked(json_object_get(described, "value"));
            json_array_append_new(typed, described);
        }
    }
    return typed;
}

static bool has_long_text(const json_t *preview)
{
    size_t index;
    json_t *property;
    json_array_foreach (json_object_get(preview, "properties"), index, property) {
        const char *text = json_member_string(property, "value");
        if (text && strlen(text) > CONSOLE_PREVIEW_TEXT) {
            return true;
        }
    }
    return false;
}

bool console_wants_values(const json_t *args)
{
    static const char *const known[] = { "error",   "regexp",  "arraybuffer",
                                         "promise", "weakmap", "weakset" };
    size_t index;
    json_t *arg;
    json_array_foreach (args, index, arg) {
        const char *subtype = json_member_string(arg, "subtype");
        bool is_object = is_word(json_member_string(arg, "type"), "object");
        bool is_complete = is_one_of(subtype, known, sizeof(known) / sizeof(known[0])) ||
                           (console_is_container(arg) && !console_is_shallow(arg) &&
                            !has_long_text(json_object_get(arg, "preview")));
        if (is_object && json_member_string(arg, "objectId") && !is_complete) {
            return true;
        }
    }
    return false;
}

/* Whether an error has a cause, errors, or what a program has put into it. */
static bool holds_more(const json_t *preview)
{
    size_t index;
    json_t *property;
    json_array_foreach (json_object_get(preview, "properties"), index, property) {
        const char *name = json_member_string(property, "name");
        if (!is_word(name, "stack") && !is_word(name, "message") && !is_word(name, "name")) {
            return true;
        }
    }
    return false;
}

bool console_is_shallow(const json_t *object)
{
    size_t index;
    json_t *property;
    const json_t *preview = json_object_get(object, "preview");
    if (console_is_error(object)) {
        return json_member_string(object, "objectId") && holds_more(preview);
    }
    if (!console_is_container(object) || !json_member_string(object, "objectId")) {
        return false;
    }
    /* Calls made before Runtime.enable come without previews. */
    if (!preview || json_member_bool(preview, "overflow", false) ||
        json_object_get(preview, "entries")) {
        return true;
    }
    bool is_list = console_is_list(json_member_string(object, "subtype"));
    json_array_foreach (json_object_get(preview, "properties"), index, property) {
        const char *type = json_member_string(property, "type");
        if (is_list && !is_index(json_member_string(property, "name"))) {
            continue;
        }
        if (type && (strcmp(type, "object") == 0 || strcmp(type, "accessor") == 0)) {
            return true;
        }
    }
    return false;
}
