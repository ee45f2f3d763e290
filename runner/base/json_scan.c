#include "runner/base/json_scan.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

const char *json_scan_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) {
        at++;
    }
    return at;
}

const char *json_scan_string(const char *at, const char *end)
{
    if (at >= end || *at != '"') {
        return NULL;
    }
    at++;
    for (;;) {
        const char *quote = memchr(at, '"', (size_t)(end - at));
        if (!quote) {
            return NULL;
        }
        const char *backslash = quote;
        while (backslash > at && backslash[-1] == '\\') {
            backslash--;
        }
        at = quote + 1;
        if ((quote - backslash) % 2 == 0) {
            return at;
        }
    }
}

static const char *skip_nested(const char *at, const char *end)
{
    size_t depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = json_scan_string(at, end);
            if (!at) {
                return NULL;
            }
            continue;
        }
        if (*at == '{' || *at == '[') {
            depth++;
        } else if ((*at == '}' || *at == ']') && --depth == 0) {
            return at + 1;
        }
        at++;
    }
    return NULL;
}

static const char *skip_scalar(const char *at, const char *end)
{
    const char *from = at;
    /* strchr() also matches the terminating NUL. */
    while (at < end && !strchr(",}] \t\r\n", *at)) {
        at++;
    }
    return at > from ? at : NULL;
}

const char *json_scan_value(const char *at, const char *end)
{
    if (at < end && *at == '"') {
        return json_scan_string(at, end);
    }
    if (at < end && (*at == '{' || *at == '[')) {
        return skip_nested(at, end);
    }
    return skip_scalar(at, end);
}

size_t json_scan_count(const char *text, size_t length)
{
    size_t values = 0;
    bool is_string = false;
    for (size_t i = 0; i < length; i++) {
        is_string ^= text[i] == '"';
        i += is_string && text[i] == '\\';
        values += !is_string && (text[i] == ',' || text[i] == '[' || text[i] == '{');
    }
    return values;
}
