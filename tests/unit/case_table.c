#include "case_table.h"

#include "runner/base/file.h"
#include "runner/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static unsigned hex_value(char digit)
{
    static const char digits[] = "0123456789ABCDEF";
    const char *at = digit ? strchr(digits, digit) : NULL;
    return at ? (unsigned)(at - digits) : 16;
}

/* Replaces each `\{C3A9}` in place; returns the length. */
static size_t decode(char *text)
{
    char *to = text;
    for (const char *at = text; *at;) {
        if (strncmp(at, "\\{", 2) != 0) {
            *to++ = *at++;
            continue;
        }
        for (at += 2; hex_value(at[0]) < 16 && hex_value(at[1]) < 16; at += 2) {
            *to++ = (char)(hex_value(at[0]) * 16 + hex_value(at[1]));
        }
        if (*at++ != '}') {
            fail_msg("\\{ without hexadecimal digits and }: %s", text);
        }
    }
    *to = '\0';
    return (size_t)(to - text);
}

/* Lines of the row that is being read. */
struct reading {
    struct case_table *table;
    const char *part; /* NULL before the first one */
    struct strbuf input, expected;
    bool has_gaps;
    unsigned line, first_line;
};

/* Ends the row, if one has begun. */
static void end_row(struct reading *reading)
{
    struct case_table *table = reading->table;
    if (reading->input.length == 0 && reading->expected.length == 0) {
        return;
    }
    if (reading->input.length == 0 || reading->expected.length == 0 || !reading->part) {
        fail_msg("%s:%u: a case without input, without what is expected, or before the first part",
                 table->file, reading->first_line);
    }
    table->rows = xrealloc(table->rows, (table->count + 1) * sizeof(*table->rows));
    struct case_row *row = &table->rows[table->count++];
    *row = (struct case_row){ .part = reading->part,
                              .line = reading->first_line,
                              .has_gaps = reading->has_gaps };
    /* Each line was added with a newline before it. */
    row->input = xstrdup(reading->input.data + 1);
    row->expected = xstrdup(reading->expected.data + 1);
    row->length = decode(row->input);
    decode(row->expected);
    strbuf_clear(&reading->input);
    strbuf_clear(&reading->expected);
    reading->has_gaps = false;
}

static void add_input(struct reading *reading, const char *line)
{
    if (reading->expected.length > 0) {
        end_row(reading);
    }
    if (reading->input.length == 0) {
        reading->first_line = reading->line;
    }
    strbuf_add_format(&reading->input, "\n%s", line);
}

static void add_expected(struct reading *reading, const char *line, bool has_gaps)
{
    reading->has_gaps = reading->has_gaps || has_gaps;
    strbuf_add_format(&reading->expected, "\n%s", line);
}

static void read_line(struct reading *reading, char *line)
{
    char *arrow = strstr(line, " ==> ");
    arrow = arrow ? arrow : strstr(line, " ~~> ");
    if (strncmp(line, "== ", 3) == 0) {
        end_row(reading);
        reading->part = line + 3;
    } else if (*line == '>' || *line == '~') {
        add_expected(reading, line + 1 + (line[1] == ' '), *line == '~');
    } else if (arrow) {
        *arrow = '\0';
        add_input(reading, line);
        add_expected(reading, arrow + 5, arrow[1] == '~');
    } else if (*line && strncmp(line, "# ", 2) != 0) {
        add_input(reading, line);
    } else if (reading->input.length > 0 && reading->expected.length == 0) {
        fail_msg("%s:%d: the input ends without what is expected", reading->table->file,
                 reading->line);
    }
}

struct case_table case_table_read(const char *file)
{
    enum { MAX_SIZE = 1 << 20 };
    struct case_table table = { .file = file };
    struct reading reading = { .table = &table,
                               .input = STRBUF_INIT(STRBUF_UNCAPPED),
                               .expected = STRBUF_INIT(STRBUF_UNCAPPED) };
    CLEANUP_FREE char *path = xasprintf("%s/cases/%s", FIXTURES, file);
    struct br_error err;
    size_t size = 0;
    table.text = file_read(path, MAX_SIZE, &size, &err);
    if (!table.text) {
        fail_msg("%s", err.message);
    }
    for (char *at = table.text; at;) {
        char *line = strsep(&at, "\n");
        reading.line++;
        read_line(&reading, line);
    }
    end_row(&reading);
    strbuf_finish(&reading.input);
    strbuf_finish(&reading.expected);
    return table;
}

void case_table_finish(struct case_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->rows[i].input);
        free(table->rows[i].expected);
    }
    free(table->rows);
    free(table->text);
}

/* Whether the text is the pattern, in which each `…` stands for any text of a line. */
static bool matches(const char *pattern, const char *text)
{
    static const char any[] = "…";
    const char *gap = strstr(pattern, any);
    size_t length = gap ? (size_t)(gap - pattern) : strlen(pattern) + 1;
    if (strncmp(pattern, text, length) != 0) {
        return false;
    }
    for (const char *at = text + length; gap; at++) {
        if (matches(gap + strlen(any), at)) {
            return true;
        }
        if (!*at || *at == '\n') {
            return false;
        }
    }
    return true;
}

static bool is_expected(const struct case_row *row, const char *actual)
{
    return row->has_gaps ? matches(row->expected, actual) : strcmp(row->expected, actual) == 0;
}

static const struct case_part *part_of(const struct case_row *row, const struct case_part *parts,
                                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(parts[i].name, row->part) == 0) {
            return &parts[i];
        }
    }
    return NULL;
}

void case_table_check(const char *file, const struct case_part *parts, size_t count)
{
    struct case_table table = case_table_read(file);
    CLEANUP_FREE bool *is_run = xcalloc(count, sizeof(*is_run));
    size_t failed = 0;
    for (size_t i = 0; i < table.count; i++) {
        const struct case_row *row = &table.rows[i];
        const struct case_part *part = part_of(row, parts, count);
        if (!part) {
            fail_msg("%s:%u: the test has no part \"%s\"", file, row->line, row->part);
        }
        CLEANUP_STRBUF struct strbuf actual = STRBUF_INIT(STRBUF_UNCAPPED);
        part->run(row, &actual);
        if (actual.length > 0 && actual.data[actual.length - 1] == '\n') {
            strbuf_truncate(&actual, actual.length - 1);
        }
        if (!is_expected(row, actual.data)) {
            print_error("%s:%u: %s: %s\n  is       %s\n  and not  %s\n", file, row->line, row->part,
                        row->input, actual.data, row->expected);
            failed++;
        }
        is_run[part - parts] = true;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_run[i]) {
            fail_msg("%s has no case of the part \"%s\"", file, parts[i].name);
        }
    }
    print_message("%s: %zu cases\n", file, table.count);
    case_table_finish(&table);
    if (failed > 0) {
        fail_msg("%zu cases of %s", failed, file);
    }
}
