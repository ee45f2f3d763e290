/* What is wrong with a suite: a line each, with the place in the file. */
#ifndef RUNNER_CHECKS_SUITE_PROBLEMS_H
#define RUNNER_CHECKS_SUITE_PROBLEMS_H

#include "runner/base/strbuf.h"

#include <jansson.h>

/* A value of the file and the way to it. Lives on the stack of whoever reads it. */
struct suite_place {
    const struct suite_place *parent; /* NULL: the whole file */
    const char *key;                  /* of a member; NULL: an item of an array */
    size_t index;                     /* of the item */
    json_t *value;                    /* borrowed */
};

struct suite_problems {
    const char *file;
    const char *text; /* of the file, that jansson has parsed; NULL: it has not */
    size_t length;
    struct strbuf *lines;
    size_t count; /* of all; only the first SUITE_MAX_PROBLEMS have a line */
};

/* "FILE:LINE:COLUMN: checks[3].threshold: …". */
void suite_problem(struct suite_problems *problems, const struct suite_place *place,
                   const char *format, ...) __attribute__((format(printf, 3, 4)));

/* "FILE: …": about the file as a whole. */
void suite_problem_of_file(struct suite_problems *problems, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "FILE:LINE:COLUMN: …": where there is no value. */
void suite_problem_at(struct suite_problems *problems, unsigned line, unsigned column,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* A name is unknown; says the nearest known one, or else all. */
void suite_problem_unknown(struct suite_problems *problems, const struct suite_place *place,
                           const char *name, const char *const *known, size_t count);

/* Says how many problems have no line. */
void suite_problems_end(struct suite_problems *problems);

#endif
