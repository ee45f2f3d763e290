#include "runner/snapshot/markdown/annotation.h"

#include <ctype.h>
#include <string.h>

/* Returns the length of a scheme with its colon; 0: none. */
static size_t scheme_length(const char *url)
{
    size_t length = 0;
    while (isalnum((unsigned char)url[length]) ||
           (length > 0 && url[length] && strchr("+.-", url[length]))) {
        length++;
    }
    return isalpha((unsigned char)url[0]) && url[length] == ':' ? length + 1 : 0;
}

/* Removes surrounding spaces, and tabs and line breaks inside. Caller frees. */
static char *clean(const char *reference)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    while (isspace((unsigned char)*reference)) {
        reference++;
    }
    size_t length = strlen(reference);
    while (length > 0 && isspace((unsigned char)reference[length - 1])) {
        length--;
    }
    bool is_path = scheme_length(reference) == 0;
    for (size_t i = 0; i < length; i++) {
        char character = reference[i];
        is_path = is_path && character != '?' && character != '#';
        if (character != '\t' && character != '\n' && character != '\r') {
            strbuf_add(&text, is_path && character == '\\' ? "/" : &character, 1);
        }
    }
    return strbuf_take(&text);
}

/* Adds the path without `.` and `..` segments; keeps the text before it. */
static void add_path(struct strbuf *address, const char *path, size_t length)
{
    size_t root = address->length;
    while (length > 0) {
        size_t end = 1;
        while (end < length && path[end] != '/') {
            end++;
        }
        bool is_last = end == length;
        if (end == 3 && strncmp(path, "/..", 3) == 0) {
            size_t keep = address->length;
            while (keep > root && address->data[--keep] != '/') {
            }
            address->length = keep;
            strbuf_add(address, "/", is_last ? 1 : 0);
        } else if (end == 2 && strncmp(path, "/.", 2) == 0) {
            strbuf_add(address, "/", is_last ? 1 : 0);
        } else {
            strbuf_add(address, path, end);
        }
        path += end;
        length -= end;
    }
}

void address_resolve(const char *base, const char *reference, struct strbuf *address)
{
    CLEANUP_FREE char *text = clean(reference);
    size_t scheme = scheme_length(base);
    bool has_path = scheme > 0 && strncmp(base + scheme, "//", 2) == 0;
    if (scheme_length(text) > 0 || !has_path) {
        strbuf_add_string(address, text);
        return;
    }
    size_t path = scheme + 2 + strcspn(base + scheme + 2, "/?#");
    size_t path_end = path + strcspn(base + path, "?#");
    size_t query_end = path_end + strcspn(base + path_end, "#");
    if (strncmp(text, "//", 2) == 0) {
        strbuf_add(address, base, scheme);
        strbuf_add_string(address, text);
        return;
    }
    if (*text == '\0' || *text == '#' || *text == '?') {
        strbuf_add(address, base, *text == '?' ? path_end : query_end);
        strbuf_add_string(address, text);
        return;
    }
    CLEANUP_STRBUF struct strbuf whole = STRBUF_INIT(STRBUF_UNCAPPED);
    size_t rest = strcspn(text, "?#");
    if (*text != '/') {
        size_t folder = path_end;
        while (folder > path && base[folder - 1] != '/') {
            folder--;
        }
        strbuf_add(&whole, base + path, folder - path);
        strbuf_add(&whole, "/", folder == path ? 1 : 0);
    }
    strbuf_add(&whole, text, rest);
    strbuf_add(address, base, path);
    add_path(address, whole.data, whole.length);
    strbuf_add_string(address, text + rest);
}
