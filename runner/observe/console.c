#include "runner/observe/console.h"

#include "runner/base/json.h"
#include "runner/base/strbuf.h"

#include <string.h>

enum { MAX_STACK_FRAMES = 50, MAX_PREVIEW_DEPTH = 3 };

/* CDP's names of console calls and of log levels; what is not here is information. */
static const struct {
    const char *name;
    enum br_log_type type;
} levels[] = {
    { "error", BR_LOG_ERROR },     { "assert", BR_LOG_ERROR },     { "warning", BR_LOG_WARNING },
    { "debug", BR_LOG_DEBUG },     { "trace", BR_LOG_DEBUG },      { "verbose", BR_LOG_VERBOSE },
    { "startGroup", BR_LOG_INFO }, { "endGroup", BR_LOG_VERBOSE },
};

static enum br_log_type level_of(const char *name)
{
    for (size_t i = 0; name && i < sizeof(levels) / sizeof(levels[0]); i++) {
        if (strcmp(name, levels[i].name) == 0) {
            return levels[i].type;
        }
    }
    return BR_LOG_INFO;
}

/* An ObjectPreview: {name: value, …} or [value, …]. */
static void add_preview(struct strbuf *text, json_t *preview, int depth)
{
    const char *subtype = json_member_string(preview, "subtype");
    bool is_array = subtype && strcmp(subtype, "array") == 0;
    size_t index;
    json_t *property;
    strbuf_add_string(text, is_array ? "[" : "{");
    json_array_foreach (json_object_get(preview, "properties"), index, property) {
        strbuf_add_string(text, index ? ", " : "");
        if (!is_array) {
            const char *name = json_member_string(property, "name");
            strbuf_add_format(text, "%s: ", name ? name : "?");
        }
        json_t *nested = json_object_get(property, "valuePreview");
        const char *value = json_member_string(property, "value");
        if (nested && depth < MAX_PREVIEW_DEPTH) {
            add_preview(text, nested, depth + 1);
        } else {
            strbuf_add_string(text, value ? value : "…");
        }
    }
    bool is_cut = json_member_bool(preview, "overflow", false);
    strbuf_add_string(text, is_cut ? ", …" : "");
    strbuf_add_string(text, is_array ? "]" : "}");
}

