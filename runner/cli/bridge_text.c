#include "runner/cli/bridge_text.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/utf8.h"
#include "runner/formats/terminal_log.h"

#include <string.h>
#include <time.h>

/* Maximum length in bytes of a text in a line of telemetry. */
enum { SHORT = 300 };

static void add_short(struct strbuf *line, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    size_t kept = length > SHORT ? utf8_cut(text, SHORT) : length;
    CLEANUP_FREE char *part = xstrndup(text ? text : "", kept);
    terminal_add_harmless(line, part);
    strbuf_add_string(line, kept < length ? "…" : "");
}

/* Adds a separator and a member of the message, if it is there. */
static void add_member(struct strbuf *line, const char *separator, const json_t *message,
                       const char *name)
{
    const char *text = json_member_string(message, name);
    if (text && *text) {
        strbuf_add_string(line, separator);
        add_short(line, text);
    }
}

static void add_json(struct strbuf *line, const char *separator, const json_t *value)
{
    CLEANUP_FREE char *text = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    if (text) {
        strbuf_add_string(line, separator);
        add_short(line, text);
    }
}

static void add_list(struct strbuf *line, const char *separator, const json_t *list)
{
    size_t index;
    json_t *item;
    json_array_foreach (list, index, item) {
        strbuf_add_string(line, index == 0 ? "" : separator);
        if (json_is_string(item)) {
            add_short(line, json_string_value(item));
        } else {
            add_json(line, "", item);
        }
    }
}

static void add_hello(struct strbuf *line, const json_t *message)
{
    add_member(line, " ", message, "appName");
    add_member(line, " ", message, "appVersion");
    add_member(line, " ", message, "url");
}

static void add_capabilities(struct strbuf *line, const json_t *message)
{
    strbuf_add_string(line, " ");
    add_list(line, ", ", json_object_get(message, "capabilities"));
}

static void add_event(struct strbuf *line, const json_t *message)
{
    add_member(line, " ", message, "event");
    add_member(line, " ", message, "agentId");
    strbuf_add_format(line, " (%zu apps, %.0f agents)",
                      json_array_size(json_object_get(message, "connectedApps")),
                      json_member_number(message, "connectedAgents", 0));
}

static void add_console(struct strbuf *line, const json_t *message)
{
    add_member(line, " ", message, "level");
    strbuf_add_string(line, ": ");
    add_list(line, " ", json_object_get(message, "args"));
}

static void add_error(struct strbuf *line, const json_t *message)
{
    add_member(line, " ", message, "errorType");
    add_member(line, ": ", message, "message");
    if (json_member_string(message, "filename")) {
        add_member(line, " (", message, "filename");
        strbuf_add_format(line, ":%.0f)", json_member_number(message, "lineno", 0));
    }
}

static void add_snapshot(struct strbuf *line, const json_t *message)
{
    const char *html = json_member_string(message, "html");
    strbuf_add_format(line, " %zu bytes", html ? strlen(html) : 0);
}

static void add_mutations(struct strbuf *line, const json_t *message)
{
    strbuf_add_format(line, " %zu", json_array_size(json_object_get(message, "mutations")));
}

static void add_tree(struct strbuf *line, const json_t *message)
{
    strbuf_add_format(line, " %zu items", json_array_size(json_object_get(message, "items")));
}

static void add_update(struct strbuf *line, const json_t *message)
{
    add_member(line, " ", message, "changeType");
    add_member(line, " ", message, "stableId");
    add_json(line, " ", json_object_get(message, "changes"));
}

static void add_state(struct strbuf *line, const json_t *message)
{
    add_member(line, " ", message, "scope");
    add_json(line, ": ", json_object_get(message, "state"));
}

static void add_picture(struct strbuf *line, const json_t *message)
{
    const json_t *viewport = json_object_get(message, "viewport");
    const char *data = json_member_string(message, "data");
    add_member(line, " ", message, "format");
    if (viewport) {
        strbuf_add_format(line, " of %.0fx%.0f", json_member_number(viewport, "width", 0),
                          json_member_number(viewport, "height", 0));
    }
    strbuf_add_format(line, ", %zu characters of base64", data ? strlen(data) : 0);
}

static void add_failure(struct strbuf *line, const json_t *result)
{
    const json_t *error = json_object_get(result, "error");
    strbuf_add_string(line, " failed");
    add_member(line, ": ", error, "code");
    add_member(line, ": ", error, "message");
}

