#include "runner/console/print.h"

#include "runner/base/clock.h"
#include "runner/base/rfc3339.h"
#include "runner/base/unicode.h"
#include "runner/base/url_parts.h"
#include "runner/console/table.h"
#include "runner/console/values.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

enum {
    INDENT = 2,
    MAX_INDENT = 40, /* columns; deeper groups get the same indent */
    SOURCE_BYTES = 200,
    PLACE_BYTES = 400,
};

static const enum console_color colors[] = {
    [LEVEL_DEBUG] = COLOR_GREY,  [LEVEL_LOG] = COLOR_NONE,  [LEVEL_INFO] = COLOR_BLUE,
    [LEVEL_WARN] = COLOR_YELLOW, [LEVEL_ERROR] = COLOR_RED,
};

bool console_print_wants(const struct console_print *print, const struct console_event *event,
                         const struct console_effect *effect)
{
    return effect->is_shown && print->methods & 1U << event->method;
}

static size_t indent_of(const struct console_effect *effect)
{
    size_t indent = effect->groups * INDENT;
    return indent > MAX_INDENT ? MAX_INDENT : indent;
}

/* False: the event is not a table, or its argument has no rows. */
static bool add_table(struct strbuf *text, const struct console_style *style,
                      const struct console_event *event, const struct console_effect *effect)
{
    size_t used = INDENT + indent_of(effect);
    size_t width = style->columns > used ? style->columns - used : style->columns;
    CLEANUP_STRBUF struct strbuf table = STRBUF_INIT(CONSOLE_EVENT_MAX);
    if (event->method != CONSOLE_TABLE ||
        !console_add_table(&table, style, event->args, event->count, width)) {
        return false;
    }
    strbuf_add_string(text, "\n");
    strbuf_add(text, table.data, table.length);
    return true;
}

void console_add_body(struct strbuf *text, const struct console_style *style,
                      const struct console_event *event, const struct console_effect *effect)
{
    size_t skipped = effect->skipped;
    strbuf_add_string(text, effect->text ? effect->text : "");
    if (!add_table(text, style, event, effect) && event->count > skipped &&
        event->method != CONSOLE_CLEAR) {
        strbuf_add_string(text, effect->text ? " " : "");
        console_add_args(text, style, event->args + skipped, event->count - skipped);
    }
    if (event->stack && (event->method == CONSOLE_TRACE || event->method == CONSOLE_ASSERT)) {
        strbuf_add_string(text, "\n");
        console_add_lines(text, event->stack, CONSOLE_TEXT_MAX);
    }
    if (text->overflowed) {
        text->max = STRBUF_UNCAPPED;
        text->overflowed = false;
        console_color_end(text, style, COLOR_BOLD);
        strbuf_add_string(text, "… (cut)");
    }
}

static void add_time(struct strbuf *text, const struct console_print *print, int64_t time_ms)
{
    char shown[RFC3339_SIZE] = "";
    time_t seconds = (time_t)(time_ms / 1000);
    struct tm here;
    if (print->time == TIME_ISO) {
        rfc3339_format(time_ms, true, shown);
    } else if (print->time == TIME_SHORT && localtime_r(&seconds, &here)) {
        strftime(shown, sizeof(shown), "%H:%M:%S", &here);
    }
    if (*shown) {
        console_color_begin(text, &print->style, COLOR_GREY);
        strbuf_add_format(text, "[%s]", shown);
        console_color_end(text, &print->style, COLOR_GREY);
        strbuf_add_string(text, " ");
    }
}

char *console_host(const struct console_event *event)
{
    struct url_parts parts;
    const char *url = event->source.url;
    bool is_read = url && url_parts_read(url, &parts);
    if (is_read && *parts.host && parts.port && parts.port != url_usual_port(parts.scheme)) {
        return xasprintf("%s:%d", parts.host, parts.port);
    }
    if (is_read) {
        return *parts.host ? xstrdup(parts.host) : xasprintf("%s:", parts.scheme);
    }
    return url && *url          ? xstrdup(url)
           : *event->source.tab ? xasprintf("tab %s", event->source.tab)
                                : xstrdup("unknown");
}

