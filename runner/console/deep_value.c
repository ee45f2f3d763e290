#include "runner/console/deep_value.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/utf8.h"
#include "runner/console/read.h"

#include <string.h>

enum { MAX_NAME = 200, MAX_SOURCE = 200, ELEMENT_NODE = 1, TEXT_NODE = 3, DOCUMENT_NODE = 9 };

struct reading {
    json_t *objects;                      /* written-out objects, by their references */
    json_int_t above[DEEP_MAX_DEPTH + 1]; /* references of the enclosing objects; 0: none */
    size_t depth;
    size_t values, bytes; /* that may still be read */
};

static char *copy_cut(struct reading *reading, const char *text)
{
    static const char more[] = "… (cut)";
    size_t length = strlen(text);
    size_t limit = reading->bytes < DEEP_MAX_TEXT ? reading->bytes : DEEP_MAX_TEXT;
    size_t kept = length > limit ? utf8_cut(text, limit) : length;
    reading->bytes -= kept;
    return kept == length ? xstrdup(text) : xasprintf("%.*s%s", (int)kept, text, more);
}

static char *scalar_text(struct reading *reading, const json_t *value)
{
    if (json_is_string(value)) {
        return copy_cut(reading, json_string_value(value));
    }
    return json_is_number(value) ? console_number_text(json_number_value(value))
           : value               ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY)
                                 : NULL;
}

static struct console_value read_value(struct reading *reading, const json_t *typed);

/* The key of a Map's entry: a plain text, or a typed value. */
static struct console_value read_key(struct reading *reading, const json_t *key)
{
    if (json_is_string(key)) {
        return (struct console_value){ .kind = KIND_STRING, .text = scalar_text(reading, key) };
    }
    return read_value(reading, key);
}

/* Reads the members of arrays and sets, or the pairs of objects and maps. */
static void read_members(struct reading *reading, struct console_value *value, const json_t *list)
{
    size_t index;
    json_t *item;
    size_t capacity = 0;
    bool has_keys =
        value->kind == KIND_OBJECT || value->kind == KIND_MAP || value->kind == KIND_PROMISE;
    json_array_foreach (list, index, item) {
        if (index == DEEP_MAX_MEMBERS || reading->values == 0) {
            break;
        }
        const json_t *key = has_keys ? json_array_get(item, 0) : NULL;
        struct console_value content =
            read_value(reading, has_keys ? json_array_get(item, 1) : item);
        struct console_member *member = console_event_add_member(value, &capacity);
        member->value = content;
        if (key && value->kind == KIND_MAP) {
            member->key_value = xmalloc(sizeof(*member->key_value));
            *member->key_value = read_key(reading, key);
        } else if (json_is_string(key)) {
            member->key = copy_cut(reading, json_string_value(key));
        }
    }
    value->left_out = json_array_size(list) - value->count;
}

static void read_left_out(struct console_value *value, const json_t *typed)
{
    double left_out = json_member_number(typed, "leftOut", 0);
    if (left_out > 0 && left_out < 1e15) {
        value->left_out += (size_t)left_out;
    } else if (json_member_bool(typed, "isCut", false)) {
        value->left_out = CONSOLE_LEFT_UNKNOWN;
    }
}

static bool is_above(const struct reading *reading, json_int_t reference)
{
    for (size_t i = 0; reference && i < reading->depth; i++) {
        if (reading->above[i] == reference) {
            return true;
        }
    }
    return false;
}

/* Chrome writes an object out once, and only its reference afterwards. */
static const json_t *written_out(struct reading *reading, const json_t *typed, const char *name)
{
    if (json_object_get(typed, "value")) {
        json_object_set(reading->objects, name, (json_t *)typed);
        return typed;
    }
    const json_t *before = json_object_get(reading->objects, name);
    return before ? before : typed;
}

static void read_container(struct reading *reading, struct console_value *value,
                           const json_t *typed)
{
    char name[32] = "";
    json_int_t reference = json_integer_value(json_object_get(typed, "weakLocalObjectReference"));
    bool has_reference = json_object_get(typed, "weakLocalObjectReference");
    reference += has_reference; /* they count from 0 */
    if (is_above(reading, reference)) {
        value->kind = KIND_CIRCULAR;
        return;
    }
    if (has_reference) {
        snprintf(name, sizeof(name), "%lld", (long long)reference);
        typed = written_out(reading, typed, name);
    }
    const json_t *content = json_object_get(typed, "value");
    const char *description = json_member_string(typed, "description");
    if (!json_is_array(content) && (description || reading->depth == 0)) {
        value->text = description ? copy_cut(reading, description) : NULL;
    } else if (!json_is_array(content) || reading->depth >= DEEP_MAX_DEPTH) {
        value->kind = KIND_MAX_DEPTH;
    } else {
        reading->above[reading->depth++] = reference;
        read_members(reading, value, content);
        read_left_out(value, typed);
        reading->depth--;
    }
}

