#include "runner/snapshot/dom/scan.h"

#include "runner/base/memory.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIGITS = 15 /* digits of a number that a double represents exactly */ };

static void fail(struct scan *scan)
{
    scan->is_broken = true;
    scan->at = scan->end;
}

static void skip_space(struct scan *scan)
{
    while (*scan->at == ' ' || *scan->at == '\n' || *scan->at == '\r' || *scan->at == '\t') {
        scan->at++;
    }
}

/* Consumes this character if it comes next; returns whether it did. */
static bool take(struct scan *scan, char wanted)
{
    skip_space(scan);
    if (*scan->at != wanted) {
        return false;
    }
    scan->at++;
    return true;
}

/* Opens an object or array, moves to its next entry, or closes it. */
static bool step(struct scan *scan, int *state, char open, char close)
{
    if (scan->is_broken) {
        return false;
    }
    bool is_first = *state == 0;
    *state = 1;
    if (is_first && !take(scan, open)) {
        fail(scan);
        return false;
    }
    if (take(scan, close)) {
        return false;
    }
    if (!is_first && !take(scan, ',')) {
        fail(scan);
        return false;
    }
    return true;
}

const char *scan_member(struct scan *scan, int *state)
{
    if (!step(scan, state, '{', '}')) {
        return NULL;
    }
    const char *key = scan_string(scan);
    if (!scan->is_broken && !take(scan, ':')) {
        fail(scan);
    }
    return scan->is_broken ? NULL : key;
}

bool scan_item(struct scan *scan, int *state)
{
    return step(scan, state, '[', ']');
}

/* Moves behind the closing quote of the string at the position. */
static void skip_string(struct scan *scan)
{
    char *at = scan->at + 1;
    while (at < scan->end && *at != '"') {
        at += *at == '\\' ? 2 : 1;
    }
    if (at >= scan->end) {
        fail(scan);
        return;
    }
    scan->at = at + 1;
}

void scan_skip(struct scan *scan)
{
    size_t depth = 0;
    do {
        skip_space(scan);
        char first = *scan->at;
        if (scan->at >= scan->end) {
            fail(scan);
            return;
        }
        if (first == '"') {
            skip_string(scan);
        } else if (first == '{' || first == '[') {
            depth++;
            scan->at++;
        } else if (first == '}' || first == ']') {
            if (depth == 0) {
                fail(scan);
                return;
            }
            depth--;
            scan->at++;
        } else {
            scan->at += strcspn(scan->at + 1, "\",:{}[] \n\r\t") + 1;
        }
        skip_space(scan);
        while (depth > 0 && (*scan->at == ',' || *scan->at == ':')) {
            scan->at++;
            skip_space(scan);
        }
    } while (depth > 0);
}

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

