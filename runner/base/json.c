#include "runner/base/json.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"

#include <stdarg.h>
#include <string.h>

json_t *json_parse(const char *text, size_t length, const char *source, struct br_error *err)
{
    json_error_t where;
    /* U+0000 is legal in JSON, and pages do log it. */
    json_t *root = json_loadb(text, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, &where);
    if (!root) {
        error_set(err, BR_UNKNOWN_ERROR, "%s is no JSON: line %d, column %d: %s", source,
                  where.line, where.column, where.text);
    }
    return root;
}

bool json_read(json_t *root, const char *source, struct br_error *err, const char *format, ...)
{
    json_error_t where;
    va_list args;
    va_start(args, format);
    int result = json_vunpack_ex(root, &where, 0, format, args);
    va_end(args);
    if (result != 0) {
        return error_set(err, BR_UNKNOWN_ERROR, "%s: %s", source, where.text);
    }
    return true;
}

const char *json_member_string(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

double json_member_number(const json_t *object, const char *key, double fallback)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : fallback;
}

bool json_member_bool(const json_t *object, const char *key, bool fallback)
{
    const json_t *value = json_object_get(object, key);
    return json_is_boolean(value) ? json_is_true(value) : fallback;
}

/* The length of the UTF-8 sequence at text, 0 if it is broken. */
static size_t utf8_sequence(const unsigned char *text)
{
    size_t length = text[0] < 0x80   ? 1
                    : text[0] < 0xC2 ? 0
                    : text[0] < 0xE0 ? 2
                    : text[0] < 0xF0 ? 3
                    : text[0] < 0xF5 ? 4
                                     : 0;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    if ((text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F) ||
        (text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F)) {
        return 0;
    }
    return length;
}

json_t *json_text(const char *text)
{
    json_t *value = json_string(text);
    if (value) {
        return value;
    }
    CLEANUP_STRBUF struct strbuf clean = STRBUF_INIT(STRBUF_UNCAPPED);
    for (const char *c = text; *c;) {
        size_t length = utf8_sequence((const unsigned char *)c);
        strbuf_add(&clean, length ? c : "\xEF\xBF\xBD", length ? length : 3);
        c += length ? length : 1;
    }
    return json_string(clean.data);
}
