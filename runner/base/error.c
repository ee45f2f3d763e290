#include "runner/base/error.h"

#include "runner/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const code_names[] = {
    [BR_OK] = "OK",
    [BR_INVALID_ACTION] = "INVALID_ACTION",
    [BR_TARGET_NOT_FOUND] = "TARGET_NOT_FOUND",
    [BR_TARGET_AMBIGUOUS] = "TARGET_AMBIGUOUS",
    [BR_TARGET_NOT_VISIBLE] = "TARGET_NOT_VISIBLE",
    [BR_TARGET_DISABLED] = "TARGET_DISABLED",
    [BR_TARGET_OBSCURED] = "TARGET_OBSCURED",
    [BR_STALE_NODE] = "STALE_NODE",
    [BR_NO_VISUAL_CHANGE] = "NO_VISUAL_CHANGE",
    [BR_TIMEOUT] = "TIMEOUT",
    [BR_NAVIGATION_FAILED] = "NAVIGATION_FAILED",
    [BR_EVAL_ERROR] = "EVAL_ERROR",
    [BR_POLICY_DENIED] = "POLICY_DENIED",
    [BR_EVAL_DISABLED] = "EVAL_DISABLED",
    [BR_BROWSER_NOT_FOUND] = "BROWSER_NOT_FOUND",
    [BR_BROWSER_CRASHED] = "BROWSER_CRASHED",
    [BR_PAGE_CRASHED] = "PAGE_CRASHED",
    [BR_PROFILE_IN_USE] = "PROFILE_IN_USE",
    [BR_DISCONNECTED] = "DISCONNECTED",
    [BR_LIMIT_EXCEEDED] = "LIMIT_EXCEEDED",
    [BR_RATE_LIMITED] = "RATE_LIMITED",
    [BR_UNKNOWN_ERROR] = "UNKNOWN_ERROR",
    [BR_NETWORK_ERROR] = "NETWORK_ERROR",
    [BR_CANCELLED] = "CANCELLED",
};

_Static_assert(sizeof(code_names) / sizeof(code_names[0]) == BR_CODE_COUNT, "each has its name");
_Static_assert((int)BR_CODE_COUNT <= (int)BR_CODE_ROOM, "arrays by code have room for all");

const char *br_code_name(enum br_code code)
{
    return (size_t)code < BR_CODE_COUNT ? code_names[code] : code_names[BR_UNKNOWN_ERROR];
}

enum br_code error_code_from_name(const char *name)
{
    for (size_t i = 0; i < BR_CODE_COUNT; i++) {
        if (strcmp(name, code_names[i]) == 0) {
            return (enum br_code)i;
        }
    }
    return BR_UNKNOWN_ERROR;
}

const char *br_error_category(const struct br_error *err)
{
    if (err->category) {
        return err->category;
    }
    switch (err->code) {
    case BR_EVAL_ERROR:
        return "javascript";
    case BR_NAVIGATION_FAILED:
    case BR_RATE_LIMITED:
    case BR_NETWORK_ERROR:
        return "network";
    default:
        return "automation";
    }
}

const char *br_version(void)
{
    return BROWSER_RUNNER_VERSION;
}

/* Formats into buf; if the text is cut, removes the bytes of an incomplete character. */
static void __attribute__((format(printf, 3, 0)))
format_cut(char *buf, size_t size, const char *format, va_list args)
{
    int length = vsnprintf(buf, size, format, args);
    if (length < 0) {
        buf[0] = '\0';
    }
    if (length >= (int)size) {
        buf[utf8_cut(buf, size - 1)] = '\0';
    }
}

static void prepend(char *buf, size_t size, const char *text)
{
    size_t front = strlen(text);
    size_t back = strlen(buf);
    if (front >= size) {
        return;
    }
    if (back > size - 1 - front) {
        back = utf8_cut(buf, size - 1 - front);
    }
    memmove(buf + front, buf, back);
    memcpy(buf, text, front);
    buf[front + back] = '\0';
}

bool error_set(struct br_error *err, enum br_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    format_cut(err->message, sizeof(err->message), format, args);
    va_end(args);
    err->code = code;
    err->category = NULL;
    err->hint[0] = '\0';
    return false;
}

bool error_set_errno(struct br_error *err, enum br_code code, int error_number, const char *format,
                     ...)
{
    char text[sizeof(err->message)];
    va_list args;
    va_start(args, format);
    format_cut(text, sizeof(text), format, args);
    va_end(args);
    const char *description = strerrordesc_np(error_number);
    if (!description) {
        return error_set(err, code, "%s: error %d", text, error_number);
    }
    return error_set(err, code, "%s: %s", text, description);
}

bool error_hint(struct br_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    format_cut(err->hint, sizeof(err->hint), format, args);
    va_end(args);
    return false;
}

bool error_context(struct br_error *err, const char *format, ...)
{
    char context[256];
    va_list args;
    va_start(args, format);
    format_cut(context, sizeof(context) - 2, format, args);
    va_end(args);
    memcpy(context + strlen(context), ": ", 3);
    prepend(err->message, sizeof(err->message), context);
    return false;
}
