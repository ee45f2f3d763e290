#include "runner/observe/places.h"

#include "runner/base/strbuf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NUMBER_DIGITS = 9, MAX_URL_BYTES = 64 * 1024 };

/* Reads ":123". Returns its length, 0 for anything else. */
static size_t read_number(const char *at, int *ret_number)
{
    size_t digits = *at == ':' ? strspn(at + 1, "0123456789") : 0;
    if (digits == 0 || digits > MAX_NUMBER_DIGITS) {
        return 0;
    }
    *ret_number = (int)strtol(at + 1, NULL, 10);
    return 1 + digits;
}

/* The beginning of the next URL; NULL: there is none. */
static const char *find_url(const char *text)
{
    for (const char *at = strstr(text, "http"); at; at = strstr(at + 1, "http")) {
        const char *behind = at + strlen("http");
        behind += *behind == 's';
        if (strncmp(behind, "://", 3) == 0) {
            return at;
        }
    }
    return NULL;
}

/* Reads a place that begins at `url`. Skips a port, and a time in a query. */
static bool read_place(const char *url, size_t length, size_t *ret_url_length, size_t *ret_length,
                       int *ret_line, int *ret_column)
{
    for (const char *at = url; (at = memchr(at, ':', length - (size_t)(at - url))); at++) {
        size_t line = read_number(at, ret_line);
        size_t column = line ? read_number(at + line, ret_column) : 0;
        if (column && at[line + column] != ':') {
            *ret_url_length = (size_t)(at - url);
            *ret_length = *ret_url_length + line + column;
            return true;
        }
    }
    return false;
}

char *places_rewrite(const char *text, size_t max_bytes, places_find *find, void *data)
{
    CLEANUP_STRBUF struct strbuf result = STRBUF_INIT(max_bytes);
    bool is_changed = false;
    for (const char *url; text && (url = find_url(text));) {
        size_t length = strcspn(url, " \t\r\n<>\"'");
        size_t url_length = 0;
        int line = 0;
        int column = 0;
        bool is_place = length <= MAX_URL_BYTES &&
                        read_place(url, length, &url_length, &length, &line, &column);
        CLEANUP_FREE char *name = is_place ? xstrndup(url, url_length) : NULL;
        CLEANUP_FREE char *found = name ? find(data, name, line, column) : NULL;
        strbuf_add(&result, text, (size_t)(url - text));
        strbuf_add(&result, found ? found : url, found ? strlen(found) : length);
        is_changed |= found != NULL;
        text = url + length;
    }
    if (!is_changed) {
        return NULL;
    }
    strbuf_add_string(&result, text);
    return result.overflowed ? NULL : strbuf_take(&result);
}
