#include "runner/console/text.h"

#include "runner/base/cut.h"
#include "runner/base/unicode.h"
#include "runner/formats/terminal_log.h"

#include <string.h>

static const char *const codes[] = {
    [COLOR_NONE] = "",           [COLOR_RED] = "\033[31m",  [COLOR_GREEN] = "\033[32m",
    [COLOR_YELLOW] = "\033[33m", [COLOR_BLUE] = "\033[34m", [COLOR_MAGENTA] = "\033[35m",
    [COLOR_CYAN] = "\033[36m",   [COLOR_GREY] = "\033[90m", [COLOR_BOLD] = "\033[1m",
};

void console_color_begin(struct strbuf *text, const struct console_style *style,
                         enum console_color color)
{
    strbuf_add_string(text, style->has_colors ? codes[color] : "");
}

void console_color_end(struct strbuf *text, const struct console_style *style,
                       enum console_color color)
{
    strbuf_add_string(text, style->has_colors && color != COLOR_NONE ? "\033[0m" : "");
}

/* Turns CR LF into LF. NULL is fine. */
static void join_line_ends(char *text)
{
    char *to = text;
    for (const char *at = text; at && *at; at++) {
        if (at[0] != '\r' || at[1] != '\n') {
            *to++ = *at;
        }
    }
    if (to) {
        *to = '\0';
    }
}

static void add_cut(struct strbuf *text, const char *from, size_t limit, bool keeps_lines)
{
    size_t length = from ? strlen(from) : 0;
    size_t kept = cut_length(from ? from : "", length, limit);
    bool is_changed = kept < length || (keeps_lines && from && strchr(from, '\r'));
    CLEANUP_FREE char *part = is_changed ? xstrndup(from, kept) : NULL;
    const char *shown = part ? part : from ? from : "";
    if (keeps_lines) {
        join_line_ends(part);
        terminal_add_harmless_lines(text, shown);
    } else {
        terminal_add_harmless(text, shown);
    }
    if (kept < length) {
        char mark[CUT_MARK_MAX];
        strbuf_add(text, mark, cut_mark(mark, cut_count(from, length)));
    }
}

void console_add_lines(struct strbuf *text, const char *from, size_t limit)
{
    add_cut(text, from, limit, true);
}

void console_add_line(struct strbuf *text, const char *from, size_t limit)
{
    add_cut(text, from, limit, false);
}

struct range {
    uint32_t first, last;
};

/* Characters that are drawn onto the one before. */
static const struct range zero[] = {
    { 0x300, 0x36F },   { 0x483, 0x489 },   { 0x591, 0x5BD },     { 0x610, 0x61A },
    { 0x64B, 0x65F },   { 0x200B, 0x200D }, { 0x20D0, 0x20FF },   { 0xFE00, 0xFE0F },
    { 0xFE20, 0xFE2F }, { 0xFEFF, 0xFEFF }, { 0x1F3FB, 0x1F3FF }, { 0xE0000, 0xE0FFF },
};

/* East Asian wide characters and emoji (Unicode, annex 11), as far as terminals agree. */
static const struct range wide[] = {
    { 0x1100, 0x115F },   { 0x2E80, 0x303E },   { 0x3041, 0xA4CF },   { 0xAC00, 0xD7A3 },
    { 0xF900, 0xFAFF },   { 0xFE30, 0xFE6F },   { 0xFF00, 0xFF60 },   { 0xFFE0, 0xFFE6 },
    { 0x1F300, 0x1F64F }, { 0x1F680, 0x1F6FF }, { 0x1F900, 0x1F9FF }, { 0x20000, 0x3FFFD },
};

static bool is_in(uint32_t character, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (character >= ranges[i].first && character <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

static size_t width_of(uint32_t character)
{
    if (character < zero[0].first) {
        return 1;
    }
    return is_in(character, zero, sizeof(zero) / sizeof(zero[0]))   ? 0
           : is_in(character, wide, sizeof(wide) / sizeof(wide[0])) ? 2
                                                                    : 1;
}

size_t console_text_width(const char *text)
{
    size_t width = 0;
    while (*text) {
        width += width_of(unicode_decode(&text));
    }
    return width;
}

size_t console_text_fit(const char *text, size_t columns)
{
    const char *at = text;
    size_t width = 0;
    while (*at) {
        const char *next = at;
        width += width_of(unicode_decode(&next));
        if (width > columns) {
            break;
        }
        at = next;
    }
    return (size_t)(at - text);
}
