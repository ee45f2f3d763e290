/*
 * Writes Markdown, and escapes the page's text so that it cannot act as markup; for markdown*.c
 * only.
 */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_WRITER_H
#define RUNNER_SNAPSHOT_MARKDOWN_WRITER_H

#include "runner/base/strbuf.h"

enum mark { MARK_STRONG, MARK_EMPHASIS, MARK_STRIKE, MARK_COUNT };

struct markdown_writer {
    struct strbuf *out;
    struct strbuf prefix; /* begins each line inside quotes and list items */
    int text_length;      /* limit of characters of a text; 0: none */
    int newlines;         /* pending before the next text: 1 ends a line, 2 a paragraph */
    bool has_space;       /* pending, unless a line or a bracket has just begun */
    bool is_fresh;      /* a line or a bracket has just begun: no separator before the first word */
    bool is_line_start; /* the next text could be taken for a heading, a list or similar */
    int one_line;       /* above 0: in a heading, a cell or a link, where blocks are separated by
                           spaces only */
    int cell;           /* above 0: in a table cell */
    int code;           /* above 0: in inline code */
    struct strbuf code_text; /* its text until it ends */
    int wanted[MARK_COUNT];  /* number of enclosing elements that ask for the mark */
    enum mark open[MARK_COUNT];
    int open_count;
};

void markdown_writer_init(struct markdown_writer *writer, struct strbuf *out, int text_length);
void markdown_writer_finish(struct markdown_writer *writer);

/* Starts a new line, or with 2 a paragraph; within one line only adds a space. */
void markdown_block(struct markdown_writer *writer, int newlines);
void markdown_break(struct markdown_writer *writer); /* <br> */
void markdown_space(struct markdown_writer *writer);

/* Adds text of the page: collapses whitespace, escapes anything that could be markup. */
void markdown_text(struct markdown_writer *writer, const char *text);

/*
 * Add our own text unchanged. markdown_raw() writes pending separators first; markdown_glue()
 * attaches directly to the previous text.
 */
void markdown_raw(struct markdown_writer *writer, const char *text);
void markdown_glue(struct markdown_writer *writer, const char *text);

/*
 * Adds our own text, to which the following text attaches directly: a bracket, the `#` of a
 * heading.
 */
void markdown_open(struct markdown_writer *writer, const char *text);

/* Adds all lines unchanged between fences with the language, which may be "". */
void markdown_fence(struct markdown_writer *writer, const char *language, const char *text);

void markdown_mark(struct markdown_writer *writer, enum mark mark, bool is_begun);
void markdown_code(struct markdown_writer *writer, bool is_begun);

/*
 * Prefixes following lines with `rest`, the next one with `first`. Returns the argument for
 * markdown_pop().
 */
size_t markdown_push(struct markdown_writer *writer, const char *first, const char *rest);
void markdown_pop(struct markdown_writer *writer, size_t pushed);

#endif
