#include "runner/observe/console_value.h"

#include "runner/base/json.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_MEMBERS = 20 };

static void add_class(struct strbuf *text, const char *name)
{
    if (name && *name && strcmp(name, "Object") != 0 && strncmp(name, "Array(", 6) != 0) {
        strbuf_add_format(text, "%s ", name);
    }
}

static void add_preview(struct strbuf *text, const json_t *preview, int depth);

bool console_is_list(const char *subtype)
{
    return subtype && (strcmp(subtype, "array") == 0 || strcmp(subtype, "typedarray") == 0);
}

bool console_is_container(const json_t *object)
{
    const char *type = json_member_string(object, "type");
    const char *subtype = json_member_string(object, "subtype");
    return type && strcmp(type, "object") == 0 &&
           (!subtype || console_is_list(subtype) || strcmp(subtype, "map") == 0 ||
            strcmp(subtype, "set") == 0);
}

/* Adds a key or a value of a Map or Set, each of which has a preview of its own. */
static void add_entry_part(struct strbuf *text, const json_t *part, int depth)
{
    const char *description = json_member_string(part, "description");
    bool is_object = json_array_size(json_object_get(part, "properties")) > 0;
    if (is_object && depth < CONSOLE_PREVIEW_DEPTH) {
        add_preview(text, part, depth + 1);
    } else {
        strbuf_add_string(text, description ? description : "…");
    }
}

static void add_entries(struct strbuf *text, const json_t *entries, int depth)
{
    size_t index;
    json_t *entry;
    json_array_foreach (entries, index, entry) {
        const json_t *key = json_object_get(entry, "key");
        strbuf_add_string(text, index ? ", " : "");
        if (key) {
            add_entry_part(text, key, depth);
            strbuf_add_string(text, " => ");
        }
        add_entry_part(text, json_object_get(entry, "value"), depth);
    }
}

/* Adds the holes of a list, which previews omit. */
static void add_empty(struct strbuf *text, size_t count, const char *separator)
{
    if (count == 1) {
        strbuf_add_format(text, "%sempty", separator);
    } else if (count > 1) {
        strbuf_add_format(text, "%sempty × %zu", separator, count);
    }
}

/* Returns the length in "Array(3)" or "Uint8Array(3)"; 0 if there is none. */
static size_t list_length(const char *description)
{
    const char *digits = description ? strrchr(description, '(') : NULL;
    return digits ? strtoul(digits + 1, NULL, 10) : 0;
}

/*
 * Returns false if some properties were not added. For a list, adds only items with an index; it
 * ends at `length`, or with 0 at the last item.
 */
static bool add_properties(struct strbuf *text, const json_t *properties, bool is_list,
                           size_t length, int depth)
{
    size_t index;
    size_t next = 0; /* in a list, the index after the last item */
    bool has_more = false;
    json_t *property;
    json_array_foreach (properties, index, property) {
        if (index == MAX_MEMBERS) {
            return false;
        }
        const json_t *nested = json_object_get(property, "valuePreview");
        const char *value = json_member_string(property, "value");
        const char *name = json_member_string(property, "name");
        char *end = NULL;
        size_t place = name ? strtoul(name, &end, 10) : 0;
        if (is_list && (!end || end == name || *end != '\0')) {
            continue; /* a typed array's buffer and length, and properties that a script has added
                         to an array */
        }
        if (is_list && place > next) {
            add_empty(text, place - next, has_more ? ", " : "");
            has_more = true;
        }
        next = place + 1;
        strbuf_add_string(text, has_more ? ", " : "");
        has_more = true;
        if (!is_list) {
            strbuf_add_format(text, "%s: ", name ? name : "?");
        }
        if (nested && depth < CONSOLE_PREVIEW_DEPTH) {
            add_preview(text, nested, depth + 1);
        } else {
            strbuf_add_string(text, value ? value : "…");
        }
    }
    if (length > next) {
        add_empty(text, length - next, has_more ? ", " : "");
    }
    return true;
}

/* Adds an ObjectPreview: {name: value, …}, [value, …], Map(1) {key => value}. */
static void add_preview(struct strbuf *text, const json_t *preview, int depth)
{
    const char *subtype = json_member_string(preview, "subtype");
    const json_t *entries = json_object_get(preview, "entries");
    bool is_list = console_is_list(subtype);
    add_class(text, json_member_string(preview, "description"));
    bool is_cut = json_member_bool(preview, "overflow", false);
    strbuf_add_string(text, is_list ? "[" : "{");
    if (entries) {
        add_entries(text, entries, depth);
    } else {
        bool is_whole = is_list && subtype && strcmp(subtype, "array") == 0 && !is_cut;
        size_t length = is_whole ? list_length(json_member_string(preview, "description")) : 0;
        is_cut |=
            !add_properties(text, json_object_get(preview, "properties"), is_list, length, depth);
    }
    strbuf_add_string(text, is_cut ? ", …" : "");
    strbuf_add_string(text, is_list ? "]" : "}");
}

/* The member's value in the preview, which was made at the call; NULL: not complete there. */
static char *value_when_logged(const json_t *preview, const char *prefix)
{
    size_t index;
    json_t *property;
    json_array_foreach (json_object_get(preview, "properties"), index, property) {
        const char *name = json_member_string(property, "name");
        const char *type = json_member_string(property, "type");
        const char *value = json_member_string(property, "value");
        size_t length = name ? strlen(name) : 0;
        if (!name || !type || !value || strncmp(prefix, name, length) != 0 ||
            strcmp(prefix + length, ": ") != 0) {
            continue;
        }
        if (strcmp(type, "number") == 0 || strcmp(type, "boolean") == 0) {
            return xstrdup(value);
        }
        bool is_text = strcmp(type, "string") == 0 && strlen(value) <= CONSOLE_PREVIEW_TEXT;
        return is_text ? json_dumps(json_object_get(property, "value"), JSON_ENCODE_ANY) : NULL;
    }
    return NULL;
}

