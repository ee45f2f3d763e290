/* Texts of pages for a terminal: their width and colours, without control characters. */
#ifndef RUNNER_CONSOLE_TEXT_H
#define RUNNER_CONSOLE_TEXT_H

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
    size_t columns; /* of the terminal; 0: no terminal */
};

void console_color_begin(struct strbuf *text, const struct console_style *style,
                         enum console_color color);
void console_color_end(struct strbuf *text, const struct console_style *style,
                       enum console_color color);

/*
 * Adds a text cut behind `limit` bytes and made harmless by terminal_add_harmless_lines(), or as
 * one line by terminal_add_harmless(). NULL is "".
 */
void console_add_lines(struct strbuf *text, const char *from, size_t limit);
void console_add_line(struct strbuf *text, const char *from, size_t limit);

/* The width of a text without control characters, in columns of a terminal. */
size_t console_text_width(const char *text);

/* How many bytes of the text fit into that many columns. */
size_t console_text_fit(const char *text, size_t columns);

#endif
