#include "runner/net/handler.h"

#include "runner/base/memory.h"

#include <stdarg.h>
#include <string.h>

void net_log_say(const struct net_log *log, const char *format, ...)
{
    if (log->on_line) {
        va_list args;
        va_start(args, format);
        CLEANUP_FREE char *line = xvasprintf(format, args);
        va_end(args);
        log->on_line(log->data, line);
    }
}

static int hex_digit(char character)
{
    static const char digits[] = "0123456789ABCDEF";
    const char *at = character ? strchr(digits, character) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* gate_add_parameter() has encoded the query, so that two digits follow each "%". */
static bool decode(const char *at, size_t length, char *value, size_t size)
{
    size_t count = 0;
    for (const char *end = at + length; at < end; at++) {
        char byte = *at;
        if (byte == '%' && end - at > 2) {
            byte = (char)(hex_digit(at[1]) * 16 + hex_digit(at[2]));
            at += 2;
        }
        if (byte == '\0' || count + 1 >= size) {
            return false;
        }
        value[count++] = byte;
    }
    value[count] = '\0';
    return true;
}

bool net_query_param(const char *query, const char *name, char *value, size_t size)
{
    size_t length = strlen(name);
    for (const char *at = query; *at; at += strcspn(at, "&"), at += *at == '&') {
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            at += length + 1;
            if (!decode(at, strcspn(at, "&"), value, size)) {
                *value = '\0';
            }
            return true;
        }
    }
    return false;
}