double scan_number(struct scan *scan)
{
    static const double powers[] = { 1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
    skip_space(scan);
    char *at = scan->at;
    bool is_negative = *at == '-';
    at += is_negative;
    int64_t digits = 0;
    int count = 0;
    int behind_point = 0;
    bool has_point = false;
    for (; (is_digit(*at) || (*at == '.' && !has_point)) && count < MAX_DIGITS; at++) {
        if (*at == '.') {
            has_point = true;
            continue;
        }
        digits = digits * 10 + (*at - '0');
        behind_point += has_point;
        count++;
    }
    if (count == 0) {
        fail(scan);
        return 0;
    }
    if (is_digit(*at) || *at == 'e' || *at == 'E' || *at == '.') {
        char *end = NULL;
        double value = strtod(scan->at, &end);
        scan->at = end;
        return value;
    }
    scan->at = at;
    double value = (double)digits / powers[behind_point];
    return is_negative ? -value : value;
}

int scan_int(struct scan *scan)
{
    double value = scan_number(scan);
    if (!(value >= INT_MIN && value <= INT_MAX) || value != (double)(int)value) {
        fail(scan);
        return 0;
    }
    return (int)value;
}

static int hex_value(char digit)
{
    if (is_digit(digit)) {
        return digit - '0';
    }
    char lower = (char)(digit | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Returns the value of the four digits after \u; -1 if they are invalid. */
static int hex_unit(const char *at)
{
    int unit = 0;
    for (int i = 0; i < 4; i++) {
        int value = hex_value(at[i]);
        if (value < 0) {
            return -1;
        }
        unit = unit * 16 + value;
    }
    return unit;
}

static char *put_utf8(char *out, unsigned code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    } else {
        *out++ = (char)(0xF0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    }
    return out;
}

/*
 * Decodes \uXXXX, including surrogate pairs; *at is behind the `u`. The output is never longer than
 * the escape.
 */
static char *put_unit(struct scan *scan, char **at, char *out)
{
    enum { REPLACEMENT = 0xFFFD };
    int unit = hex_unit(*at);
    if (unit < 0) {
        fail(scan);
        return out;
    }
    *at += 4;
    unsigned code = (unsigned)unit;
    if (unit >= 0xD800 && unit < 0xDC00 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        int low = hex_unit(*at + 2);
        if (low >= 0xDC00 && low < 0xE000) {
            *at += 6;
            return put_utf8(out, 0x10000 + ((code - 0xD800) << 10) + ((unsigned)low - 0xDC00));
        }
    }
    bool is_text = code != 0 && !(code >= 0xD800 && code < 0xE000);
    return put_utf8(out, is_text ? code : REPLACEMENT);
}

static char *put_escape(struct scan *scan, char **at, char *out)
{
    static const char escapes[] = "\"\\/bfnrt";
    static const char semantics[] = "\"\\/\b\f\n\r\t";
    char kind = *(*at)++;
    const char *found = kind ? strchr(escapes, kind) : NULL;
    if (found) {
        *out++ = semantics[found - escapes];
        return out;
    }
    if (kind != 'u') {
        fail(scan);
        return out;
    }
    return put_unit(scan, at, out);
}

const char *scan_string(struct scan *scan)
{
    if (!take(scan, '"')) {
        fail(scan);
        return "";
    }
    char *begin = scan->at;
    char *at = begin + strcspn(begin, "\"\\");
    char *out = at;
    while (!scan->is_broken && *at && *at != '"') {
        if (*at == '\\') {
            at++;
            out = put_escape(scan, &at, out);
        } else {
            size_t plain = strcspn(at, "\"\\");
            memmove(out, at, plain);
            out += plain;
            at += plain;
        }
    }
    if (scan->is_broken || *at != '"') {
        fail(scan);
        return "";
    }
    scan->at = at + 1;
    *out = '\0';
    return begin;
}

static void add_int(struct scan_ints *ints, int value)
{
    ints->items = array_reserve(ints->items, ints->count, &ints->capacity, sizeof(*ints->items));
    ints->items[ints->count++] = value;
}

void scan_ints(struct scan *scan, struct scan_ints *ints)
{
    int state = 0;
    while (scan_item(scan, &state)) {
        add_int(ints, scan_int(scan));
    }
}

void scan_int_lists(struct scan *scan, struct scan_int_lists *lists)
{
    int state = 0;
    while (scan_item(scan, &state)) {
        scan_ints(scan, &lists->values);
        add_int(&lists->ends, (int)lists->values.count);
    }
}

void scan_float_lists(struct scan *scan, struct scan_float_lists *lists)
{
    int state = 0;
    while (scan_item(scan, &state)) {
        int inner = 0;
        struct scan_floats *values = &lists->values;
        while (scan_item(scan, &inner)) {
            values->items = array_reserve(values->items, values->count, &values->capacity,
                                          sizeof(*values->items));
            values->items[values->count++] = (float)scan_number(scan);
        }
        add_int(&lists->ends, (int)values->count);
    }
}
