/* The problems of a suite: one line each, with the position in the file. */
#ifndef RUNNER_CHECKS_SUITE_PROBLEMS_H
#define RUNNER_CHECKS_SUITE_PROBLEMS_H

#include "runner/base/strbuf.h"

#include <jansson.h>

/* A value of the file and the path to it. Lives on the stack of the reading function. */
struct suite_place {
    const struct suite_place *parent; /* NULL: the whole file */
    const char *key;                  /* name of a member; NULL: an item of an array */
    size_t index;                     /* index of the item */
    json_t *value;                    /* borrowed */
};

struct suite_problem_line; /* a line with its position */

struct suite_problems {
    const char *file;
    const char *text; /* text of the file, if jansson has parsed it; otherwise NULL */
    size_t length;
    struct strbuf *lines;
    size_t count; /* number of all problems; only the first SUITE_MAX_PROBLEMS have a line */
    struct suite_problem_line *found; /* until suite_problems_end() */
    size_t found_capacity;
};

/* "FILE:LINE:COLUMN: checks[3].threshold: …". */
void suite_problem(struct suite_problems *problems, const struct suite_place *place,
                   const char *format, ...) __attribute__((format(printf, 3, 4)));

/* "FILE: …": a problem of the whole file. */
void suite_problem_of_file(struct suite_problems *problems, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "FILE:LINE:COLUMN: …": a problem at a position without a value. */
void suite_problem_at(struct suite_problems *problems, unsigned line, unsigned column,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Reports an unknown name, with the nearest known one, or else all. */
void suite_problem_unknown(struct suite_problems *problems, const struct suite_place *place,
                           const char *name, const char *const *known, size_t count);

/* Writes the lines in the order of their positions, and how many problems have no line. */
void suite_problems_end(struct suite_problems *problems);

#endif
