/*
 * Checks the shape of JSON from outside against tables, and says in a few words what is wrong. The
 * caller adds the position.
 */
#ifndef RUNNER_BASE_SHAPE_H
#define RUNNER_BASE_SHAPE_H

#include <browser_runner/error.h>
#include <jansson.h>
#include <stdbool.h>

enum shape_kind {
    SHAPE_TEXT,
    SHAPE_NAME,   /* a non-empty text */
    SHAPE_COUNT,  /* a non-negative integer, up to the last time value of a JavaScript date */
    SHAPE_AMOUNT, /* any non-negative number, up to the same limit */
    SHAPE_NUMBER,
    SHAPE_BOOLEAN,
    SHAPE_CHOICE,  /* one of the texts in `choices` */
    SHAPE_TEXTS,   /* an array of texts */
    SHAPE_OBJECT,  /* an object with the members of `of` */
    SHAPE_OBJECTS, /* an array of such objects */
};

/* A member of an object. Members without a row are ignored: later versions may add some. */
struct shape {
    const char *name; /* NULL ends the table */
    enum shape_kind kind;
    bool is_required;
    const struct shape *of;
    const char *const *choices; /* NULL-terminated */
};

/*
 * Fails with INVALID_ACTION "PATH.name is missing", "PATH.name is not a text". A path of "" is the
 * root.
 */
bool shape_check(const json_t *object, const struct shape *members, const char *path,
                 struct br_error *err);

/* Sets INVALID_ACTION "takes a number, not text". Returns false. */
bool shape_wrong_kind(const json_t *value, const char *wanted, struct br_error *err);

/*
 * Fails with INVALID_ACTION if the value is not a number from min to max, or not an integer if
 * is_whole.
 */
bool shape_number(const json_t *value, double min, double max, bool is_whole, struct br_error *err);

#endif
