#include "runner/cdp/cutter.h"

#include "runner/base/cut.h"
#include "runner/base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* The last item of a cut array. */
static const char last_item[] = ",\"…\"";
enum { LAST_ITEM = sizeof(last_item) - 1 };

/* Longest JSON escape of one byte of UTF-8: "\u0001". */
enum { ESCAPE_MAX = 6 };

static void keep(struct cutter *cutter, char *message, const char *from, size_t length)
{
    if (cutter->room) {
        size_t room = cutter->room > cutter->end ? cutter->room - cutter->end : 0;
        length = length < room ? length : room;
    }
    memmove(message + cutter->end, from, length);
    cutter->end += length;
}

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t end_length = strlen(end);
    return length >= end_length && memcmp(text + length - end_length, end, end_length) == 0;
}

/* Returns the limit of a text in bytes, by the name of the member whose value it is. */
static size_t limit_of(const struct cutter *cutter, const char *message)
{
    const char *name = message + cutter->name;
    if (!cutter->is_value) {
        return CUTTER_TEXT;
    }
    if (ends_with(name, cutter->name_length, "url") ||
        ends_with(name, cutter->name_length, "URL")) {
        return CUT_URL;
    }
    return ends_with(name, cutter->name_length, "postData") ? CUTTER_POST_DATA : CUTTER_TEXT;
}

static void begin_text(struct cutter *cutter, const char *message)
{
    cutter->is_text = true;
    cutter->text = cutter->end;
    cutter->characters = 0;
    if (!cutter->dropped_depth) {
        cutter->text_max = limit_of(cutter, message);
        /* A text that fills this room is too long, even if all of it is escaped. */
        cutter->room = cutter->end + ESCAPE_MAX * (cutter->text_max + CUT_MARK_MAX) + 1;
    }
    cutter->is_value = false;
}

static bool is_unit(const char *at, const char *end, char from, char to)
{
    return end - at >= 6 && at[0] == '\\' && at[1] == 'u' && (at[2] | 0x20) == 'd' &&
           (at[3] | 0x20) >= from && (at[3] | 0x20) <= to;
}

/* Returns the length in UTF-8 of an escape such as "\u20ac" that is not half of a pair. */
static size_t unit_length(const char *at)
{
    char digits[5] = { at[2], at[3], at[4], at[5], '\0' };
    unsigned long unit = strtoul(digits, NULL, 16);
    return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
}

/*
 * Returns the length of a character in the JSON text; *ret_decoded is its length in UTF-8. A
 * surrogate pair counts as one character, an incomplete character at the end as one byte of UTF-8.
 * Never 0.
 */
static size_t character_length(const char *at, const char *end, size_t *ret_decoded)
{
    size_t left = (size_t)(end - at);
    if (*at != '\\') {
        size_t length = utf8_sequence(at, left);
        *ret_decoded = length ? length : 1;
        return length ? length : 1;
    }
    bool is_high = is_unit(at, end, '8', '9') || is_unit(at, end, 'a', 'b');
    bool is_pair = is_high && (is_unit(at + 6, end, 'c', 'f'));
    bool is_unicode = left > 1 && at[1] == 'u';
    size_t length = is_pair ? 12 : is_unicode ? 6 : 2;
    *ret_decoded = is_pair ? 4 : is_unicode && left >= 6 ? unit_length(at) : 1;
    return length < left ? length : left;
}

/* Returns the length of the text or, if it is too long, of the whole characters to keep. */
static size_t length_that_stays(const char *text, size_t length, size_t max)
{
    size_t at = 0;
    size_t kept = 0;
    size_t decoded = 0;
    if (length <= max + CUT_MARK_MAX) {
        return length;
    }
    while (at < length && decoded <= max + CUT_MARK_MAX) {
        size_t bytes = 0;
        at += character_length(text + at, text + length, &bytes);
        decoded += bytes;
        kept = decoded <= max ? at : kept;
    }
    return decoded <= max + CUT_MARK_MAX ? length : kept;
}

static void end_text(struct cutter *cutter, char *message)
{
    cutter->is_text = false;
    cutter->name = cutter->text;
    if (!cutter->dropped_depth) {
        char *text = message + cutter->text;
        size_t length = cutter->end - cutter->text;
        size_t kept = length_that_stays(text, length, cutter->text_max);
        cutter->room = 0;
        if (kept < length) {
            kept += cut_mark(text + kept, cutter->characters);
            cutter->end = cutter->text + kept;
        }
    }
    cutter->name_length = cutter->end - cutter->text;
}

/* Reads the text up to its closing quote or the end of the bytes; returns that position. */
static const char *read_text(struct cutter *cutter, const char *at, const char *end)
{
    const char *quote = at;
    for (bool is_known = false; at < end;) {
        if (cutter->is_escape) {
            /* The four digits will be counted as plain characters: subtract them. */
            cutter->characters -= *at == 'u' ? 4 : 0;
            cutter->is_escape = false;
            at++;
            continue;
        }
        if (!is_known || at > quote) {
            quote = memchr(at, '"', (size_t)(end - at));
            quote = quote ? quote : end;
            is_known = true;
        }
        const char *escape = memchr(at, '\\', (size_t)(quote - at));
        size_t plain = (size_t)((escape ? escape : quote) - at);
        cutter->characters += cut_count(at, plain);
        at += plain;
        if (!escape) {
            return at;
        }
        cutter->is_escape = true;
        cutter->characters++;
        at++;
    }
    return at;
}

