#include "runner/base/json_layout.h"

#include "runner/base/memory.h"
#include "runner/base/unicode.h"

#include <string.h>

enum { COLUMNS = 100, INDENT = 2 };

static void add(const json_t *value, size_t depth, size_t column, struct strbuf *text);

/* Adds a member or an item on its own line. */
static void add_entry(const char *key, const json_t *value, size_t depth, struct strbuf *text)
{
    strbuf_add_format(text, "\n%*s", (int)(depth * INDENT), "");
    size_t column = depth * INDENT;
    if (key) {
        json_auto_t *name = json_string(key);
        CLEANUP_FREE char *written = json_dumps(name, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        strbuf_add_format(text, "%s: ", written);
        column += strlen(written) + 2;
    }
    add(value, depth, column, text);
}

static void add_entries(const json_t *value, size_t depth, struct strbuf *text)
{
    const char *key;
    json_t *item;
    size_t index;
    size_t count = 0;
    json_object_foreach ((json_t *)value, key, item) {
        strbuf_add_string(text, count++ ? "," : "");
        add_entry(key, item, depth, text);
    }
    json_array_foreach (value, index, item) {
        strbuf_add_string(text, index ? "," : "");
        add_entry(NULL, item, depth, text);
    }
}

static bool is_plain_array(const json_t *value)
{
    size_t index;
    json_t *item;
    json_array_foreach (value, index, item) {
        if (json_is_object(item) || json_is_array(item)) {
            return false;
        }
    }
    return json_is_array(value);
}

/* Puts as many items on a line as fit. */
static void add_filled(const json_t *array, size_t depth, struct strbuf *text)
{
    size_t index;
    size_t column = COLUMNS;
    json_t *item;
    json_array_foreach (array, index, item) {
        CLEANUP_FREE char *written = json_dumps(item, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        bool is_new_line = column + strlen(written) + 3 > COLUMNS;
        strbuf_add_string(text, index ? "," : "");
        if (is_new_line) {
            column = depth * INDENT;
            strbuf_add_format(text, "\n%*s", (int)column, "");
        }
        strbuf_add_format(text, "%s%s", is_new_line ? "" : " ", written);
        column += strlen(written) + 2;
    }
}

static void add(const json_t *value, size_t depth, size_t column, struct strbuf *text)
{
    CLEANUP_FREE char *line = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    bool is_nested = json_is_object(value) || json_is_array(value);
    /* Leaves room for a comma. */
    if (!is_nested || column + strlen(line) < COLUMNS) {
        strbuf_add_string(text, line);
        return;
    }
    strbuf_add_string(text, json_is_object(value) ? "{" : "[");
    if (is_plain_array(value)) {
        add_filled(value, depth + 1, text);
    } else {
        add_entries(value, depth + 1, text);
    }
    strbuf_add_format(text, "\n%*s%s", (int)(depth * INDENT), "",
                      json_is_object(value) ? "}" : "]");
}

void json_layout(const json_t *value, struct strbuf *text)
{
    add(value, 0, 0, text);
}

void json_make_harmless(struct strbuf *line)
{
    static const char signs[] = "#\x7F\xC2\xD8\xE2"; /* first bytes of what is escaped */
    if (!line->data || !strpbrk(line->data, signs)) {
        return;
    }
    struct strbuf harmless = STRBUF_INIT(STRBUF_UNCAPPED);
    const char *text = line->data;
    const char *end = text + line->length;
    while (text < end) {
        size_t plain = strcspn(text, signs);
        strbuf_add(&harmless, text, plain);
        text += plain;
        if (text == end) {
            break;
        }
        if (strncmp(text, "##[", 3) == 0) {
            strbuf_add_string(&harmless, "##\\u005b");
            text += 3;
            continue;
        }
        const char *start = text;
        uint32_t character = *text == '#' ? (uint32_t)*text++ : unicode_decode(&text);
        if (unicode_is_control(character)) {
            strbuf_add_format(&harmless, "\\u%04x", (unsigned)character);
        } else {
            strbuf_add(&harmless, start, (size_t)(text - start));
        }
    }
    strbuf_finish(line);
    *line = harmless;
}
