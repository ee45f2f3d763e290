/*
 * Tables of cases in fixtures/cases/, for a test that gives a text and compares a text.
 *
 *     == roles of elements                    begins a part
 *     # A comment.
 *     <a id="x" href="/">Go</a> ==> link 'Go' input, and what is expected for it
 *     <a id="x">Go</a> ~~> gen…               the same, but each `…` matches any text of the line
 *     <p>                                     lines of input,
 *     a
 *     > paragraph                             and lines that are expected for it; `~` instead of
 *     > second line                           `>` for the meaning of `…` as above
 *
 * Everywhere `\{C3A9}` stands for these bytes. Empty lines are ignored.
 */
#ifndef TESTS_UNIT_CASE_TABLE_H
#define TESTS_UNIT_CASE_TABLE_H

#include "runner/base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>

struct case_row {
    char *input,
        *expected; /* without a last newline, and NUL-terminated; the input may contain NUL */
    size_t length; /* of the input */
    unsigned line;
    const char *part;
    bool has_gaps; /* `…` in what is expected stands for any text */
};

struct case_table {
    const char *file;
    struct case_row *rows;
    size_t count;
    char *text;
};

/* How the cases of a part are run: writes what is compared; a last newline does not count. */
struct case_part {
    const char *name;
    void (*run)(const struct case_row *row, struct strbuf *actual);
};

/* Reads fixtures/cases/FILE; a file that is not as above fails the test. */
struct case_table case_table_read(const char *file);
void case_table_finish(struct case_table *table);

/* Runs all cases and prints those that fail, with their lines. Each part has to be in both lists,
 * with a case. */
void case_table_check(const char *file, const struct case_part *parts, size_t count);

#define CASE_TABLE_CHECK(file, parts)                                                              \
    case_table_check(file, parts, sizeof(parts) / sizeof((parts)[0]))

#endif