static const char *take_text(struct cutter *cutter, char *message, const char *at, const char *end)
{
    const char *to = read_text(cutter, at, end);
    keep(cutter, message, at, (size_t)(to - at));
    if (to == end) {
        return to;
    }
    end_text(cutter, message);
    keep(cutter, message, "\"", 1);
    return to + 1;
}

static void open_nested(struct cutter *cutter, bool is_array)
{
    if (cutter->depth < CUTTER_DEPTH) {
        cutter->items[cutter->depth] = 0;
        cutter->is_array[cutter->depth] = is_array;
    }
    cutter->depth++;
}

static void close_nested(struct cutter *cutter, char *message)
{
    if (cutter->dropped_depth && cutter->dropped_depth == cutter->depth) {
        if (cutter->end == cutter->room) {
            memcpy(message + cutter->dropped, last_item, LAST_ITEM);
        }
        cutter->dropped_depth = 0;
        cutter->room = 0;
    }
    cutter->depth -= cutter->depth > 0;
}

static void begin_item(struct cutter *cutter)
{
    size_t depth = cutter->depth;
    if (depth == 0 || depth > CUTTER_DEPTH || cutter->dropped_depth ||
        !cutter->is_array[depth - 1]) {
        return;
    }
    if (++cutter->items[depth - 1] >= CUTTER_ITEMS || cutter->end > CUTTER_MESSAGE) {
        cutter->dropped_depth = depth;
        cutter->dropped = cutter->end;
        cutter->room = cutter->end + LAST_ITEM;
    }
}

static bool is_structural(char byte)
{
    return byte == '"' || byte == ':' || byte == ',' || byte == '{' || byte == '}' || byte == '[' ||
           byte == ']';
}

static const char *take_structure(struct cutter *cutter, char *message, const char *at,
                                  const char *end)
{
    const char *from = at;
    while (at < end && !is_structural(*at)) {
        at++;
    }
    keep(cutter, message, from, (size_t)(at - from));
    if (at == end) {
        return at;
    }
    char byte = *at;
    bool was_value = cutter->is_value;
    if (byte == '}' || byte == ']') {
        close_nested(cutter, message);
    } else if (byte == ',') {
        begin_item(cutter);
    }
    keep(cutter, message, &byte, 1);
    cutter->is_value = byte == ':' || (byte == '"' && was_value);
    if (byte == '"') {
        begin_text(cutter, message);
    } else if (byte == '{' || byte == '[') {
        open_nested(cutter, byte == '[');
    }
    return at + 1;
}

size_t cutter_feed(struct cutter *cutter, char *message, size_t length)
{
    const char *at = message + cutter->end;
    const char *end = message + length;
    while (at < end) {
        at = cutter->is_text ? take_text(cutter, message, at, end)
                             : take_structure(cutter, message, at, end);
    }
    return cutter->end;
}

static const char begin[] = "{\"method\":\"";

enum telemetry telemetry_of(const char *text, size_t length)
{
    /* The first entry that is a prefix of the method applies. */
    static const struct {
        const char *method;
        enum telemetry kind;
    } table[] = {
        { "Runtime.consoleAPICalled\"", TELEMETRY_SAYING },
        { "Runtime.exceptionThrown\"", TELEMETRY_SAYING },
        { "Log.", TELEMETRY_SAYING },
        { "Audits.", TELEMETRY_SAYING },
        { "Network.webSocketFrameReceived\"", TELEMETRY_USELESS },
        { "Network.webSocketFrameSent\"", TELEMETRY_USELESS },
        { "Network.eventSourceMessageReceived\"", TELEMETRY_USELESS },
        { "Network.", TELEMETRY_CUT },
        { "Page.javascriptDialogOpening\"", TELEMETRY_CUT },
        { "Page.javascriptDialogClosed\"", TELEMETRY_CUT },
        { "Page.windowOpen\"", TELEMETRY_CUT },
        { "Page.downloadWillBegin\"", TELEMETRY_CUT },
        { "Page.frameRequestedNavigation\"", TELEMETRY_CUT },
        { "Page.frameStartedNavigating\"", TELEMETRY_CUT },
        { "Browser.downloadWillBegin\"", TELEMETRY_CUT },
    };
    size_t skip = sizeof(begin) - 1;
    if (length < skip || memcmp(text, begin, skip) != 0) {
        return TELEMETRY_NONE;
    }
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        size_t method_length = strlen(table[i].method);
        if (length - skip >= method_length &&
            memcmp(text + skip, table[i].method, method_length) == 0) {
            return table[i].kind;
        }
    }
    return TELEMETRY_NONE;
}