/* The name in "function name(…) { … }" or "class Name { … }"; NULL: none. Caller frees. */
static char *function_name(const char *source)
{
    static const char *const heads[] = { "async ", "function", "class ", "*", " " };
    const char *at = source ? source : "";
    bool is_named = strncmp(at, "class ", 6) == 0 || strstr(at, "function") == at ||
                    strstr(at, "async function") == at;
    for (size_t i = 0; is_named && i < sizeof(heads) / sizeof(heads[0]); i++) {
        size_t length = strlen(heads[i]);
        at += strncmp(at, heads[i], length) == 0 ? length : 0;
    }
    size_t length = is_named ? strcspn(at, " ({") : 0;
    return length > 0 && length <= MAX_NAME ? xstrndup(at, length) : NULL;
}

static void read_function(struct reading *reading, struct console_value *value, const json_t *typed)
{
    const char *source = json_member_string(typed, "description");
    value->name = function_name(source);
    if (source && strlen(source) <= MAX_SOURCE && !strpbrk(source, "\r\n")) {
        value->text = copy_cut(reading, source);
    } else if (value->name && strncmp(source, "class ", 6) == 0) {
        value->text = xasprintf("class %s {…}", value->name);
    }
}

/* The first lines of a stack are the message. */
static void set_error(struct reading *reading, struct console_value *value, const char *stack)
{
    const char *frames = strstr(stack, "\n    at ");
    CLEANUP_FREE char *message = xstrndup(stack, frames ? (size_t)(frames - stack) : strlen(stack));
    value->text = copy_cut(reading, message);
    value->stack = frames ? copy_cut(reading, stack) : NULL;
}

static void read_error(struct reading *reading, struct console_value *value, const json_t *typed)
{
    const char *stack = json_member_string(typed, "description");
    if (stack) {
        set_error(reading, value, stack);
    }
}

static void read_bigint(struct reading *reading, struct console_value *value, const json_t *typed)
{
    const char *text = json_member_string(typed, "value");
    size_t length = text ? strlen(text) : 0;
    CLEANUP_FREE char *whole =
        xasprintf("%s%s", length ? text : "0", length && text[length - 1] == 'n' ? "" : "n");
    value->text = copy_cut(reading, whole);
}

static void read_attributes(struct reading *reading, struct console_value *value,
                            const json_t *attributes)
{
    const char *name;
    json_t *content;
    size_t capacity = 0;
    json_object_foreach ((json_t *)attributes, name, content) {
        if (value->count == DEEP_MAX_MEMBERS || reading->values == 0) {
            break;
        }
        reading->values--;
        struct console_member *member = console_event_add_member(value, &capacity);
        member->key = copy_cut(reading, name);
        member->value =
            (struct console_value){ .kind = KIND_STRING, .text = scalar_text(reading, content) };
    }
    value->left_out = json_object_size(attributes) - value->count;
}

static void read_node(struct reading *reading, struct console_value *value, const json_t *typed)
{
    const json_t *node = json_object_get(typed, "value");
    const char *description = json_member_string(typed, "description");
    int type = (int)json_member_number(node, "nodeType", 0);
    const char *tag = json_member_string(node, "localName");
    if (type == ELEMENT_NODE && tag) {
        value->name = copy_cut(reading, tag);
        read_attributes(reading, value, json_object_get(node, "attributes"));
    } else if (type == TEXT_NODE) {
        value->name = xstrdup("#text");
        value->text = scalar_text(reading, json_object_get(node, "nodeValue"));
    } else {
        value->name = xstrdup(type == DOCUMENT_NODE ? "#document"
                              : description         ? description
                                                    : "#node");
    }
}

static void read_regexp(struct reading *reading, struct console_value *value, const json_t *typed)
{
    const json_t *content = json_object_get(typed, "value");
    const char *pattern = json_member_string(content, "pattern");
    const char *flags = json_member_string(content, "flags");
    const char *description = json_member_string(typed, "description");
    if (pattern) {
        CLEANUP_FREE char *text = xasprintf("/%s/%s", pattern, flags ? flags : "");
        value->text = copy_cut(reading, text);
    } else if (description) {
        value->text = copy_cut(reading, description);
    }
}

static void read_symbol(struct reading *reading, struct console_value *value, const json_t *typed)
{
    const char *description = json_member_string(typed, "description");
    const char *content = json_member_string(typed, "value");
    CLEANUP_FREE char *text = description ? xstrdup(description)
                              : content   ? xasprintf("Symbol(%s)", content)
                                          : NULL;
    value->text = text ? copy_cut(reading, text) : NULL;
}

