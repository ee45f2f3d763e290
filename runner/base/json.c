#include "runner/base/json.h"

#include "runner/base/json_layout.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/base/utf8.h"

#include <stdarg.h>
#include <string.h>

/* Largest number up to which a double represents every integer. */
#define LARGEST_EXACT_INTEGER 9007199254740992.0

/* Turns the reals that are integers back into integers. */
static json_t *narrow(json_t *value)
{
    double number = json_real_value(value);
    if (json_is_real(value) && number >= -LARGEST_EXACT_INTEGER &&
        number <= LARGEST_EXACT_INTEGER && (double)(json_int_t)number == number) {
        json_decref(value);
        return json_integer((json_int_t)number);
    }
    const char *key;
    void *next;
    json_t *member;
    size_t index;
    json_object_foreach_safe(value, next, key, member)
    {
        json_object_set_new_nocheck(value, key, narrow(json_incref(member)));
    }
    json_array_foreach (value, index, member) {
        json_array_set_new(value, index, narrow(json_incref(member)));
    }
    return value;
}

/* Returns the UTF-16 unit of the escape \uXXXX at text; -1 if there is no such escape. */
static long escaped_unit(const char *text, const char *end)
{
    char digits[5] = { 0 };
    if (end - text < 6 || text[0] != '\\' || text[1] != 'u') {
        return -1;
    }
    memcpy(digits, text + 2, 4);
    return strspn(digits, "0123456789abcdefABCDEF") == 4 ? strtol(digits, NULL, 16) : -1;
}

/*
 * Replaces half surrogate pairs by U+FFFD, in place. Pages cut strings within a pair;
 * JSON.stringify keeps the half, and jansson refuses it. Returns false if there was none.
 */
static bool mend_surrogates(char *text, size_t length)
{
    const char *end = text + length;
    bool is_mended = false;
    for (char *at = text; at < end; at++) {
        long unit = escaped_unit(at, end);
        bool is_high = unit >= 0xD800 && unit <= 0xDBFF;
        long next = is_high ? escaped_unit(at + 6, end) : -1;
        if (next >= 0xDC00 && next <= 0xDFFF) {
            at += 11;
        } else if (unit >= 0xD800 && unit <= 0xDFFF) {
            memcpy(at + 2, "fffd", 4);
            is_mended = true;
        } else if (*at == '\\') {
            at++;
        }
    }
    return is_mended;
}

json_t *json_parse(const char *text, size_t length, const char *source, struct br_error *err)
{
    json_error_t where;
    /* U+0000 is valid in JSON, and pages do log it. */
    const size_t flags = JSON_DECODE_ANY | JSON_ALLOW_NUL;
    json_t *root = json_loadb(text, length, flags, &where);
    if (!root && json_error_code(&where) == json_error_numeric_overflow) {
        /* JavaScript writes 1e20 as an integer of 21 digits: more than jansson's integers hold. */
        root = json_loadb(text, length, flags | JSON_DECODE_INT_AS_REAL, &where);
        root = root ? narrow(root) : NULL;
    }
    if (!root && json_error_code(&where) == json_error_invalid_syntax) {
        CLEANUP_FREE char *copy = xstrndup(text, length);
        root = mend_surrogates(copy, length) ? json_loadb(copy, length, flags, &where) : NULL;
    }
    if (!root) {
        error_set(err, BR_UNKNOWN_ERROR, "%s is not JSON: line %d, column %d: %s", source,
                  where.line, where.column, where.text);
    }
    return root;
}

/*
 * Appends the path ("a.b") of the value that jansson could not unpack. It reads the format as
 * jansson does up to the token at `column`, because jansson's own message names no field for a
 * wrong type.
 */
