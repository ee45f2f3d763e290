/* Texts of pages for a terminal: how wide they are, their colours, and nothing that it would obey.
 */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_TEXT_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_TEXT_H

#include "runner/base/strbuf.h"

enum console_color {
    COLOR_NONE,
    COLOR_RED,
    COLOR_GREEN,
    COLOR_YELLOW,
    COLOR_BLUE,
    COLOR_MAGENTA,
    COLOR_CYAN,
    COLOR_GREY,
    COLOR_BOLD,
};

struct console_style {
    bool has_colors;
    size_t columns; /* of the terminal; 0: there is none */
};

void console_color_begin(struct strbuf *text, const struct console_style *style,
                         enum console_color color);
void console_color_end(struct strbuf *text, const struct console_style *style,
                       enum console_color color);

/*
 * Adds a text, cut behind `limit` bytes, harmless as terminal_add_harmless_lines() makes it; or in
 * one line, with \n for line feeds. NULL is "".
 */
void console_add_lines(struct strbuf *text, const char *from, size_t limit);
void console_add_line(struct strbuf *text, const char *from, size_t limit);

/* The columns that a terminal needs for the text, which has no control characters. */
size_t console_text_width(const char *text);

/* How many bytes of the text fit into so many columns. */
size_t console_text_fit(const char *text, size_t columns);

#endif