static void read_scalar(struct reading *reading, struct console_value *value, const json_t *typed)
{
    const json_t *content = json_object_get(typed, "value");
    value->text = scalar_text(reading, content ? content : json_object_get(typed, "description"));
}

/* Members of these are known only for arguments themselves. */
static void read_opaque(struct reading *reading, struct console_value *value, const json_t *typed)
{
    if (json_is_array(json_object_get(typed, "value"))) {
        read_container(reading, value, typed);
    } else {
        read_scalar(reading, value, typed);
    }
}

/* Chrome reports nothing but the type of these. */
static void read_named(struct reading *reading, struct console_value *value, const json_t *typed)
{
    (void)reading;
    (void)typed;
    value->text = xstrdup(value->kind == KIND_ACCESSOR ? "(...)" : "Window");
}

static void read_nothing(struct reading *reading, struct console_value *value, const json_t *typed)
{
    (void)reading;
    (void)value;
    (void)typed;
}

static const struct {
    const char *type;
    enum console_kind kind;
    void (*read)(struct reading *reading, struct console_value *value, const json_t *typed);
} types[] = {
    { "undefined", KIND_UNDEFINED, read_nothing },
    { "null", KIND_NULL, read_nothing },
    { "string", KIND_STRING, read_scalar },
    { "number", KIND_NUMBER, read_scalar },
    { "boolean", KIND_BOOLEAN, read_scalar },
    { "bigint", KIND_BIGINT, read_bigint },
    { "date", KIND_DATE, read_scalar },
    { "symbol", KIND_SYMBOL, read_symbol },
    { "regexp", KIND_REGEXP, read_regexp },
    { "object", KIND_OBJECT, read_container },
    { "array", KIND_ARRAY, read_container },
    { "map", KIND_MAP, read_container },
    { "set", KIND_SET, read_container },
    { "typedarray", KIND_TYPEDARRAY, read_opaque },
    { "arraybuffer", KIND_ARRAYBUFFER, read_scalar },
    { "dataview", KIND_DATAVIEW, read_scalar },
    { "weakmap", KIND_WEAKMAP, read_nothing },
    { "weakset", KIND_WEAKSET, read_nothing },
    { "nodelist", KIND_ARRAY, read_container },
    { "htmlcollection", KIND_ARRAY, read_container },
    { "promise", KIND_PROMISE, read_opaque },
    { "window", KIND_OBJECT, read_named },
    { "accessor", KIND_ACCESSOR, read_named },
    { "function", KIND_FUNCTION, read_function },
    { "error", KIND_ERROR, read_error },
    { "node", KIND_DOM, read_node },
};

/* The class of a list with a type of its own in CDP; NULL: no such type. */
static const char *list_class(const char *type)
{
    return strcmp(type, "nodelist") == 0         ? "NodeList"
           : strcmp(type, "htmlcollection") == 0 ? "HTMLCollection"
                                                 : NULL;
}

/* Sets the class if it says more than the kind. */
static void read_class(struct console_value *value, const json_t *typed)
{
    const char *list = list_class(json_member_string(typed, "type"));
    const char *name = list ? list : json_member_string(typed, "className");
    bool has_class =
        value->kind == KIND_OBJECT || value->kind == KIND_TYPEDARRAY || value->kind == KIND_ARRAY;
    bool is_plain = name && (strcmp(name, "Object") == 0 || strcmp(name, "Array") == 0);
    if (has_class && name && !is_plain && strlen(name) <= MAX_NAME) {
        value->class_name = xstrdup(name);
    }
}

static struct console_value read_value(struct reading *reading, const json_t *typed)
{
    const char *type = json_member_string(typed, "type");
    struct console_value value = { .kind = KIND_OBJECT };
    reading->values -= reading->values > 0;
    for (size_t i = 0; type && i < sizeof(types) / sizeof(types[0]); i++) {
        if (strcmp(types[i].type, type) == 0) {
            value.kind = types[i].kind;
            types[i].read(reading, &value, typed);
            read_class(&value, typed);
            return value;
        }
    }
    /* Proxies, generators and others, of which Chrome reports nothing more. */
    const char *description = json_member_string(typed, "description");
    const char *name = json_member_string(typed, "className");
    value.text = copy_cut(reading, description ? description : name ? name : type ? type : "?");
    return value;
}

struct console_value deep_value_read(const json_t *typed)
{
    struct reading reading = { .objects = json_object(),
                               .values = DEEP_MAX_VALUES,
                               .bytes = DEEP_MAX_BYTES };
    struct console_value value = read_value(&reading, typed);
    json_decref(reading.objects);
    return value;
}
