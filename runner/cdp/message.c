#include "runner/cdp/message.h"

#include "runner/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Every helper takes a position in a NUL-terminated text and returns the one behind what it read,
 * or NULL when the text is broken there. */

static const char *skip_space(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') {
        at++;
    }
    return at;
}

static const char *skip_string(const char *at, const char *end)
{
    if (*at != '"') {
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
            at = skip_string(at, end);
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

static const char *skip_value(const char *at, const char *end)
{
    if (*at == '"') {
        return skip_string(at, end);
    }
    if (*at == '{' || *at == '[') {
        return skip_nested(at, end);
    }
    size_t length = strcspn(at, ",}] \t\r\n");
    return length ? at + length : NULL;
}

static struct cdp_slice slice(const char *from, const char *to)
{
    return (struct cdp_slice){ .text = from, .length = (size_t)(to - from) };
}

static struct cdp_slice unquoted(struct cdp_slice value)
{
    if (value.length < 2 || value.text[0] != '"') {
        return (struct cdp_slice){ 0 };
    }
    return (struct cdp_slice){ .text = value.text + 1, .length = value.length - 2 };
}

bool cdp_slice_equals(struct cdp_slice value, const char *text)
{
    return value.length == strlen(text) && memcmp(value.text, text, value.length) == 0;
}

static bool take_member(struct cdp_message *message, struct cdp_slice key, struct cdp_slice value,
                        bool *has_id)
{
    if (cdp_slice_equals(key, "id")) {
        char *end = NULL;
        message->id = strtoll(value.text, &end, 10);
        *has_id = end == value.text + value.length;
        return *has_id;
    }
    if (cdp_slice_equals(key, "method")) {
        message->method = unquoted(value);
    } else if (cdp_slice_equals(key, "sessionId")) {
        message->session_id = unquoted(value);
    } else if (cdp_slice_equals(key, "result")) {
        message->result = value;
    } else if (cdp_slice_equals(key, "error")) {
        message->failure = value;
    } else if (cdp_slice_equals(key, "params")) {
        message->params = value;
    }
    return true;
}

/* Chrome puts the id first and the session last, so nothing less than all of it is looked at. */
static bool scan_object(struct cdp_message *message)
{
    const char *end = message->text + message->length;
    const char *at = skip_space(message->text);
    bool has_id = false;
    if (*at != '{') {
        return false;
    }
    at = skip_space(at + 1);
    while (*at == '"') {
        const char *key_end = skip_string(at, end);
        const char *colon = key_end ? skip_space(key_end) : NULL;
        if (!colon || *colon != ':') {
            return false;
        }
        const char *value = skip_space(colon + 1);
        const char *value_end = skip_value(value, end);
        if (!value_end ||
            !take_member(message, unquoted(slice(at, key_end)), slice(value, value_end), &has_id)) {
            return false;
        }
        at = skip_space(value_end);
        if (*at != ',') {
            break;
        }
        at = skip_space(at + 1);
    }
    message->kind = has_id ? CDP_REPLY : CDP_EVENT;
    return *at == '}' && (has_id || message->method.length > 0);
}

static void destroy_link(struct message *link)
{
    cdp_message_destroy((struct cdp_message *)link);
}

struct cdp_message *cdp_message_scan(char *text, size_t length)
{
    struct cdp_message *message = xcalloc(1, sizeof(*message));
    message->link.destroy = destroy_link;
    message->link.size = length;
    message->text = text;
    message->length = length;
    if (!scan_object(message)) {
        cdp_message_destroy(message);
        return NULL;
    }
    message->link.is_droppable = message->kind == CDP_EVENT;
    return message;
}

struct cdp_message *cdp_message_create(enum cdp_message_kind kind, const char *text)
{
    struct cdp_message *message = xcalloc(1, sizeof(*message));
    message->link.destroy = destroy_link;
    message->kind = kind;
    message->text = xstrdup(text);
    message->length = text ? strlen(text) : 0;
    return message;
}

void cdp_message_destroy(struct cdp_message *message)
{
    if (message) {
        free(message->text);
        free(message);
    }
}

struct cdp_slice cdp_slice_string(struct cdp_slice object, const char *key)
{
    const char *end = object.text + object.length;
    const char *at = object.length && *object.text == '{' ? skip_space(object.text + 1) : NULL;
    while (at && *at == '"') {
        const char *key_end = skip_string(at, end);
        const char *colon = key_end ? skip_space(key_end) : NULL;
        if (!colon || *colon != ':') {
            break;
        }
        const char *value = skip_space(colon + 1);
        const char *value_end = skip_value(value, end);
        if (!value_end) {
            break;
        }
        if (cdp_slice_equals(unquoted(slice(at, key_end)), key)) {
            return unquoted(slice(value, value_end));
        }
        at = skip_space(value_end);
        at = *at == ',' ? skip_space(at + 1) : NULL;
    }
    return (struct cdp_slice){ 0 };
}
