#include "runner/checks/suite_problems.h"

#include "runner/base/json_position.h"
#include "runner/base/names.h"
#include "runner/base/utf8.h"
#include "runner/checks/suite.h"
#include "runner/formats/terminal_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct suite_problem_line {
    struct source_position position; /* 0: of the whole file */
    size_t order;                    /* in which it was found */
    char *text;
};

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

/* Keeps a single line, whatever it quotes. */
static void __attribute__((format(printf, 4, 0)))
add_line(struct suite_problems *problems, struct source_position position, const char *where,
         const char *format, va_list args)
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
    size_t order = problems->count - 1;
    problems->found =
        array_reserve(problems->found, order, &problems->found_capacity, sizeof(*problems->found));
    problems->found[order] =
        (struct suite_problem_line){ position, order, terminal_one_line(line.data) };
}

void suite_problem(struct suite_problems *problems, const struct suite_place *place,
                   const char *format, ...)
{
    CLEANUP_STRBUF struct strbuf where = STRBUF_INIT(MAX_LINE);
    struct source_position position = { 0 };
    if (problems->count < SUITE_MAX_PROBLEMS) {
        position = position_of(problems, place);
        strbuf_add_format(&where, ":%u:%u: ", position.line, position.column);
        CLEANUP_STRBUF struct strbuf path = STRBUF_INIT(MAX_DEPTH * (MAX_KEY + 4));
        write_path(&path, place);
        strbuf_add_format(&where, "%s%s", path.data, path.length ? ": " : "");
    }
    va_list args;
    va_start(args, format);
    add_line(problems, position, where.data, format, args);
    va_end(args);
}

void suite_problem_of_file(struct suite_problems *problems, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_line(problems, (struct source_position){ 0 }, ": ", format, args);
    va_end(args);
}

void suite_problem_at(struct suite_problems *problems, unsigned line, unsigned column,
                      const char *format, ...)
{
    CLEANUP_FREE char *where = xasprintf(":%u:%u: ", line, column);
    va_list args;
    va_start(args, format);
    add_line(problems, (struct source_position){ line, column }, where, format, args);
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

static int compare_places(const void *a, const void *b)
{
    const struct suite_problem_line *first = a, *second = b;
    if (first->position.line != second->position.line) {
        return first->position.line < second->position.line ? -1 : 1;
    }
    if (first->position.column != second->position.column) {
        return first->position.column < second->position.column ? -1 : 1;
    }
    return first->order < second->order ? -1 : first->order > second->order;
}

void suite_problems_end(struct suite_problems *problems)
{
    size_t count = problems->count < SUITE_MAX_PROBLEMS ? problems->count : SUITE_MAX_PROBLEMS;
    CLEANUP_FREE char *file = terminal_one_line(problems->file);
    if (count > 1) {
        qsort(problems->found, count, sizeof(*problems->found), compare_places);
    }
    for (size_t i = 0; i < count; i++) {
        strbuf_add_format(problems->lines, "%s%s\n", file, problems->found[i].text);
        free(problems->found[i].text);
    }
    free(problems->found);
    problems->found = NULL;
    if (problems->count > SUITE_MAX_PROBLEMS) {
        strbuf_add_format(problems->lines, "%s: and %zu more problems\n", file,
                          problems->count - SUITE_MAX_PROBLEMS);
    }
}
