#include "runner/observe/console_value.h"

#include "runner/base/json.h"

#include <string.h>

enum {
    MAX_PREVIEW_DEPTH = 3,
    MAX_MEMBERS = 20,
    MAX_WHOLE_TEXT = 99 /* previews cut longer texts */
};

static void add_class(struct strbuf *text, const char *name)
{
    if (name && *name && strcmp(name, "Object") != 0 && strncmp(name, "Array(", 6) != 0) {
        strbuf_add_format(text, "%s ", name);
    }
}

static void add_preview(struct strbuf *text, const json_t *preview, int depth);

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

static bool is_list_type(const char *subtype)
{
    return is_word(subtype, "array") || is_word(subtype, "typedarray");
}

/* A key or a value of a Map or Set: a preview of its own. */
static void add_entry_part(struct strbuf *text, const json_t *part, int depth)
{
    const char *description = json_member_string(part, "description");
    bool is_object = json_array_size(json_object_get(part, "properties")) > 0;
    if (is_object && depth < MAX_PREVIEW_DEPTH) {
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

/* False when there are more than are shown. */
static bool add_properties(struct strbuf *text, const json_t *properties, bool is_list, int depth)
{
    size_t index;
    json_t *property;
    json_array_foreach (properties, index, property) {
        if (index == MAX_MEMBERS) {
            return false;
        }
        const json_t *nested = json_object_get(property, "valuePreview");
        const char *value = json_member_string(property, "value");
        const char *name = json_member_string(property, "name");
        strbuf_add_string(text, index ? ", " : "");
        if (!is_list) {
            strbuf_add_format(text, "%s: ", name ? name : "?");
        }
        if (nested && depth < MAX_PREVIEW_DEPTH) {
            add_preview(text, nested, depth + 1);
        } else {
            strbuf_add_string(text, value ? value : "…");
        }
    }
    return true;
}

/* An ObjectPreview: {name: value, …}, [value, …], Map(1) {key => value}. */
static void add_preview(struct strbuf *text, const json_t *preview, int depth)
{
    const char *subtype = json_member_string(preview, "subtype");
    const json_t *entries = json_object_get(preview, "entries");
    bool is_list = is_list_type(subtype);
    add_class(text, json_member_string(preview, "description"));
    bool is_cut = json_member_bool(preview, "overflow", false);
    strbuf_add_string(text, is_list ? "[" : "{");
    if (entries) {
        add_entries(text, entries, depth);
    } else {
        is_cut |= !add_properties(text, json_object_get(preview, "properties"), is_list, depth);
    }
    strbuf_add_string(text, is_cut ? ", …" : "");
    strbuf_add_string(text, is_list ? "]" : "}");
}

/* What the preview, which was made when it was logged, says of a member; NULL when not all. */
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
        bool is_text = strcmp(type, "string") == 0 && strlen(value) <= MAX_WHOLE_TEXT;
        return is_text ? json_dumps(json_object_get(property, "value"), JSON_ENCODE_ANY) : NULL;
    }
    return NULL;
}

/* What inspect.js found: {name, isList, size, pairs: [[prefix, text], …], isCut}. */
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

/* The class of an object, where that says something; NULL otherwise. */
static json_t *class_of(const json_t *arg)
{
    static const char *const told[] = { "typedarray", "array", "generator", "iterator" };
    const char *name = json_member_string(arg, "className");
    const char *subtype = json_member_string(arg, "subtype");
    bool is_plain = name && (strcmp(name, "Object") == 0 || strcmp(name, "Array") == 0);
    if (is_word(subtype, "proxy")) {
        return json_object_get(arg, "description"); /* "Proxy(Object)" */
    }
    bool is_told = !subtype || is_one_of(subtype, told, sizeof(told) / sizeof(told[0]));
    return is_told && !is_plain ? json_object_get(arg, "className") : NULL;
}

static bool is_container(const json_t *object)
{
    static const char *const subtypes[] = { "array", "map", "set", "typedarray" };
    const char *subtype = json_member_string(object, "subtype");
    return is_word(json_member_string(object, "type"), "object") &&
           (!subtype || is_one_of(subtype, subtypes, sizeof(subtypes) / sizeof(subtypes[0])));
}

static json_t *typed_preview(const json_t *preview, int depth);