/* A RemoteObject as the console would print it. */
static void add_object(struct strbuf *text, json_t *object, int depth)
{
    json_t *value = json_object_get(object, "value");
    json_t *preview = json_object_get(object, "preview");
    const char *plain = json_string_value(value);
    const char *subtype = json_member_string(object, "subtype");
    const char *description = json_member_string(object, "description");
    const char *unserializable = json_member_string(object, "unserializableValue");
    bool is_plain = !subtype || strcmp(subtype, "array") == 0;
    if (plain) {
        strbuf_add_string(text, plain);
    } else if (preview && is_plain) {
        add_preview(text, preview, depth);
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
static size_t add_formatted(struct strbuf *text, const char *format, json_t *args)
{
    size_t used = 1;
    for (; *format; format++) {
        json_t *arg = json_array_get(args, used);
        if (format[0] == '%' && format[1] == '%') {
            strbuf_add(text, format++, 1);
        } else if (format[0] == '%' && format[1] && strchr("sdifoO", format[1]) && arg) {
            add_object(text, arg, 0);
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

/* "url:line:column" counted from 1, of a call frame or of exception details; NULL without url. */
static char *location_of(const json_t *place)
{
    const char *url = json_member_string(place, "url");
    if (!url || !*url) {
        return NULL;
    }
    /* The protocol counts lines and columns from 0. */
    return xasprintf("%s:%d:%d", url, (int)json_member_number(place, "lineNumber", 0) + 1,
                     (int)json_member_number(place, "columnNumber", 0) + 1);
}

static char *stack_of(const json_t *trace)
{
    struct strbuf text = STRBUF_INIT(LOG_MAX_TEXT);
    size_t index;
    json_t *frame;
    json_array_foreach (json_object_get(trace, "callFrames"), index, frame) {
        CLEANUP_FREE char *location = location_of(frame);
        const char *function = json_member_string(frame, "functionName");
        if (index == MAX_STACK_FRAMES) {
            break;
        }
        strbuf_add_format(&text, "%sat %s (%s)", index ? "\n" : "",
                          function && *function ? function : "<anonymous>",
                          location ? location : "native");
    }
    if (text.length == 0) {
        strbuf_finish(&text);
        return NULL;
    }
    return strbuf_take(&text);
}

static void set_timestamp(struct br_log *log, const json_t *params)
{
    double timestamp = json_member_number(params, "timestamp", 0);
    if (timestamp > 0) {
        log->timestamp_ms = (int64_t)timestamp;
    }
}

static void on_console_call(struct console_recorder *recorder, json_t *params)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(LOG_MAX_TEXT);
    const char *type = json_member_string(params, "type");
    json_t *args = json_object_get(params, "args");
    const char *format = json_string_value(json_object_get(json_array_get(args, 0), "value"));
    size_t used = format && strchr(format, '%') ? add_formatted(&text, format, args) : 0;
    for (size_t i = used; i < json_array_size(args); i++) {
        strbuf_add_string(&text, i ? " " : "");
        add_object(&text, json_array_get(args, i), 0);
    }
    struct br_log *log =
        log_add(recorder->logs, level_of(type), BR_SOURCE_BROWSER, "console", text.data);
    if (log) {
        json_t *trace = json_object_get(params, "stackTrace");
        log->location = location_of(json_array_get(json_object_get(trace, "callFrames"), 0));
        log->stack = log->type >= BR_LOG_WARNING ? stack_of(trace) : NULL;
        set_timestamp(log, params);
    }
}

static void on_exception(struct console_recorder *recorder, json_t *params)
{
    json_t *details = json_object_get(params, "exceptionDetails");
    json_t *exception = json_object_get(details, "exception");
    const char *text = json_member_string(details, "text");
    CLEANUP_STRBUF struct strbuf message = STRBUF_INIT(LOG_MAX_TEXT);
    strbuf_add_string(&message, text ? text : "Uncaught");
    if (exception) {
        strbuf_add_string(&message, " ");
        add_object(&message, exception, 0);
    }
    recorder->js_errors++;
    struct br_log *log =
        log_add(recorder->logs, BR_LOG_ERROR, BR_SOURCE_BROWSER, "javascript", message.data);
    if (log) {
        log->location = location_of(details);
        log->stack = stack_of(json_object_get(details, "stackTrace"));
        set_timestamp(log, params);
    }
}

static void on_log_entry(struct console_recorder *recorder, json_t *params)
{
    json_t *entry = json_object_get(params, "entry");
    const char *text = json_member_string(entry, "text");
    const char *url = json_member_string(entry, "url");
    const char *source = json_member_string(entry, "source");
    bool is_network = source && strcmp(source, "network") == 0;
    struct br_log *log =
        log_add(recorder->logs, level_of(json_member_string(entry, "level")), BR_SOURCE_BROWSER,
                is_network ? "network" : "browser", text ? text : "");
    if (log) {
        log->location = json_object_get(entry, "lineNumber") ? location_of(entry) : xstrdup(url);
        log->stack = stack_of(json_object_get(entry, "stackTrace"));
        set_timestamp(log, entry);
    }
}

bool console_on_event(struct console_recorder *recorder, const char *method, json_t *params)
{
    static const struct {
        const char *method;
        void (*apply)(struct console_recorder *recorder, json_t *params);
    } table[] = {
        { "Runtime.consoleAPICalled", on_console_call },
        { "Runtime.exceptionThrown", on_exception },
        { "Log.entryAdded", on_log_entry },
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(method, table[i].method) == 0) {
            table[i].apply(recorder, params);
            return true;
        }
    }
    return false;
}
