#include "runner/console/values.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "runner/console/read.h"

enum { LINE_MAX_BYTES = 76, NAME_MAX_BYTES = 200, SOURCE_MAX_BYTES = 200, INDENT = 2 };

static const enum console_color colors[CONSOLE_KINDS] = {
    [KIND_STRING] = COLOR_GREEN,     [KIND_NUMBER] = COLOR_YELLOW,  [KIND_BOOLEAN] = COLOR_YELLOW,
    [KIND_NULL] = COLOR_BOLD,        [KIND_UNDEFINED] = COLOR_GREY, [KIND_FUNCTION] = COLOR_CYAN,
    [KIND_DOM] = COLOR_MAGENTA,      [KIND_CIRCULAR] = COLOR_GREY,  [KIND_SYMBOL] = COLOR_GREEN,
    [KIND_BIGINT] = COLOR_YELLOW,    [KIND_DATE] = COLOR_MAGENTA,   [KIND_REGEXP] = COLOR_RED,
    [KIND_PROMISE] = COLOR_CYAN,     [KIND_WEAKMAP] = COLOR_CYAN,   [KIND_WEAKSET] = COLOR_CYAN,
    [KIND_ARRAYBUFFER] = COLOR_CYAN, [KIND_DATAVIEW] = COLOR_CYAN,  [KIND_MAX_DEPTH] = COLOR_GREY,
    [KIND_ACCESSOR] = COLOR_GREY,
};

/* The text for a value of which only the kind is known; NULL: the kind has brackets. */
static const char *const unknown[CONSOLE_KINDS] = {
    [KIND_STRING] = "''",
    [KIND_NUMBER] = "NaN",
    [KIND_BOOLEAN] = "boolean",
    [KIND_NULL] = "null",
    [KIND_UNDEFINED] = "undefined",
    [KIND_FUNCTION] = "ƒ ()",
    [KIND_DOM] = "<element>",
    [KIND_CIRCULAR] = "[Circular]",
    [KIND_ERROR] = "Error",
    [KIND_SYMBOL] = "Symbol(…)",
    [KIND_BIGINT] = "bigint",
    [KIND_DATE] = "Date",
    [KIND_REGEXP] = "RegExp",
    [KIND_PROMISE] = "Promise",
    [KIND_WEAKMAP] = "WeakMap",
    [KIND_WEAKSET] = "WeakSet",
    [KIND_ARRAYBUFFER] = "ArrayBuffer",
    [KIND_DATAVIEW] = "DataView",
    [KIND_MAX_DEPTH] = "…",
    [KIND_ACCESSOR] = "(...)",
};

static bool is_list(const struct console_value *value)
{
    return value->kind == KIND_ARRAY || value->kind == KIND_TYPEDARRAY;
}

/* Whether the value is printed with brackets, even if they are empty. */
static bool is_container(const struct console_value *value)
{
    return value->kind != KIND_DOM && (value->count > 0 || (!value->text && !unknown[value->kind] &&
                                                            value->kind != KIND_JSON));
}

static void add_quoted(struct strbuf *text, const char *from)
{
    strbuf_add_string(text, "'");
    console_add_line(text, from, CONSOLE_INNER_TEXT_MAX);
    strbuf_add_string(text, "'");
}

/* An identifier, an index, or an internal slot as Chrome writes it: "[[PromiseState]]". */
static bool is_name(const char *key)
{
    size_t length = strlen(key);
    bool is_slot = length > 4 && strncmp(key, "[[", 2) == 0 && strcmp(key + length - 2, "]]") == 0;
    key += is_slot ? 2 : 0;
    length -= is_slot ? 4 : 0;
    size_t i = 0;
    while (i < length && (isalnum((unsigned char)key[i]) || key[i] == '_' || key[i] == '$')) {
        i++;
    }
    return i > 0 && i == length &&
           (!isdigit((unsigned char)key[0]) || strspn(key, "0123456789") == i);
}

/* Prints a short source of the argument itself, and only the name of a member. */
static void add_function(struct strbuf *text, const struct console_value *value, bool is_inner)
{
    static const char keyword[] = "function ";
    const char *source = value->text ? value->text : "";
    if (!is_inner && *source && strlen(source) <= SOURCE_MAX_BYTES && !strpbrk(source, "\r\n")) {
        bool is_plain = strncmp(source, keyword, strlen(keyword)) == 0;
        strbuf_add_string(text, is_plain ? "ƒ " : "");
        console_add_line(text, source + (is_plain ? strlen(keyword) : 0), SOURCE_MAX_BYTES);
        return;
    }
    if (strncmp(source, "class", 5) == 0) {
        strbuf_add_string(text, "class ");
    } else {
        strbuf_add_string(text, "ƒ ");
    }
    console_add_line(text, value->name ? value->name : "", NAME_MAX_BYTES);
    strbuf_add_string(text, strncmp(source, "class", 5) == 0 ? "" : "()");
}

