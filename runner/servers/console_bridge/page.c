#include "runner/servers/console_bridge/page.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/servers/console_bridge/deep_value.h"

#include <string.h>

void console_page_finish(struct console_page *page)
{
    free(TAKE(page->url));
    free(TAKE(page->title));
}

static char *copy(const char *text)
{
    return text ? xstrdup(text) : NULL;
}

void console_page_set(struct console_page *page, const char *url, const char *title)
{
    char *new_url = copy(url);
    char *new_title = copy(title);
    console_page_finish(page);
    page->url = new_url;
    page->title = new_title;
}

static void note_navigation(struct console_page *page, const struct br_navigation *navigation)
{
    bool is_there =
        navigation->step == BR_NAVIGATION_DONE || navigation->step == BR_NAVIGATION_WITHIN;
    if (is_there && navigation->url) {
        bool is_same_document = navigation->step == BR_NAVIGATION_WITHIN;
        CLEANUP_FREE char *title = is_same_document ? copy(page->title) : NULL;
        console_page_set(page, navigation->url, title);
    }
}

static struct console_value text_value(enum console_kind kind, const char *text)
{
    return (struct console_value){ .kind = kind, .text = xstrdup(text) };
}

static bool is_text(const struct console_value *value)
{
    return value->kind == KIND_STRING && value->text;
}

static void drop_args(struct console_event *event)
{
    for (size_t i = 0; i < event->count; i++) {
        console_value_finish(&event->args[i]);
    }
    event->count = 0;
}

static void put_first(struct console_event *event, struct console_value value)
{
    event->args = xrealloc(event->args, (event->count + 1) * sizeof(*event->args));
    memmove(event->args + 1, event->args, event->count * sizeof(*event->args));
    event->args[0] = value;
    event->count++;
}

/* Chrome adds the argument "console.group" to a call that had none. */
static void drop_own_name(struct console_event *event)
{
    static const char head[] = "console.";
    const char *text = event->count == 1 && is_text(&event->args[0]) ? event->args[0].text : "";
    if (strncmp(text, head, strlen(head)) == 0 &&
        strcmp(text + strlen(head), console_method_name(event->method)) == 0) {
        drop_args(event);
    }
}

/* Chrome reports "label: 3" or "label: 1.5 ms" instead of the argument, which was the label. */
static void restore_label(struct console_event *event)
{
    const char *text = event->count > 0 && is_text(&event->args[0]) ? event->args[0].text : NULL;
    const char *end = NULL;
    for (const char *at = text; at && (at = strstr(at, ": ")); at++) {
        end = at;
    }
    if (!end) {
        return;
    }
    CLEANUP_FREE char *label = xstrndup(text, (size_t)(end - text));
    event->result = xstrdup(text);
    console_value_finish(&event->args[0]);
    event->args[0] = text_value(KIND_STRING, label);
}

static void restore_call(struct console_event *event)
{
    switch (event->method) {
    case CONSOLE_COUNT:
    case CONSOLE_TIME_END:
        restore_label(event);
        break;
    case CONSOLE_ASSERT: /* Chrome omits the condition, which was falsy */
        drop_own_name(event);
        put_first(event, text_value(KIND_BOOLEAN, "false"));
        break;
    case CONSOLE_TRACE:
    case CONSOLE_GROUP:
    case CONSOLE_GROUP_COLLAPSED:
    case CONSOLE_GROUP_END:
    case CONSOLE_CLEAR:
        drop_own_name(event);
        break;
    default:
        break;
    }
}

static void read_args(struct console_event *event, const struct br_log *log)
{
    size_t index;
    json_t *typed;
    struct br_error ignored;
    json_auto_t *args =
        log->arguments ? json_parse(log->arguments, strlen(log->arguments), "arguments", &ignored)
                       : NULL;
    event->count = json_array_size(args);
    event->args = xcalloc(event->count + 1, sizeof(*event->args));
    json_array_foreach (args, index, typed) {
        event->args[index] = deep_value_read(typed);
    }
    if (!json_is_array(args)) {
        event->args[event->count++] = text_value(KIND_STRING, log->message ? log->message : "");
    }
}

/* Reports an exception as an error that was passed to the console. */
static void read_exception(struct console_event *event, const struct br_log *log)
{
    const char *message = log->message ? log->message : "";
    const char *frames = strstr(message, "\n    at ");
    event->method = CONSOLE_ERROR;
    event->args = xcalloc(1, sizeof(*event->args));
    event->count = 1;
    event->args[0] = (struct console_value){
        .kind = KIND_ERROR,
        .text = xstrndup(message, frames ? (size_t)(frames - message) : strlen(message)),
        .stack = frames ? xstrdup(message) : NULL,
    };
}

struct console_event *console_page_read(struct console_page *page, const struct br_event *event,
                                        int *ret_times)
{
    const struct br_log *log = &event->as.log;
    bool is_call = event->kind == BR_EVENT_CONSOLE;
    if (event->kind == BR_EVENT_NAVIGATION) {
        note_navigation(page, &event->as.navigation);
    }
    if (!is_call && event->kind != BR_EVENT_EXCEPTION) {
        return NULL;
    }
    struct console_event *call = xcalloc(1, sizeof(*call));
    call->time_ms = log->timestamp_ms;
    if (is_call) {
        console_method_find_chrome(log->method, &call->method);
        read_args(call, log);
        restore_call(call);
    } else {
        read_exception(call, log);
    }
    call->source.tab = xstrdup(page->tab ? page->tab : "");
    call->source.url = copy(page->url);
    call->source.title = copy(page->title);
    call->location = console_location_read(log->location);
    call->stack = copy(log->stack);
    *ret_times = log->count > 1 ? log->count : 1;
    return call;
}

struct console_event *console_page_timer(const struct console_event *event)
{
    const char *duration = event->result ? strrchr(event->result, ':') : NULL;
    char *end = NULL;
    double ms = duration ? strtod(duration + 1, &end) : 0;
    if (event->method != CONSOLE_TIME_END || !end || strcmp(end, " ms") != 0) {
        return NULL;
    }
    struct console_event *timer = xcalloc(1, sizeof(*timer));
    timer->method = CONSOLE_TIME;
    timer->time_ms = event->time_ms - (int64_t)ms;
    timer->args = xcalloc(1, sizeof(*timer->args));
    timer->args[0] = text_value(KIND_STRING, event->args[0].text);
    timer->count = 1;
    timer->source.tab = xstrdup(event->source.tab);
    timer->source.url = copy(event->source.url);
    timer->source.title = copy(event->source.title);
    return timer;
}