/* A member as a preview has it, its value a text. */
static json_t *typed_member(const json_t *property, int depth)
{
    const char *type = json_member_string(property, "type");
    const char *subtype = json_member_string(property, "subtype");
    const json_t *nested = json_object_get(property, "valuePreview");
    bool is_object = type && (strcmp(type, "object") == 0 || strcmp(type, "function") == 0) &&
                     !(subtype && strcmp(subtype, "null") == 0);
    if (nested && depth < MAX_PREVIEW_DEPTH) {
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
    return is_object && depth < MAX_PREVIEW_DEPTH
               ? typed_preview(part, depth + 1)
               : json_pack("{s:O*, s:O*}", "type", json_object_get(part, "type"), "value",
                           json_object_get(part, "description"));
}

/* "Array(2000)" and "Map(3)" say how many there are. */
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

/* What has no type of its own for the reader is an object of a class. */
static const char *typed_type(const char *subtype)
{
    static const char *const objects[] = { "proxy", "generator", "iterator" };
    bool is_object = !subtype || is_one_of(subtype, objects, sizeof(objects) / sizeof(objects[0]));
    return is_object ? "object" : subtype;
}

/* As far as the preview tells. */
static json_t *typed_preview(const json_t *preview, int depth)
{
    size_t index;
    json_t *item;
    const char *subtype = json_member_string(preview, "subtype");
    bool is_list = is_list_type(subtype);
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
           (is_container(object) ||
            is_one_of(subtype, subtypes, sizeof(subtypes) / sizeof(subtypes[0])));
}

static json_t *typed_value(const json_t *object)
{
    const char *type = json_member_string(object, "type");
    const char *subtype = json_member_string(object, "subtype");
    const char *description = json_member_string(object, "description");
    const char *unserializable = json_member_string(object, "unserializableValue");
    json_t *value = json_object_get(object, "value");
    if (json_is_string(object)) { /* the cutter's mark: more were cut */
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
    return json_pack("{s:s, s:s*, s:O*}", "type",
                     subtype ? subtype
                     : type  ? type
                             : "object",
                     "description", description, "className", class_of(object));
}

/* Whether serialisation says less of an argument than the preview that came with the call. */
static bool says_less(const json_t *value, const json_t *arg)
{
    static const char *const types[] = { "undefined", "promise",    "proxy",         "generator",
                                         "iterator",  "typedarray", "platformobject" };
    static const char *const classes[] = { "Number", "String", "Boolean",
                                           "BigInt", "Symbol", "Arguments" };
    const char *type = json_member_string(value, "type");
    const char *name = json_member_string(arg, "className");
    return !type || is_one_of(type, types, sizeof(types) / sizeof(types[0])) ||
           is_one_of(name, classes, sizeof(classes) / sizeof(classes[0])) ||
           /* {} for serialisation */
           is_word(json_member_string(arg, "subtype"), "dataview");
}

/* What deep serialisation leaves out of the argument itself: its class, and an error's stack. */
static json_t *with_description(const json_t *arg, const json_t *value)
{
    static const char *const described[] = { "error", "function", "symbol", "node", "arraybuffer" };
    bool is_described = is_one_of(json_member_string(value, "type"), described,
                                  sizeof(described) / sizeof(described[0]));
    return json_pack("{s:O*, s:O*}", "className", class_of(arg), "description",
                     is_described ? json_object_get(arg, "description") : NULL);
}

/*
 * Serialisation says nothing of an error that stands in another value, and calls getters: values.js
 * puts a text with a mark there, and behind it an error's stack.
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

/* What is known of the objects that have been met, by their references. */
struct references {
    json_t *all; /* of all arguments: where they are written out */
    json_t *own; /* of this argument */
    size_t room; /* for values that may still be written again */
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
        if (says_less(value, arg)) {
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
        if (text && strlen(text) > MAX_WHOLE_TEXT) {
            return true;
        }
    }
    return false;
}

bool console_wants_values(const json_t *args)
{
    static const char *const told[] = { "error",   "regexp",  "arraybuffer",
                                        "promise", "weakmap", "weakset" };
    size_t index;
    json_t *arg;
    json_array_foreach (args, index, arg) {
        const char *subtype = json_member_string(arg, "subtype");
        bool is_object = is_word(json_member_string(arg, "type"), "object");
        bool is_told = is_one_of(subtype, told, sizeof(told) / sizeof(told[0])) ||
                       (is_container(arg) && !console_is_shallow(arg) &&
                        !has_long_text(json_object_get(arg, "preview")));
        if (is_object && json_member_string(arg, "objectId") && !is_told) {
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
    if (!is_container(object) || !json_member_string(object, "objectId")) {
        return false;
    }
    /* What was said before anybody listened comes without previews. */
    if (!preview || json_member_bool(preview, "overflow", false) ||
        json_object_get(preview, "entries")) {
        return true;
    }
    bool is_list = is_list_type(json_member_string(object, "subtype"));
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

void console_add_value(struct strbuf *text, const json_t *object)
{
    const json_t *value = json_object_get(object, "value");
    const json_t *preview = json_object_get(object, "preview");
    const json_t *members = json_object_get(object, "members");
    /* An argument that is text is no argument: it says that more were cut. */
    const char *plain = json_string_value(json_is_string(object) ? object : value);
    const char *description = json_member_string(object, "description");
    const char *unserializable = json_member_string(object, "unserializableValue");
    if (plain) {
        strbuf_add_string(text, plain);
    } else if (json_is_object(members)) {
        add_members(text, members, preview);
    } else if (preview && is_container(object)) {
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
 * console.log("%s is %d", …): takes the arguments that the first one's directives ask for, returns
 * how many were used up. Source: Console Standard, Formatter.
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
            /* Style has no place in text. */
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
