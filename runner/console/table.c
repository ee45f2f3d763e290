#include "runner/console/table.h"

#include "runner/console/values.h"

#include <string.h>

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

bool console_add_table(struct strbuf *text, const struct console_style *style,
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