/* Adds what inspect.js found: {name, isList, size, pairs: [[prefix, text], …], isCut}. */
static void add_members(struct strbuf *text, const json_t *members, const json_t *preview)
{
    size_t index;
    json_t *pair;
    const char *name = json_member_string(members, "name");
    bool is_list = json_member_bool(members, "isList", false);
    double size = json_member_number(members, "size", -1);
    bool is_class = name && *name && strcmp(name, "Object") != 0 && strcmp(name, "Array") != 0;
    strbuf_add_string(text, is_class ? name : "");
    if (size >= 0) {
        strbuf_add_format(text, "(%.0f)", size);
    }
    strbuf_add_string(text, is_class ? " " : "");
    strbuf_add_string(text, is_list ? "[" : "{");
    json_array_foreach (json_object_get(members, "pairs"), index, pair) {
        const char *prefix = json_string_value(json_array_get(pair, 0));
        const char *value = json_string_value(json_array_get(pair, 1));
        CLEANUP_FREE char *before = prefix ? value_when_logged(preview, prefix) : NULL;
        strbuf_add_string(text, index ? ", " : "");
        strbuf_add_string(text, prefix ? prefix : "");
        strbuf_add_string(text, before ? before : value ? value : "…");
    }
    strbuf_add_string(text, json_member_bool(members, "isCut", false) ? ", …" : "");
    strbuf_add_string(text, is_list ? "]" : "}");
}

/* Adds an error with its stack and further members, from inspect.js or its preview. */
static void add_error(struct strbuf *text, const json_t *object)
{
    size_t index;
    json_t *property;
    const char *more = json_member_string(json_object_get(object, "members"), "more");
    const json_t *properties = json_object_get(json_object_get(object, "preview"), "properties");
    strbuf_add_string(text, json_member_string(object, "description"));
    json_array_foreach (properties, index, property) {
        const char *name = json_member_string(property, "name");
        const char *value = json_member_string(property, "value");
        if (!more && name && value && strcmp(name, "cause") == 0) {
            strbuf_add_format(text, "\n  caused by %s", value);
        }
    }
    strbuf_add_string(text, more ? more : "");
}

bool console_is_error(const json_t *object)
{
    const char *subtype = json_member_string(object, "subtype");
    return subtype && strcmp(subtype, "error") == 0 && json_member_string(object, "description");
}

/* Only in C does a text end at a NUL: the part after it is added as well. */
static void add_plain(struct strbuf *text, const json_t *plain)
{
    const char *at = json_string_value(plain);
    const char *end = at + json_string_length(plain);
    for (; at < end; at += strlen(at) + 1) {
        strbuf_add_string(text, at);
        strbuf_add_string(text, at + strlen(at) < end ? "\uFFFD" : "");
    }
}

void console_add_value(struct strbuf *text, const json_t *object)
{
    const json_t *value = json_object_get(object, "value");
    const json_t *preview = json_object_get(object, "preview");
    const json_t *members = json_object_get(object, "members");
    /* A text instead of an object is the cutter's mark: further arguments were cut. */
    const json_t *plain = json_is_string(object) ? object : value;
    const char *description = json_member_string(object, "description");
    const char *unserializable = json_member_string(object, "unserializableValue");
    if (json_is_string(plain)) {
        add_plain(text, plain);
    } else if (console_is_error(object)) {
        add_error(text, object);
    } else if (json_is_object(members)) {
        add_members(text, members, preview);
    } else if (preview && console_is_container(object)) {
        add_preview(text, preview, 0);
    } else if (description || unserializable) {
        strbuf_add_string(text, description ? description : unserializable);
    } else if (value) {
        CLEANUP_FREE char *dump = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        strbuf_add_string(text, dump ? dump : "?");
    } else {
        const char *type = json_member_string(object, "type");
        strbuf_add_string(text, type ? type : "?");
    }
}

/*
 * Formats console.log("%s is %d", …) as the Console Standard's Formatter does. Returns how many
 * arguments it has used, the format included.
 */
static size_t add_formatted(struct strbuf *text, const char *format, const json_t *args)
{
    size_t used = 1;
    for (; *format; format++) {
        const json_t *arg = json_array_get(args, used);
        if (format[0] == '%' && format[1] == '%') {
            strbuf_add(text, format++, 1);
        } else if (format[0] == '%' && format[1] && strchr("sdifoO", format[1]) && arg) {
            console_add_value(text, arg);
            used++;
            format++;
        } else if (format[0] == '%' && format[1] == 'c' && arg) {
            /* A style: consumed, but not shown in text. */
            used++;
            format++;
        } else {
            strbuf_add(text, format, 1);
        }
    }
    return used;
}

void console_add_arguments(struct strbuf *text, const json_t *args)
{
    const char *format = json_string_value(json_object_get(json_array_get(args, 0), "value"));
    size_t used = format && strchr(format, '%') ? add_formatted(text, format, args) : 0;
    for (size_t i = used; i < json_array_size(args); i++) {
        strbuf_add_string(text, i ? " " : "");
        console_add_value(text, json_array_get(args, i));
    }
}