static void failed_path(struct strbuf *path, const char *format, va_list args, int column)
{
    enum { DEPTH_MAX = 16 };
    const char *keys[DEPTH_MAX] = { NULL };
    bool is_object[DEPTH_MAX] = { false };
    bool is_key_next = false;
    size_t depth = 0;
    for (int i = 0; i < column - 1 && format[i]; i++) {
        char token = format[i];
        if ((token == '{' || token == '[') && depth < DEPTH_MAX - 1) {
            keys[++depth] = token == '{' ? NULL : "[]";
            is_object[depth] = is_key_next = token == '{';
        } else if ((token == '}' || token == ']') && depth > 0) {
            is_key_next = is_object[--depth];
        } else if (token == 's' && is_key_next) {
            keys[depth] = va_arg(args, const char *);
            is_key_next = false;
        } else if (strchr("sibIfFoO", token)) {
            va_arg(args, void *);
            is_key_next = is_object[depth];
        } else if (token == '%') {
            va_arg(args, void *);
        } else if (token == 'n') {
            is_key_next = is_object[depth];
        }
    }
    for (size_t i = 1; i <= depth && keys[i]; i++) {
        strbuf_add_format(path, "%s%s", i > 1 ? "." : "", keys[i]);
    }
}

bool json_read(json_t *root, const char *source, struct br_error *err, const char *format, ...)
{
    json_error_t where;
    va_list args;
    va_start(args, format);
    int result = json_vunpack_ex(root, &where, 0, format, args);
    va_end(args);
    if (result == 0) {
        return true;
    }
    CLEANUP_STRBUF struct strbuf path = STRBUF_INIT(256);
    va_start(args, format);
    failed_path(&path, format, args, where.column);
    va_end(args);
    if (path.length == 0) {
        return error_set(err, BR_UNKNOWN_ERROR, "%s: %s", source, where.text);
    }
    if (json_error_code(&where) == json_error_item_not_found) {
        return error_set(err, BR_UNKNOWN_ERROR, "%s: \"%s\" is missing", source, path.data);
    }
    return error_set(err, BR_UNKNOWN_ERROR, "%s: \"%s\": %s", source, path.data, where.text);
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

json_t *json_text(const char *text)
{
    json_t *value = json_string(text);
    if (value) {
        return value;
    }
    CLEANUP_STRBUF struct strbuf clean = STRBUF_INIT(STRBUF_UNCAPPED);
    size_t left = strlen(text);
    while (left > 0) {
        size_t length = utf8_sequence(text, left);
        strbuf_add(&clean, length ? text : "\xEF\xBF\xBD", length ? length : 3);
        text += length ? length : 1;
        left -= length ? length : 1;
    }
    return json_string(clean.data);
}

json_t *json_number(double value, int64_t scale)
{
    static const double largest = 9e15;
    double steps = value * (double)scale;
    if (!(steps >= -largest && steps <= largest)) {
        return NULL;
    }
    int64_t rounded = (int64_t)(steps < 0 ? steps - 0.5 : steps + 0.5);
    return rounded % scale == 0 ? json_integer(rounded / scale)
                                : json_real((double)rounded / (double)scale);
}

/*
 * Returns how many digits, 15 to 17, the reals of the tree need. Jansson has one setting for all.
 */
static size_t digits_needed(const json_t *value, size_t digits)
{
    const char *key;
    json_t *member;
    size_t index;
    if (json_is_real(value)) {
        char text[64];
        double real = json_real_value(value);
        while (digits < 17) {
            snprintf(text, sizeof(text), "%.*g", (int)digits, real);
            if (strtod(text, NULL) == real) {
                break;
            }
            digits++;
        }
    }
    json_object_foreach ((json_t *)value, key, member) {
        digits = digits_needed(member, digits);
    }
    json_array_foreach (value, index, member) {
        digits = digits_needed(member, digits);
    }
    return digits;
}

static int add_to_line(const char *bytes, size_t length, void *line)
{
    strbuf_add(line, bytes, length);
    return 0;
}

char *json_line(const json_t *root, size_t *ret_length)
{
    struct strbuf line = STRBUF_INIT(STRBUF_UNCAPPED);
    size_t flags = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits_needed(root, 15));
    json_dump_callback(root, add_to_line, &line, flags);
    json_make_harmless(&line);
    if (ret_length) {
        *ret_length = line.length;
    }
    return strbuf_take(&line);
}
