#include "runner/console/print.h"

#include "runner/base/clock.h"
#include "runner/base/rfc3339.h"
#include "runner/base/unicode.h"
#include "runner/base/url_parts.h"
#include "runner/console/event.h"
#include "runner/console/text.h"
#include "runner/console/values.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

enum {
    TABLE_MAX_COLUMNS = 50,
    TABLE_CELL_WIDTH = 60, /* the widest cell where there is no terminal */
};

/* CELL_FRAME: the left border, and a space on both sides. */
enum { CELL_FRAME = 3, MIN_WIDTH = 4, NAME_BYTES = 200, CELL_BYTES = 400 };

struct table_view {
    const struct console_value *rows;
    const char *names[TABLE_MAX_COLUMNS]; /* [0]: the index column; NULL: the column of values */
    size_t count, left_out;
    size_t widths[TABLE_MAX_COLUMNS];
};

static const struct console_value *find_member(const struct console_value *row, const char *name)
{
    for (size_t i = 0; i < row->count; i++) {
        if (row->members[i].key && strcmp(row->members[i].key, name) == 0) {
            return &row->members[i].value;
        }
    }
    return NULL;
}

static bool has_column(const struct table_view *view, const char *name)
{
    for (size_t i = 1; i < view->count; i++) {
        if (view->names[i] && strcmp(view->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_column(struct table_view *view, const char *name)
{
    if (has_column(view, name)) {
        return;
    }
    if (view->count == TABLE_MAX_COLUMNS) {
        view->left_out++;
        return;
    }
    view->names[view->count++] = name;
}

/* Names of the columns of rows that are arrays. */
static const char *const numbers[] = { "0", "1", "2",  "3",  "4",  "5",  "6",  "7",
                                       "8", "9", "10", "11", "12", "13", "14", "15" };
enum { NUMBER_COUNT = sizeof(numbers) / sizeof(numbers[0]) };

static const char *column_of(const struct console_value *row, size_t index)
{
    return row->kind == KIND_ARRAY ? (index < NUMBER_COUNT ? numbers[index] : NULL)
                                   : row->members[index].key;
}

static bool is_row(const struct console_value *value)
{
    return value->kind == KIND_OBJECT || value->kind == KIND_ARRAY;
}

static void find_columns(struct table_view *view)
{
    bool has_values = false;
    for (size_t i = 0; i < view->rows->count; i++) {
        const struct console_value *row = &view->rows->members[i].value;
        has_values |= !is_row(row);
        for (size_t j = 0; is_row(row) && j < row->count; j++) {
            const char *name = column_of(row, j);
            if (name) {
                add_column(view, name);
            }
        }
    }
    if (has_values && view->count < TABLE_MAX_COLUMNS) {
        view->names[view->count++] = NULL;
    }
}

/* Adds the columns that the second argument names. */
static void take_columns(struct table_view *view, const struct console_value *wanted)
{
    for (size_t i = 0; i < wanted->count; i++) {
        const struct console_value *name = &wanted->members[i].value;
        const char *text = name->json ? json_string_value(name->json) : name->text;
        if (text) {
            add_column(view, text);
        }
    }
}

static const struct console_value *cell_value(const struct console_value *row, const char *name)
{
    if (!name) {
        return is_row(row) ? NULL : row;
    }
    for (size_t i = 0; row->kind == KIND_ARRAY && i < row->count && i < NUMBER_COUNT; i++) {
        if (strcmp(numbers[i], name) == 0) {
            return &row->members[i].value;
        }
    }
    return is_row(row) ? find_member(row, name) : NULL;
}

/* The text of a cell, without colours. Caller frees. */
static char *cell_text(const struct table_view *view, size_t row, size_t column)
{
    static const struct console_style plain = { 0 };
    const struct console_member *member = &view->rows->members[row];
    struct strbuf text = STRBUF_INIT(CELL_BYTES);
    if (column == 0 && member->key_value) {
        console_add_value_line(&text, &plain, member->key_value, false);
    } else if (column == 0 && member->key) {
        console_add_line(&text, member->key, NAME_BYTES);
    } else if (column == 0) {
        strbuf_add_format(&text, "%zu", row);
    } else {
        const struct console_value *value = cell_value(&member->value, view->names[column]);
        if (value) {
            console_add_value_line(&text, &plain, value, true);
        }
    }
    if (text.overflowed) {
        struct strbuf cut = STRBUF_INIT(STRBUF_UNCAPPED);
        strbuf_add_format(&cut, "%s…", text.data);
        strbuf_finish(&text);
        return strbuf_take(&cut);
    }
    return strbuf_take(&text);
}

static char *head_text(const struct table_view *view, size_t column)
{
    if (column == 0 || !view->names[column]) {
        return xstrdup(column == 0 ? "(index)" : "Value");
    }
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    console_add_line(&text, view->names[column], NAME_BYTES);
    return strbuf_take(&text);
}

static void widen(size_t *width, const char *text)
{
    size_t needed = console_text_width(text);
    *width = needed > *width ? needed : *width;
}

static size_t total_width(const struct table_view *view)
{
    size_t total = 1;
    for (size_t i = 0; i < view->count; i++) {
        total += view->widths[i] + CELL_FRAME;
    }
    return total;
}

static size_t widest(const struct table_view *view)
{
    size_t found = 0;
    for (size_t i = 1; i < view->count; i++) {
        found = view->widths[i] > view->widths[found] ? i : found;
    }
    return found;
}

/* Narrows the widest columns; then omits columns from the right until the table fits. */
static void fit(struct table_view *view, size_t width)
{
    for (size_t i = 0; i < view->count && width == 0; i++) {
        view->widths[i] = view->widths[i] > TABLE_CELL_WIDTH ? TABLE_CELL_WIDTH : view->widths[i];
    }
    while (width > 0 && total_width(view) > width) {
        size_t column = widest(view);
        if (view->widths[column] > MIN_WIDTH) {
            view->widths[column]--;
        } else if (view->count > 2) {
            view->count--;
            view->left_out++;
        } else {
            return;
        }
    }
}

static void measure(struct table_view *view, size_t width)
{
    for (size_t column = 0; column < view->count; column++) {
        CLEANUP_FREE char *head = head_text(view, column);
        widen(&view->widths[column], head);
        for (size_t row = 0; row < view->rows->count; row++) {
            CLEANUP_FREE char *text = cell_text(view, row, column);
            widen(&view->widths[column], text);
        }
    }
    fit(view, width);
}

static void add_rule(struct strbuf *text, const struct table_view *view, const char *left,
                     const char *middle, const char *right)
{
    for (size_t i = 0; i < view->count; i++) {
        strbuf_add_string(text, i == 0 ? left : middle);
        for (size_t j = 0; j < view->widths[i] + CELL_FRAME - 1; j++) {
            strbuf_add_string(text, "─");
        }
    }
    strbuf_add_string(text, right);
}

static void add_cell(struct strbuf *text, const struct console_style *style, const char *content,
                     size_t width, enum console_color color)
{
    size_t needed = console_text_width(content);
    size_t kept = needed > width ? console_text_fit(content, width - 1) : strlen(content);
    CLEANUP_FREE char *part = xstrndup(content, kept);
    size_t used = console_text_width(part) + (needed > width);
    strbuf_add_string(text, "│ ");
    console_color_begin(text, style, color);
    strbuf_add_string(text, part);
    strbuf_add_string(text, needed > width ? "…" : "");
    console_color_end(text, style, color);
    strbuf_add_format(text, "%*s", (int)(width - used + 1), "");
}

static void draw(struct strbuf *text, const struct console_style *style,
                 const struct table_view *view)
{
    add_rule(text, view, "┌", "┬", "┐\n");
    for (size_t column = 0; column < view->count; column++) {
        CLEANUP_FREE char *head = head_text(view, column);
        add_cell(text, style, head, view->widths[column], COLOR_BOLD);
    }
    strbuf_add_string(text, "│\n");
    add_rule(text, view, "├", "┼", "┤\n");
    for (size_t row = 0; row < view->rows->count && !text->overflowed; row++) {
        for (size_t column = 0; column < view->count; column++) {
            CLEANUP_FREE char *content = cell_text(view, row, column);
            add_cell(text, style, content, view->widths[column],
                     column == 0 ? COLOR_GREY : COLOR_NONE);
        }
        strbuf_add_string(text, "│\n");
    }
    add_rule(text, view, "└", "┴", "┘");
}

static void add_notes(struct strbuf *text, const struct table_view *view)
{
    if (view->rows->left_out == CONSOLE_LEFT_UNKNOWN) {
        strbuf_add_string(text, "\n… more rows");
    } else if (view->rows->left_out > 0) {
        strbuf_add_format(text, "\n… %zu more rows", view->rows->left_out);
    }
    if (view->left_out > 0) {
        strbuf_add_format(text, "\n… %zu more columns", view->left_out);
    }
}

/*
 * Draws the first argument as a table, with the columns that the second argument names, at most
 * `width` wide (0: no limit). Adds no line feed at the end. False: the argument has no rows,
 * nothing was added.
 */
static bool console_add_table(struct strbuf *text, const struct console_style *style,
                              const struct console_value *args, size_t count, size_t width)
{
    bool is_table = count > 0 && args[0].count > 0 && args[0].kind != KIND_DOM;
    if (!is_table) {
        return false;
    }
    struct table_view view = { .rows = &args[0], .count = 1 };
    if (count > 1 && args[1].kind == KIND_ARRAY) {
        take_columns(&view, &args[1]);
    } else {
        find_columns(&view);
    }
    measure(&view, width);
    draw(text, style, &view);
    add_notes(text, &view);
    return true;
}

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
