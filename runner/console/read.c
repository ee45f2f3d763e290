#include "runner/console/read.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_TAB_ID = 64, MAX_DIGITS = 17 };

/* The limits while an event is read. */
struct budget {
    size_t values;   /* that may still be read */
    int depth;       /* of the value that is being read */
    bool types_json; /* also find the kinds of values without a type */
};

/* Replaces NULs, which jansson's texts may contain, by U+FFFD. */
static char *copy_text(const json_t *text)
{
    const char *bytes = json_string_value(text);
    size_t length = json_string_length(text);
    if (!bytes) {
        return NULL;
    }
    if (!memchr(bytes, '\0', length)) {
        return xstrndup(bytes, length);
    }
    struct strbuf copy = STRBUF_INIT(STRBUF_UNCAPPED);
    for (size_t i = 0; i < length; i++) {
        if (bytes[i]) {
            strbuf_add(&copy, bytes + i, 1);
        } else {
            strbuf_add_string(&copy, "\uFFFD");
        }
    }
    return strbuf_take(&copy);
}

static char *copy_member(const json_t *object, const char *name)
{
    return copy_text(json_object_get(object, name));
}

char *console_number_text(double number)
{
    if (isnan(number) || isinf(number)) {
        return xstrdup(isnan(number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity");
    }
    if (number == 0) {
        return xstrdup(signbit(number) ? "-0" : "0");
    }
    if (fabs(number) < 1e15 && floor(number) == number) {
        return xasprintf("%lld", (long long)number);
    }
    if (fabs(number) < 1e21 && floor(number) == number) {
        return xasprintf("%.0f", number);
    }
    char text[40];
    int digits = 1;
    do {
        snprintf(text, sizeof(text), "%.*e", digits - 1, number);
    } while (strtod(text, NULL) != number && ++digits <= MAX_DIGITS);
    char *exponent = strchr(text, 'e');
    long power = strtol(exponent + 1, NULL, 10);
    /* JavaScript writes no exponent from 1e-6 on, and none with a leading zero. */
    if (power >= -6 && power < 21) {
        return xasprintf("%.*f", digits - 1 > power ? (int)(digits - 1 - power) : 0, number);
    }
    if (exponent[2] == '0') {
        memmove(exponent + 2, exponent + 3, strlen(exponent + 3) + 1);
    }
    return xstrdup(text);
}

static char *scalar_text(const json_t *value)
{
    return json_is_string(value) ? copy_text(value)
           : json_is_number(value)
               ? console_number_text(json_number_value(value))
               : (value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL);
}

static struct console_value read_value(const json_t *argument, struct budget *budget);

static bool has_room(const struct console_value *value, const struct budget *budget)
{
    return value->count < CONSOLE_MAX_MEMBERS && budget->values > 0;
}

static void read_object(struct console_value *value, const json_t *object, struct budget *budget)
{
    size_t capacity = 0;
    for (void *at = json_object_iter((json_t *)object); at;
         at = json_object_iter_next((json_t *)object, at)) {
        if (!has_room(value, budget)) {
            value->left_out = json_object_size(object) - value->count;
            return;
        }
        struct console_member *member = console_event_add_member(value, &capacity);
        member->key = xstrdup(json_object_iter_key(at));
        member->value = read_value(json_object_iter_value(at), budget);
    }
}

static void read_list(struct console_value *value, const json_t *list, struct budget *budget)
{
    size_t capacity = 0;
    size_t index;
    json_t *item;
    json_array_foreach (list, index, item) {
        if (!has_room(value, budget)) {
            value->left_out = json_array_size(list) - value->count;
            return;
        }
        /* Read first: reading the item does not add members here, but console_event_add_member()
         * moves them. */
        struct console_value read = read_value(item, budget);
        console_event_add_member(value, &capacity)->value = read;
    }
}

/* Reads entries that are pairs, or objects with key and value. */
static void read_entries(struct console_value *value, const json_t *list, struct budget *budget)
{
    size_t capacity = 0;
    size_t index;
    json_t *entry;
    json_array_foreach (list, index, entry) {
        const json_t *key =
            json_is_array(entry) ? json_array_get(entry, 0) : json_object_get(entry, "key");
        const json_t *content =
            json_is_array(entry) ? json_array_get(entry, 1) : json_object_get(entry, "value");
        if (!has_room(value, budget)) {
            value->left_out = json_array_size(list) - value->count;
            return;
        }
        struct console_member *member = console_event_add_member(value, &capacity);
        if (key) {
            member->key_value = xmalloc(sizeof(*member->key_value));
            *member->key_value = read_value(key, budget);
        }
        member->value = read_value(key ? content : entry, budget);
    }
}

static void read_members(struct console_value *value, const json_t *content, struct budget *budget)
{
    const json_t *entries = json_object_get(content, "entries");
    const json_t *values = json_object_get(content, "values");
    bool is_keyed = value->kind == KIND_MAP || value->kind == KIND_WEAKMAP;
    bool is_collection = is_keyed || value->kind == KIND_SET || value->kind == KIND_WEAKSET;
    if (is_collection && json_is_array(entries)) {
        content = entries;
    } else if (is_collection && json_is_array(values)) {
        content = values;
    }
    if (is_keyed && json_is_array(content)) {
        read_entries(value, content, budget);
    } else if (json_is_array(content)) {
        read_list(value, content, budget);
    } else if (json_is_object(content)) {
        read_object(value, content, budget);
    }
}

/* Reads an error that is an object with name and message instead of a text. */
static void read_error(struct console_value *value, const json_t *content)
{
    const char *name = json_member_string(content, "name");
    const char *message = json_member_string(content, "message");
    if (json_is_object(content) && (name || message)) {
        free(value->text);
        value->text = xasprintf("%s%s%s", name ? name : "Error", message && *message ? ": " : "",
                                message ? message : "");
    }
    if (!value->stack && json_is_object(content)) {
        value->stack = copy_member(content, "stack");
    }
}

static bool has_members(enum console_kind kind)
{
    return kind == KIND_OBJECT || kind == KIND_ARRAY || kind == KIND_MAP || kind == KIND_SET ||
           kind == KIND_WEAKMAP || kind == KIND_WEAKSET || kind == KIND_TYPEDARRAY ||
           kind == KIND_PROMISE;
}

/* Reads how many members were omitted: by the sender of this program, or by the extension. */
static void read_left_out(struct console_value *value, const json_t *argument)
{
    static const char *const totals[] = { "size", "totalLength", "totalKeys" };
    double left_out = json_member_number(argument, "leftOut", 0);
    bool is_cut = json_member_bool(argument, "truncated", false);
    for (size_t i = 0; is_cut && i < sizeof(totals) / sizeof(totals[0]); i++) {
        double more = json_member_number(argument, totals[i], 0) - (double)value->count;
        left_out = more > 0 ? more - (double)value->left_out : left_out;
    }
    if (json_member_bool(argument, "isCut", false)) {
        value->left_out = CONSOLE_LEFT_UNKNOWN;
    } else if (left_out > 0 && left_out < 1e15) {
        value->left_out += (size_t)left_out;
    }
}

static void read_typed(struct console_value *value, const json_t *argument, struct budget *budget)
{
    const json_t *content = json_object_get(argument, "value");
    const json_t *shown = json_object_get(argument, "displayValue");
    /* The extension has the members of a Map or Set in place of a value. */
    content = content || value->kind != KIND_MAP ? content : json_object_get(argument, "entries");
    content = content || value->kind != KIND_SET ? content : json_object_get(argument, "values");
    bool is_container = json_is_object(content) || json_is_array(content);
    value->name = copy_member(argument, value->kind == KIND_DOM ? "tagName" : "name");
    value->class_name = copy_member(argument, "className");
    value->stack = copy_member(argument, "stack");
    if (has_members(value->kind) && is_container) {
        read_members(value, content, budget);
        read_left_out(value, argument);
        return;
    }
    if (value->kind == KIND_DOM && json_is_object(content)) {
        const json_t *attributes = json_object_get(content, "attributes");
        read_members(value, json_is_object(attributes) ? attributes : content, budget);
        return;
    }
    value->text = json_is_string(shown) ? copy_text(shown) : scalar_text(content);
    if (value->kind == KIND_ERROR) {
        read_error(value, content);
    }
}

static bool kind_of(const json_t *argument, enum console_kind *ret_kind)
{
    const char *type = json_member_string(argument, "type");
    return type && console_kind_find(type, ret_kind);
}

static enum console_kind kind_of_json(const json_t *json)
{
    return json_is_object(json)    ? KIND_OBJECT
           : json_is_array(json)   ? KIND_ARRAY
           : json_is_string(json)  ? KIND_STRING
           : json_is_number(json)  ? KIND_NUMBER
           : json_is_boolean(json) ? KIND_BOOLEAN
                                   : KIND_NULL;
}

static void read_json(struct console_value *value, const json_t *json, struct budget *budget)
{
    if (!budget->types_json) {
        value->json = json_incref((json_t *)json);
        return;
    }
    value->kind = kind_of_json(json);
    if (json_is_object(json) || json_is_array(json)) {
        budget->depth++;
        read_members(value, json, budget);
        budget->depth--;
    } else {
        value->text = scalar_text(json);
    }
}

static struct console_value read_value(const json_t *argument, struct budget *budget)
{
    struct console_value value = { .kind = KIND_JSON };
    budget->values -= budget->values > 0;
    if (!argument) {
        value.kind = KIND_UNDEFINED;
    } else if (budget->depth >= CONSOLE_MAX_DEPTH) {
        value.kind = KIND_MAX_DEPTH;
    } else if (!kind_of(argument, &value.kind)) {
        read_json(&value, argument, budget);
    } else {
        budget->depth++;
        read_typed(&value, argument, budget);
        budget->depth--;
    }
    return value;
}

static void read_args(struct console_event *event, const json_t *args)
{
    struct budget budget = { .values = CONSOLE_MAX_VALUES,
                             .types_json = event->method == CONSOLE_TABLE };
    size_t count = json_array_size(args);
    event->count = count < CONSOLE_MAX_MEMBERS ? count : CONSOLE_MAX_MEMBERS;
    event->args = xcalloc(event->count + 1, sizeof(*event->args));
    for (size_t i = 0; i < event->count; i++) {
        event->args[i] = read_value(json_array_get(args, i), &budget);
    }
}

static int read_place(const json_t *location, const char *name)
{
    double place = json_member_number(location, name, 0);
    return place >= 1 && place <= INT_MAX ? (int)place : 0;
}

static void read_source(struct console_event *event, const json_t *source)
{
    const json_t *tab = json_object_get(source, "tabId");
    char *text = json_is_string(tab) || json_is_number(tab) ? scalar_text(tab) : xstrdup("");
    event->source.tab = text;
    if (strlen(text) > MAX_TAB_ID) {
        text[MAX_TAB_ID] = '\0';
    }
    event->source.url = copy_member(source, "url");
    event->source.title = copy_member(source, "title");
}

static bool is_absent(const json_t *value)
{
    return !value || json_is_null(value);
}

/* Finds what is wrong: *ret_field is NULL for nothing; the result NULL for a missing field. */
static const char *check(const json_t *payload, const json_t *source, enum console_method *method,
                         const char **ret_field)
{
    const char *name = json_member_string(payload, "method");
    const json_t *location = json_object_get(payload, "location");
    *ret_field = "payload.method";
    if (!name) {
        return json_object_get(payload, "method") ? "must be a string" : NULL;
    }
    if (!console_method_find(name, method)) {
        return "is not a known console method";
    }
    *ret_field = "payload.args";
    if (!json_is_array(json_object_get(payload, "args"))) {
        return json_object_get(payload, "args") ? "must be an array" : NULL;
    }
    *ret_field = "payload.location";
    if (!is_absent(location) && !json_is_object(location)) {
        return "must be an object";
    }
    *ret_field = "source";
    if (!is_absent(source) && !json_is_object(source)) {
        return "must be an object";
    }
    *ret_field = NULL;
    return NULL;
}

struct console_event *console_read(const json_t *payload, const json_t *source, int64_t time_ms,
                                   const char **ret_field, const char **ret_why)
{
    enum console_method method = CONSOLE_LOG;
    *ret_why = check(payload, source, &method, ret_field);
    if (*ret_field) {
        return NULL;
    }
    const json_t *location = json_object_get(payload, "location");
    struct console_event *event = xcalloc(1, sizeof(*event));
    event->method = method;
    event->time_ms = time_ms;
    read_args(event, json_object_get(payload, "args"));
    read_source(event, source);
    event->location = (struct console_location){ .url = copy_member(location, "url"),
                                                 .line = read_place(location, "line"),
                                                 .column = read_place(location, "column") };
    event->stack = copy_member(payload, "stack");
    event->result = copy_member(payload, "result");
    return event;
}
