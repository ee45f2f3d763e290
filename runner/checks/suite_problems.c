#include "runner/checks/suite_problems.h"

#include "runner/base/json_position.h"
#include "runner/base/names.h"
#include "runner/base/utf8.h"
#include "runner/checks/suite.h"
#include "runner/formats/terminal_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 16, MAX_KEY = 60, MAX_LINE = 2000 };

static void write_path(struct strbuf *path, const struct suite_place *place)
{
    if (!place->parent) {
        return;
    }
    write_path(path, place->parent);
    if (place->key) {
        size_t length = strlen(place->key);
        strbuf_add_string(path, path->length ? "." : "");
        strbuf_add(path, place->key, length > MAX_KEY ? utf8_cut(place->key, MAX_KEY) : length);
        strbuf_add_string(path, length > MAX_KEY ? "…" : "");
    } else {
        strbuf_add_format(path, "[%zu]", place->index);
    }
}

static struct source_position position_of(const struct suite_problems *problems,
                                          const struct suite_place *place)
{
    struct json_step steps[MAX_DEPTH];
    size_t first = MAX_DEPTH;
    for (; place->parent && first > 0; place = place->parent) {
        steps[--first] = (struct json_step){ place->key, place->index };
    }
    return json_position(problems->text, problems->length, steps + first, MAX_DEPTH - first);
}

/* Writes a single line, whatever it quotes. */
static void __attribute__((format(printf, 3, 0)))
add_line(struct suite_problems *problems, const char *where, const char *format, va_list args)
{
    char text[MAX_LINE];
    if (problems->count++ >= SUITE_MAX_PROBLEMS) {
        return;
    }
    int length = vsnprintf(text, sizeof(text), format, args);
    if (length >= (int)sizeof(text)) {
        text[utf8_cut(text, sizeof(text) - 1)] = '\0';
    }
    CLEANUP_STRBUF struct strbuf line = STRBUF_INIT(2 * MAX_LINE);
    strbuf_add_format(&line, "%s%s", where, text);
    CLEANUP_FREE char *file = terminal_one_line(problems->file);
    CLEANUP_FREE char *shown = terminal_one_line(line.data);
    strbuf_add_format(problems->lines, "%s%s\n", file, shown);
}

void suite_problem(struct suite_problems *problems, const struct suite_place *place,
                   const char *format, ...)
{
    CLEANUP_STRBUF struct strbuf where = STRBUF_INIT(MAX_LINE);
    if (problems->count < SUITE_MAX_PROBLEMS) {
        struct source_position position = position_of(problems, place);
        strbuf_add_format(&where, ":%u:%u: ", position.line, position.column);
        CLEANUP_STRBUF struct strbuf path = STRBUF_INIT(MAX_DEPTH * (MAX_KEY + 4));
        write_path(&path, place);
        strbuf_add_format(&where, "%s%s", path.data, path.length ? ": " : "");
    }
    va_list args;
    va_start(args, format);
    add_line(problems, where.data, format, args);
    va_end(args);
}

void suite_problem_of_file(struct suite_problems *problems, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_line(problems, ": ", format, args);
    va_end(args);
}

void suite_problem_at(struct suite_problems *problems, unsigned line, unsigned column,
                      const char *format, ...)
{
    CLEANUP_FREE char *where = xasprintf(":%u:%u: ", line, column);
    va_list args;
    va_start(args, format);
    add_line(problems, where, format, args);
    va_end(args);
}

void suite_problem_unknown(struct suite_problems *problems, const struct suite_place *place,
                           const char *name, const char *const *known, size_t count)
{
    struct br_error err = { 0 };
    /*
     * Searching for the nearest name is slow, so it is skipped for problems that are not printed.
     */
    if (problems->count < SUITE_MAX_PROBLEMS) {
        names_hint(name, known, count, &err);
    }
    suite_problem(problems, place, "is unknown; %s", err.hint);
}

void suite_problems_end(struct suite_problems *problems)
{
    if (problems->count > SUITE_MAX_PROBLEMS) {
        strbuf_add_format(problems->lines, "%s: and %zu more problems\n", problems->file,
                          problems->count - SUITE_MAX_PROBLEMS);
    }
}