static void add_source(struct strbuf *text, const struct console_print *print,
                       const struct console_event *event)
{
    CLEANUP_FREE char *host = console_host(event);
    const char *shown = host;
    if (print->source == SOURCE_URL && event->source.url) {
        shown = event->source.url;
    } else if (print->source == SOURCE_TITLE && event->source.title && *event->source.title) {
        shown = event->source.title;
    }
    if (print->source != SOURCE_NONE) {
        console_color_begin(text, &print->style, COLOR_CYAN);
        strbuf_add_string(text, "[");
        console_add_line(text, shown, SOURCE_BYTES);
        strbuf_add_string(text, "]");
        console_color_end(text, &print->style, COLOR_CYAN);
        strbuf_add_string(text, " ");
    }
}

/* Adds what follows the first line: the place of the call, and its latency. */
static void add_remarks(struct strbuf *text, const struct console_print *print,
                        const struct console_event *event, int64_t now_ms)
{
    const struct console_location *place = &event->location;
    bool has_place = print->has_location && place->url;
    console_color_begin(text, &print->style, COLOR_GREY);
    if (has_place) {
        strbuf_add_string(text, " (");
        console_add_line(text, place->url, PLACE_BYTES);
        if (place->line > 0) {
            strbuf_add_format(text, ":%d", place->line);
        }
        if (place->line > 0 && place->column > 0) {
            strbuf_add_format(text, ":%d", place->column);
        }
        strbuf_add_string(text, ")");
    }
    if (print->has_latency) {
        strbuf_add_format(text, " +%" PRId64 " ms", now_ms - event->time_ms);
    }
    console_color_end(text, &print->style, COLOR_GREY);
}

static void add_lines(struct strbuf *text, const char *body, size_t indent, const char *remarks)
{
    size_t length = strcspn(body, "\n");
    if (length > 0) {
        strbuf_add_format(text, " %*s", (int)indent, "");
    }
    strbuf_add(text, body, length);
    strbuf_add_string(text, remarks);
    strbuf_add_string(text, "\n");
    while (body[length]) {
        body += length + 1;
        length = strcspn(body, "\n");
        strbuf_add_format(text, "%*s", (int)(INDENT + indent), "");
        strbuf_add(text, body, length);
        strbuf_add_string(text, "\n");
    }
}

static bool passes_filter(const struct console_print *print, const struct console_event *event,
                          const struct console_effect *effect)
{
    static const struct console_style plain = { 0 };
    CLEANUP_STRBUF struct strbuf body = STRBUF_INIT(CONSOLE_EVENT_MAX);
    if (!print->filter) {
        return true;
    }
    console_add_body(&body, &plain, event, effect);
    return unicode_contains(body.data, print->filter);
}

bool console_add_event(struct strbuf *text, const struct console_print *print,
                       const struct console_event *event, const struct console_effect *effect,
                       int64_t now_ms)
{
    if (!passes_filter(print, event, effect)) {
        return false;
    }
    CLEANUP_STRBUF struct strbuf body = STRBUF_INIT(CONSOLE_EVENT_MAX);
    CLEANUP_STRBUF struct strbuf remarks = STRBUF_INIT(STRBUF_UNCAPPED);
    enum console_color color = colors[effect->level];
    console_add_body(&body, &print->style, event, effect);
    if (print->has_latency || print->has_location) {
        add_remarks(&remarks, print, event, now_ms);
    }
    add_time(text, print, event->time_ms);
    add_source(text, print, event);
    console_color_begin(text, &print->style, color);
    strbuf_add_format(text, "%s:", console_level_name(effect->level));
    console_color_end(text, &print->style, color);
    add_lines(text, body.data, indent_of(effect), remarks.data);
    return true;
}

void console_add_notice(struct strbuf *text, const struct console_print *print, int64_t time_ms,
                        const char *notice)
{
    add_time(text, print, time_ms);
    console_color_begin(text, &print->style, COLOR_GREY);
    console_add_line(text, notice, PLACE_BYTES);
    console_color_end(text, &print->style, COLOR_GREY);
    strbuf_add_string(text, "\n");
}