static void add_outcome(struct strbuf *line, const json_t *result)
{
    const char *type = json_member_string(result, "requestType");
    strbuf_add_string(line, " ");
    add_short(line, type ? type : "command");
    strbuf_add_string(line, ":");
    if (!json_member_bool(result, "success", false)) {
        add_failure(line, result);
        return;
    }
    strbuf_add_format(line, " done in %.0f ms", json_member_number(result, "duration", 0));
    add_json(line, ": ", json_object_get(result, "result"));
}

static const struct telemetry {
    const char *type;
    void (*add)(struct strbuf *line, const json_t *message);
} telemetry[] = {
    { "hello", add_hello },
    { "capabilities", add_capabilities },
    { "connection_event", add_event },
    { "console", add_console },
    { "error", add_error },
    { "dom_snapshot", add_snapshot },
    { "dom_mutations", add_mutations },
    { "ui_tree", add_tree },
    { "ui_element_update", add_update },
    { "state_update", add_state },
    { "screenshot", add_picture },
    { "command_result", add_outcome },
};

/* Adds the message's time in the local zone. */
static void add_time(struct strbuf *line, const json_t *message)
{
    time_t seconds = (time_t)(json_member_number(message, "timestamp", 0) / 1000);
    struct tm here;
    char text[16];
    if (localtime_r(&seconds, &here) && strftime(text, sizeof(text), "%H:%M:%S", &here) > 0) {
        strbuf_add_string(line, text);
    }
}

void bridge_text_add_telemetry(struct strbuf *text, const json_t *message)
{
    const char *type = json_member_string(message, "type");
    add_time(text, message);
    add_member(text, " ", message, "appId");
    add_member(text, " ", message, "type");
    size_t i = 0;
    while (i < sizeof(telemetry) / sizeof(telemetry[0]) &&
           !(type && strcmp(telemetry[i].type, type) == 0)) {
        i++;
    }
    if (i < sizeof(telemetry) / sizeof(telemetry[0])) {
        telemetry[i].add(text, message);
    } else {
        add_json(text, " ", message);
    }
    strbuf_add_string(text, "\n");
}

static void add_flag(struct strbuf *line, const json_t *item, const char *name, bool shown,
                     const char *word)
{
    const json_t *value = json_object_get(item, name);
    if (json_is_boolean(value) && json_is_true(value) == shown) {
        strbuf_add_format(line, " [%s]", word);
    }
}

/* Adds `save  button "Save" [disabled]`. */
static void add_item(struct strbuf *text, const json_t *item)
{
    add_member(text, "", item, "stableId");
    add_member(text, "  ", item, "role");
    const char *words = json_member_string(item, "text");
    const char *name = words && *words ? "text" : "label";
    if (json_member_string(item, name)) {
        add_member(text, " \"", item, name);
        strbuf_add_string(text, "\"");
    }
    add_member(text, " = ", item, "value");
    add_flag(text, item, "disabled", true, "disabled");
    add_flag(text, item, "visible", false, "hidden");
    add_flag(text, item, "checked", true, "checked");
    add_flag(text, item, "selected", true, "selected");
    add_flag(text, item, "expanded", true, "expanded");
    strbuf_add_string(text, "\n");
}

void bridge_text_add_answer(struct strbuf *text, const json_t *message)
{
    const char *html = json_member_string(message, "html");
    const json_t *items = json_object_get(message, "items");
    const json_t *state = json_object_get(message, "state");
    size_t index;
    json_t *item;
    json_array_foreach (items, index, item) {
        add_item(text, item);
    }
    if (html) {
        terminal_add_harmless_lines(text, html);
        strbuf_add_string(text, "\n");
    }
    if (state) {
        CLEANUP_FREE char *json = json_dumps(state, JSON_INDENT(2) | JSON_ENCODE_ANY);
        add_member(text, "", message, "scope");
        strbuf_add_string(text, ": ");
        terminal_add_harmless_lines(text, json ? json : "");
        strbuf_add_string(text, "\n");
    }
}

void bridge_text_add_result(struct strbuf *text, const json_t *result)
{
    struct strbuf line = STRBUF_INIT(STRBUF_UNCAPPED);
    add_outcome(&line, result);
    strbuf_add_format(text, "%s\n", line.data + 1);
    strbuf_finish(&line);
}

void bridge_text_add_app(struct strbuf *text, const json_t *app)
{
    add_member(text, "", app, "appId");
    add_member(text, "  ", app, "name");
    add_member(text, "  ", app, "url");
    strbuf_add_string(text, "  ");
    add_list(text, ", ", json_object_get(app, "capabilities"));
    strbuf_add_string(text, "\n");
}