static void add_element(struct strbuf *text, const struct console_value *value)
{
    if (value->text && *value->text == '<') {
        console_add_line(text, value->text, CONSOLE_INNER_TEXT_MAX);
        return;
    }
    if (!value->name) {
        console_add_line(text, value->text ? value->text : unknown[KIND_DOM],
                         CONSOLE_INNER_TEXT_MAX);
        return;
    }
    if (*value->name == '#') { /* "#text", "#document" */
        console_add_line(text, value->name, NAME_MAX_BYTES);
        if (value->text) {
            strbuf_add_string(text, " ");
            add_quoted(text, value->text);
        }
        return;
    }
    char tag[NAME_MAX_BYTES];
    size_t length = 0;
    for (; value->name[length] && length < sizeof(tag) - 1; length++) {
        tag[length] = (char)tolower((unsigned char)value->name[length]);
    }
    tag[length] = '\0';
    strbuf_add_string(text, "<");
    console_add_line(text, tag, NAME_MAX_BYTES);
    for (size_t i = 0; i < value->count && !text->overflowed; i++) {
        const struct console_member *member = &value->members[i];
        const char *content =
            member->value.json ? json_string_value(member->value.json) : member->value.text;
        if (member->key && content && *content && strcmp(member->key, "tagName") != 0) {
            strbuf_add_string(text, " ");
            console_add_line(text, strcmp(member->key, "className") ? member->key : "class",
                             NAME_MAX_BYTES);
            strbuf_add_string(text, "=\"");
            console_add_line(text, content, NAME_MAX_BYTES);
            strbuf_add_string(text, "\"");
        }
    }
    strbuf_add_string(text, ">");
}

static void add_json(struct strbuf *text, const json_t *json, size_t limit)
{
    CLEANUP_FREE char *dump = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
    console_add_line(text, dump, limit);
}

/* The "n" that a BigInt's text may lack. */
static const char *suffix_of(const struct console_value *value)
{
    size_t length = value->text ? strlen(value->text) : 0;
    return value->kind == KIND_BIGINT && length > 0 && value->text[length - 1] != 'n' ? "n" : "";
}

static void add_scalar(struct strbuf *text, const struct console_style *style,
                       const struct console_value *value, bool is_inner)
{
    enum console_color color =
        value->kind == KIND_STRING && !is_inner ? COLOR_NONE : colors[value->kind];
    console_color_begin(text, style, color);
    if (value->kind == KIND_STRING && is_inner) {
        add_quoted(text, value->text);
    } else if (value->kind == KIND_STRING) {
        console_add_line(text, value->text, CONSOLE_TEXT_MAX);
    } else if (value->kind == KIND_JSON) {
        add_json(text, value->json, is_inner ? CONSOLE_INNER_TEXT_MAX : CONSOLE_TEXT_MAX);
    } else if (value->kind == KIND_FUNCTION) {
        add_function(text, value, is_inner);
    } else if (value->kind == KIND_DOM) {
        add_element(text, value);
    } else if (value->kind == KIND_NULL || value->kind == KIND_UNDEFINED ||
               value->kind == KIND_CIRCULAR || value->kind == KIND_MAX_DEPTH ||
               value->kind == KIND_ACCESSOR) {
        strbuf_add_string(text, unknown[value->kind]);
    } else if (value->text) {
        console_add_line(text, value->text, CONSOLE_INNER_TEXT_MAX);
        strbuf_add_string(text, suffix_of(value));
    } else {
        strbuf_add_string(text, unknown[value->kind] ? unknown[value->kind] : "{}");
    }
    console_color_end(text, style, color);
}

static void add_size(struct strbuf *text, const char *name, size_t count)
{
    strbuf_add_format(text, "%s(%zu) ", name, count);
}

/* Adds what Chrome prints before the brackets: "(3) ", "Map(1) ", "Shop ". */
static void add_head(struct strbuf *text, const struct console_value *value)
{
    static const char *const names[CONSOLE_KINDS] = {
        [KIND_MAP] = "Map",
        [KIND_SET] = "Set",
        [KIND_WEAKMAP] = "WeakMap",
        [KIND_WEAKSET] = "WeakSet",
        [KIND_TYPEDARRAY] = "TypedArray",
    };
    bool is_known = value->left_out != CONSOLE_LEFT_UNKNOWN;
    size_t count = value->count + (is_known ? value->left_out : 0);
    bool is_plain = !value->class_name || strcmp(value->class_name, "Object") == 0 ||
                    strcmp(value->class_name, "Array") == 0 || !*value->class_name;
    CLEANUP_STRBUF struct strbuf name = STRBUF_INIT(STRBUF_UNCAPPED);
    if (!is_plain) {
        console_add_line(&name, value->class_name, NAME_MAX_BYTES);
    } else if (names[value->kind]) {
        strbuf_add_string(&name, names[value->kind]);
    } else if (value->kind == KIND_PROMISE) {
        strbuf_add_string(&name, unknown[KIND_PROMISE]);
    }
    if (names[value->kind] || (is_list(value) && (count > 1 || name.length > 0))) {
        add_size(text, name.data, count);
    } else if (name.length > 0) {
        strbuf_add_format(text, "%s ", name.data);
    }
}

