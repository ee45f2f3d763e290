#include "runner/snapshot/outline/quote.h"

#include "runner/base/unicode.h"
#include "runner/base/utf8.h"

#include <string.h>

size_t quote_length(const char *text, int max)
{
    size_t length = strlen(text);
    if (max <= 0 || length <= (size_t)max) {
        return length;
    }
    const char *end = text;
    for (int i = 0; i < max && *end; i++) {
        unicode_decode(&end);
    }
    return (size_t)(end - text);
}

static void quote_character(struct strbuf *line, uint32_t character)
{
    if (character == '"' || character == '\\') {
        char escaped[] = { '\\', (char)character };
        strbuf_add(line, escaped, sizeof(escaped));
    } else if (character == '\n' || character == '\r' || character == 0x2028 ||
               character == 0x2029) {
        strbuf_add_string(line, "\\n");
    } else if (unicode_is_bidi_override(character)) {
        strbuf_add_format(line, "\\u%04x", (unsigned)character);
    } else if (unicode_is_space(character)) {
        strbuf_add(line, " ", 1);
    } else if (!unicode_is_invisible(character)) {
        unicode_encode(line, character);
    }
}

/* Writes the characters, and "…" if the text is cut. */
static void add_cut(struct strbuf *line, const char *text, int max)
{
    const char *end = text + quote_length(text, max);
    while (text < end) {
        size_t plain = unicode_plain_length(text, end);
        strbuf_add(line, text, plain);
        text += plain;
        if (text < end) {
            quote_character(line, unicode_decode(&text));
        }
    }
    if (*end) {
        strbuf_add_string(line, "…");
    }
}

void quote_text(struct strbuf *line, const char *text, int max)
{
    strbuf_add(line, "\"", 1);
    add_cut(line, text, max);
    strbuf_add(line, "\"", 1);
}

/* Returns whether it begins with an id such as "e12" and nothing else. */
static bool begins_id(const char *text)
{
    return text[0] == 'e' && text[1] >= '0' && text[1] <= '9';
}

static bool is_unambiguous(const char *text)
{
    if (*text == '-' || *text == '=' || *text == '(') {
        return false;
    }
    for (const char *at = text; *at;) {
        bool is_word_start = at == text || at[-1] == ' ';
        if (is_word_start && begins_id(at)) {
            return false;
        }
        uint32_t character = unicode_decode(&at);
        if (character == '"' || character == '|' || character == '\\' ||
            (character != ' ' && unicode_is_space(character)) ||
            unicode_is_bidi_override(character)) {
            return false;
        }
    }
    return *text != '\0';
}

void quote_if_needed(struct strbuf *line, const char *text, int max)
{
    if (is_unambiguous(text)) {
        add_cut(line, text, max);
    } else {
        quote_text(line, text, max);
    }
}

void quote_url(struct strbuf *line, const char *url, size_t max)
{
    size_t length = strlen(url);
    size_t end = length > max ? utf8_cut(url, max) : length;
    for (size_t i = 0; i < end; i++) {
        unsigned char byte = (unsigned char)url[i];
        if (byte <= ' ' || byte >= 0x7F || byte == '"' || byte == '\\') {
            strbuf_add_format(line, "%%%02X", byte);
        } else {
            strbuf_add(line, &url[i], 1);
        }
    }
    if (end < length) {
        strbuf_add_string(line, "…");
    }
}
