#include "runner/formats/terminal_log.h"

#include "runner/base/log.h"
#include "runner/base/strbuf.h"
#include "runner/base/unicode.h"
#include "runner/base/utf8.h"

#include <stdint.h>
#include <string.h>

/* SGR codes by the colours of seed 2, "Log prefixing". */
static const char *const colors[] = {
    [BR_LOG_VERBOSE] = "\033[32m", [BR_LOG_DEBUG] = "\033[32m", [BR_LOG_INFO] = "\033[34m",
    [BR_LOG_WARNING] = "\033[33m", [BR_LOG_ERROR] = "\033[31m",
};
static const char color_end[] = "\033[0m";

static uint32_t code_point(const char *text, size_t length)
{
    static const unsigned char masks[] = { 0, 0x7F, 0x1F, 0x0F, 0x07 };
    uint32_t code = (unsigned char)text[0] & masks[length];
    for (size_t i = 1; i < length; i++) {
        code = code << 6 | ((unsigned char)text[i] & 0x3F);
    }
    return code;
}

static void add_control(struct strbuf *line, uint32_t code)
{
    if (code == '\n' || code == '\t' || code == '\r') {
        strbuf_add_string(line, code == '\n' ? "\\n" : code == '\t' ? "\\t" : "\\r");
    } else {
        strbuf_add_format(line, "\\u{%x}", (unsigned)code);
    }
}

/* Whether GitHub would read a command here: "##[" anywhere, "::" at the beginning of a line. */
static bool begins_command(const char *text, bool is_first)
{
    return strncmp(text, "##[", 3) == 0 || (is_first && strncmp(text, "::", 2) == 0);
}

/* Whether the byte is harmless behind the first word of a line. */
static bool is_plain(char byte)
{
    return byte >= ' ' && byte < 0x7F && byte != '#';
}

static void add_text(struct strbuf *line, const char *text, bool keeps_lines)
{
    size_t rest = strlen(text);
    bool is_first = true; /* only blanks precede it in its line */
    while (rest > 0 && !line->overflowed) {
        if (begins_command(text, is_first)) {
            strbuf_add_format(line, "\\u{%x}", (unsigned)*text);
            is_first = false;
            text++;
            rest--;
            continue;
        }
        is_first = strchr(" \t\n\r", *text) && (is_first || *text == '\n');
        size_t length = utf8_sequence(text, rest);
        uint32_t code = length ? code_point(text, length) : 0;
        if (!length) {
            strbuf_add_string(line, "\xEF\xBF\xBD");
            length = 1;
        } else if (unicode_is_control(code) && !(keeps_lines && (code == '\n' || code == '\t'))) {
            add_control(line, code);
        } else {
            while (!is_first && length < rest && is_plain(text[length])) {
                length++;
            }
            strbuf_add(line, text, length);
        }
        text += length;
        rest -= length;
    }
}

void terminal_add_harmless(struct strbuf *line, const char *text)
{
    add_text(line, text, false);
}

void terminal_add_harmless_lines(struct strbuf *lines, const char *text)
{
    add_text(lines, text, true);
}

/* "browser:error " */
static void add_prefix(const struct terminal_log *log, enum br_log_type type, struct strbuf *text)
{
    strbuf_add_format(text, "%sbrowser:%s%s ", log->has_colors ? colors[type] : "",
                      log_type_name(type), log->has_colors ? color_end : "");
}

static void end_line(struct strbuf *line, struct strbuf *text)
{
    strbuf_add(text, line->data, line->length);
    strbuf_add_string(text, line->overflowed ? "…\n" : "\n");
}

void terminal_log_add(const struct terminal_log *log, const struct br_log *entry,
                      struct strbuf *text)
{
    CLEANUP_STRBUF struct strbuf line = STRBUF_INIT(TERMINAL_LINE_MAX);
    add_prefix(log, entry->type, text);
    if (entry->category) {
        strbuf_add_string(&line, "[");
        terminal_add_harmless(&line, entry->category);
        strbuf_add_string(&line, "] ");
    }
    terminal_add_harmless(&line, entry->message ? entry->message : "");
    if (entry->count > 1 && !line.overflowed) {
        strbuf_add_format(&line, " [%d times]", entry->count);
    }
    if (entry->location && !line.overflowed) {
        strbuf_add_string(&line, " (");
        terminal_add_harmless(&line, entry->location);
        strbuf_add_string(&line, ")");
    }
    end_line(&line, text);
}

static void add_failure(const struct terminal_log *log, const struct br_response *response,
                        struct strbuf *text)
{
    CLEANUP_STRBUF struct strbuf line = STRBUF_INIT(TERMINAL_LINE_MAX);
    add_prefix(log, BR_LOG_ERROR, text);
    terminal_add_harmless(&line, response->type);
    strbuf_add_format(&line, ": %s: ", br_code_name(response->error.code));
    terminal_add_harmless(&line, response->error.message);
    if (*response->error.hint) {
        strbuf_add_string(&line, "; ");
        terminal_add_harmless(&line, response->error.hint);
    }
    end_line(&line, text);
}

/* Whether the entry only repeats the hint of the failure, which is printed once. */
static bool is_repeated_by_failure(const struct br_response *response, const struct br_log *entry)
{
    return !response->success && entry->source == BR_SOURCE_TOOL && entry->category &&
           strcmp(entry->category, "hint") == 0 &&
           strcmp(entry->message, response->error.hint) == 0;
}

char *terminal_harmless(const char *text)
{
    struct strbuf line = STRBUF_INIT(TERMINAL_LINE_MAX);
    terminal_add_harmless(&line, text);
    return strbuf_take(&line);
}

char *terminal_one_line(const char *text)
{
    CLEANUP_FREE char *line = xstrdup(text);
    for (char *at = line; *at; at++) {
        *at = (unsigned char)*at < ' ' || *at == 0x7F ? ' ' : *at;
    }
    return terminal_harmless(line);
}

char *terminal_log_text(const struct terminal_log *log, const struct br_response *response)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    for (size_t i = 0; i < response->log_count; i++) {
        const struct br_log *entry = &response->logs[i];
        if (entry->type >= log->least && !is_repeated_by_failure(response, entry)) {
            terminal_log_add(log, entry, &text);
        }
    }
    if (!response->success) {
        add_failure(log, response, &text);
    }
    return strbuf_take(&text);
}