static void add_value(struct strbuf *text, const struct console_style *style,
                      const struct console_value *value, bool is_inner);

static void add_key(struct strbuf *text, const struct console_style *style,
                    const struct console_member *member)
{
    if (member->key_value) {
        add_value(text, style, member->key_value, true);
        strbuf_add_string(text, " => ");
    } else if (member->key) {
        if (is_name(member->key)) {
            console_add_line(text, member->key, NAME_MAX_BYTES);
        } else {
            add_quoted(text, member->key);
        }
        strbuf_add_string(text, ": ");
    }
}

static void add_left_out(struct strbuf *text, const struct console_value *value)
{
    if (value->left_out == CONSOLE_LEFT_UNKNOWN) {
        strbuf_add_string(text, "…");
    } else if (value->left_out > 0) {
        strbuf_add_format(text, "… %zu more", value->left_out);
    }
}

static void add_value(struct strbuf *text, const struct console_style *style,
                      const struct console_value *value, bool is_inner)
{
    if (!is_container(value)) {
        add_scalar(text, style, value, is_inner);
        return;
    }
    add_head(text, value);
    strbuf_add_string(text, is_list(value) ? "[" : "{");
    for (size_t i = 0; i < value->count && !text->overflowed; i++) {
        strbuf_add_string(text, i > 0 ? ", " : "");
        add_key(text, style, &value->members[i]);
        add_value(text, style, &value->members[i].value, true);
    }
    strbuf_add_string(text, value->count > 0 && value->left_out > 0 ? ", " : "");
    add_left_out(text, value);
    strbuf_add_string(text, is_list(value) ? "]" : "}");
}

void console_add_value_line(struct strbuf *text, const struct console_style *style,
                            const struct console_value *value, bool is_inner)
{
    add_value(text, style, value, is_inner);
}

/* Adds the value if it fits on one line. */
static bool add_fitting(struct strbuf *text, const struct console_style *style,
                        const struct console_value *value, size_t indent)
{
    static const struct console_style plain = { 0 };
    size_t room = LINE_MAX_BYTES > indent ? LINE_MAX_BYTES - indent : 0;
    CLEANUP_STRBUF struct strbuf line = STRBUF_INIT(room);
    add_value(&line, &plain, value, true);
    if (!line.overflowed && style->has_colors) {
        add_value(text, style, value, true);
    } else if (!line.overflowed) {
        strbuf_add(text, line.data, line.length);
    }
    return !line.overflowed;
}

static void add_indent(struct strbuf *text, size_t indent)
{
    strbuf_add_format(text, "\n%*s", (int)indent, "");
}

/* Whether the value is a list without containers, which gets several members on a line. */
static bool is_flat(const struct console_value *value)
{
    for (size_t i = 0; i < value->count; i++) {
        if (is_container(&value->members[i].value)) {
            return false;
        }
    }
    return is_list(value);
}

/* Adds the members of a flat list, as many on a line as fit. */
static void add_rows(struct strbuf *text, const struct console_style *style,
                     const struct console_value *value, size_t indent)
{
    static const struct console_style plain = { 0 };
    size_t used = LINE_MAX_BYTES;
    for (size_t i = 0; i < value->count && !text->overflowed; i++) {
        const struct console_value *member = &value->members[i].value;
        CLEANUP_STRBUF struct strbuf line = STRBUF_INIT(STRBUF_UNCAPPED);
        add_value(&line, &plain, member, true);
        if (used + line.length + 2 > LINE_MAX_BYTES) {
            add_indent(text, indent);
            used = indent;
        } else {
            strbuf_add_string(text, " ");
        }
        add_value(text, style, member, true);
        strbuf_add_string(text, i + 1 < value->count || value->left_out > 0 ? "," : "");
        used += line.length + 2;
    }
}

