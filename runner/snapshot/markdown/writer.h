/* Writes Markdown in which text of the page cannot be anything but text; for markdown*.c only. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_WRITER_H
#define RUNNER_SNAPSHOT_MARKDOWN_WRITER_H

#include "runner/base/strbuf.h"

enum mark { MARK_STRONG, MARK_EMPHASIS, MARK_STRIKE, MARK_COUNT };

struct markdown_writer {
    struct strbuf *out;
    struct strbuf prefix; /* begins each line: of quotes and list items */
    int text_length;      /* characters of one text; 0: any */
    int newlines;         /* due before what comes next: 1 ends a line, 2 a paragraph */
    bool has_space;       /* due, where it is not at the beginning of something */
    bool is_fresh; /* a line or a bracket has just begun: nothing is due before the first word */
    bool is_line_start; /* what comes next could be taken for a heading, a list or the like */
    int one_line;       /* above 0: in a heading, a cell or a link, where blocks are but spaced */
    int cell;           /* above 0: in a cell of a table */
    int code;           /* above 0: in inline code */
    struct strbuf code_text; /* of it, until it ends */
    int wanted[MARK_COUNT];  /* how many elements around ask for it */
    enum mark open[MARK_COUNT];
    int open_count;
};

void markdown_writer_init(struct markdown_writer *writer, struct strbuf *out, int text_length);
void markdown_writer_finish(struct markdown_writer *writer);

/* What comes next begins a line, or with 2 a paragraph; on one line a space sets it apart. */
void markdown_block(struct markdown_writer *writer, int newlines);
void markdown_break(struct markdown_writer *writer); /* <br> */
void markdown_space(struct markdown_writer *writer);

/* Text of the page: white space collapsed, whatever could be markup escaped. */
void markdown_text(struct markdown_writer *writer, const char *text);

/* Ours: as it is. The first follows what is due, the second stands right behind what was written.
 */
void markdown_raw(struct markdown_writer *writer, const char *text);
void markdown_glue(struct markdown_writer *writer, const char *text);

/* Ours, and what follows stands right behind it: a bracket, the `#` of a heading. */
void markdown_open(struct markdown_writer *writer, const char *text);

/* All lines as they are, between fences with the language, which may be "". */
void markdown_fence(struct markdown_writer *writer, const char *language, const char *text);

void markdown_mark(struct markdown_writer *writer, enum mark mark, bool is_begun);
void markdown_code(struct markdown_writer *writer, bool is_begun);

/* Lines from here on begin with `rest`, the next one with `first`. Returns what markdown_pop()
 * wants. */
size_t markdown_push(struct markdown_writer *writer, const char *first, const char *rest);
void markdown_pop(struct markdown_writer *writer, size_t pushed);

#endif
