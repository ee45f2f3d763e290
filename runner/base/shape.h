/*
 * The form of JSON that comes from outside: what a value has to be, as tables, and what is wrong
 * with one in a few words. Where it stands is added by whoever reads it.
 */
#ifndef RUNNER_BASE_SHAPE_H
#define RUNNER_BASE_SHAPE_H

#include <browser_runner/error.h>
#include <jansson.h>
#include <stdbool.h>

enum shape_kind {
    SHAPE_TEXT,
    SHAPE_NAME,   /* a text that is not empty */
    SHAPE_COUNT,  /* an integer from 0, as far as JavaScript has dates */
    SHAPE_AMOUNT, /* any number from 0, as far as that */
    SHAPE_NUMBER,
    SHAPE_BOOLEAN,
    SHAPE_CHOICE,  /* one of `choices` */
    SHAPE_TEXTS,   /* an array of them */
    SHAPE_OBJECT,  /* with the members of `of` */
    SHAPE_OBJECTS, /* an array of these */
};

/* A member of an object. Those that no table knows are left alone: later versions have more. */
struct shape {
    const char *name; /* NULL ends a table */
    enum shape_kind kind;
    bool is_required;
    const struct shape *of;
    const char *const *choices; /* NULL-terminated */
};

/* INVALID_ACTION "PATH.name is missing", "PATH.name is not a text". A path of "" is the whole. */
bool shape_check(const json_t *object, const struct shape *members, const char *path,
                 struct br_error *err);

/* INVALID_ACTION "takes a number, not text". Returns false. */
bool shape_wrong_kind(const json_t *value, const char *wanted, struct br_error *err);

/* INVALID_ACTION where it is no number, is none from min to max, or no whole one. */
bool shape_number(const json_t *value, double min, double max, bool is_whole, struct br_error *err);

#endif