/* Adds the value on one line, or with a line for each member if that is too long. */
static void add_spread(struct strbuf *text, const struct console_style *style,
                       const struct console_value *value, size_t indent)
{
    if (!is_container(value) || value->count == 0) {
        add_value(text, style, value, true);
        return;
    }
    if (add_fitting(text, style, value, indent)) {
        return;
    }
    add_head(text, value);
    strbuf_add_string(text, is_list(value) ? "[" : "{");
    if (is_flat(value)) {
        add_rows(text, style, value, indent + INDENT);
    }
    for (size_t i = 0; !is_flat(value) && i < value->count && !text->overflowed; i++) {
        add_indent(text, indent + INDENT);
        add_key(text, style, &value->members[i]);
        add_spread(text, style, &value->members[i].value, indent + INDENT);
        strbuf_add_string(text, i + 1 < value->count || value->left_out > 0 ? "," : "");
    }
    if (value->left_out > 0) {
        add_indent(text, indent + INDENT);
        add_left_out(text, value);
    }
    add_indent(text, indent);
    strbuf_add_string(text, is_list(value) ? "]" : "}");
}

/* Chrome's stacks begin with the message; those of other browsers do not. */
static void add_error(struct strbuf *text, const struct console_style *style,
                      const struct console_value *value)
{
    const char *message = value->text ? value->text : "";
    bool has_message = value->stack && *message && strstr(value->stack, message);
    console_color_begin(text, style, COLOR_RED);
    if (!has_message) {
        console_add_lines(text, *message ? message : unknown[KIND_ERROR], CONSOLE_TEXT_MAX);
        strbuf_add_string(text, value->stack ? "\n" : "");
    }
    console_add_lines(text, value->stack, CONSOLE_TEXT_MAX);
    console_color_end(text, style, COLOR_RED);
}

static void add_argument(struct strbuf *text, const struct console_style *style,
                         const struct console_value *value)
{
    if (value->kind == KIND_STRING) {
        console_add_lines(text, value->text, CONSOLE_TEXT_MAX);
    } else if (value->kind == KIND_ERROR) {
        add_error(text, style, value);
    } else if (value->kind == KIND_JSON || value->kind == KIND_FUNCTION) {
        add_scalar(text, style, value, false);
    } else {
        add_spread(text, style, value, 0);
    }
}

/* Adds a whole number for %d and %i, any number for %f. */
static void add_number(struct strbuf *text, const struct console_value *value, bool is_whole)
{
    const char *from = value->text ? value->text : "";
    char *end = NULL;
    double number = strtod(from, &end);
    if (value->kind == KIND_JSON && json_is_number(value->json)) {
        number = json_number_value(value->json);
    } else if (end == from || (value->kind != KIND_NUMBER && value->kind != KIND_STRING &&
                               value->kind != KIND_BIGINT)) {
        number = NAN;
    }
    CLEANUP_FREE char *shown = console_number_text(is_whole ? trunc(number) : number);
    strbuf_add_string(text, shown);
}

static void add_directive(struct strbuf *text, const struct console_style *style, char directive,
                          const struct console_value *value)
{
    if (directive == 's') {
        if (value->kind == KIND_STRING) {
            console_add_lines(text, value->text, CONSOLE_TEXT_MAX);
        } else {
            add_value(text, style, value, false);
        }
    } else if (directive == 'd' || directive == 'i' || directive == 'f') {
        add_number(text, value, directive != 'f');
    } else if (directive != 'c') {
        add_spread(text, style, value, 0);
    }
}

/* Adds the format with its arguments; returns how many arguments it used, itself included. */
static size_t add_format(struct strbuf *text, const struct console_style *style,
                         const struct console_value *args, size_t count)
{
    const char *plain = args[0].text ? args[0].text : "";
    size_t used = 1;
    for (const char *at = strchr(plain, '%'); at; at = strchr(at, '%')) {
        bool is_escape = at[1] == '%';
        bool is_directive = at[1] && strchr("sdifoOc", at[1]) && used < count;
        if (!is_escape && !is_directive) {
            at++;
            continue;
        }
        CLEANUP_FREE char *part = xstrndup(plain, (size_t)(at - plain) + is_escape);
        console_add_lines(text, part, CONSOLE_TEXT_MAX);
        if (is_directive) {
            add_directive(text, style, at[1], &args[used++]);
        }
        at += 2;
        plain = at;
    }
    console_add_lines(text, plain, CONSOLE_TEXT_MAX);
    return used;
}

void console_add_args(struct strbuf *text, const struct console_style *style,
                      const struct console_value *args, size_t count)
{
    size_t used = 0;
    if (count > 1 && args[0].kind == KIND_STRING && args[0].text && strchr(args[0].text, '%')) {
        used = add_format(text, style, args, count);
    }
    for (size_t i = used; i < count && !text->overflowed; i++) {
        strbuf_add_string(text, i > 0 ? " " : "");
        add_argument(text, style, &args[i]);
    }
}
