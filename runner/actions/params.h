/* The parameters of actions, as tables, and how they are validated and read. */
#ifndef RUNNER_ACTIONS_PARAMS_H
#define RUNNER_ACTIONS_PARAMS_H

#include "runner/base/action.h"

#include <stdbool.h>
#include <stdint.h>

enum param_kind {
    PARAM_TEXT,    /* any string */
    PARAM_NAME,    /* a non-empty string */
    PARAM_NODE,    /* a node id from a snapshot; naming.h checks it */
    PARAM_URL,     /* absolute, with a scheme that Chrome is allowed to open */
    PARAM_KEYS,    /* a key or a chord, such as Control+A */
    PARAM_NUMBER,  /* min to max */
    PARAM_INTEGER, /* min to max */
    PARAM_BOOLEAN,
    PARAM_CHOICE,    /* one of `choices` */
    PARAM_CHOICES,   /* an array of choices */
    PARAM_NAMES,     /* an array of at least min non-empty strings */
    PARAM_TEXTS,     /* a string or an array of strings */
    PARAM_INTEGERS,  /* an integer, min to max, or an array of integers */
    PARAM_SELECTORS, /* a CSS selector or an array of 1 to max; becomes an array when validated */
    PARAM_RANGE,     /* {"min": n, "max": n} */
    PARAM_POINT,     /* {"x": n, "y": n}, not negative */
    PARAM_BOX,       /* {"x": n, "y": n, "width": n, "height": n} */
    PARAM_TARGET,    /* an object with the parameters of `hover`; the action validates this and
                        the kinds below */
    PARAM_ACTION,    /* an object: an action that may be a step */
    PARAM_HEADERS,   /* an object of strings */
    PARAM_FIELDS,    /* an object of values by field names, or an array of elements with values */
    PARAM_VALUES,    /* an array of JSON values of any kind */
    PARAM_CLOCK,     /* a time, an object with time and seed, a boolean or null */
    PARAM_MEMBERS,   /* an object with `members` */
    PARAM_LIST,      /* an array of min to max such objects, or JSON text of one */
};

/* How a value is used, for the rules of a session: see actions.c. */
enum param_use {
    USE_PLAIN,
    USE_SCRIPT, /* run in the page */
    USE_FILE,   /* path of a file that is read or written */
    USE_OPENED, /* URL that the page navigates to */
};

/* Longest array of texts or numbers. */
enum { PARAM_MAX_LISTED = 1000 };

/*
 * The description of one parameter. Validation, the schemas, the tables of docs/actions.md, the
 * help and the tools of models are all made from it.
 */
struct param {
    const char *name; /* NULL ends a table */
    enum param_kind kind;
    bool is_required;
    bool is_rare;               /* omitted from the tools of models, except in the complete list */
    double min, max;            /* range of numbers, both 0: any; or number of items */
    const char *const *choices; /* NULL-terminated */
    const struct param *members;
    enum param_use use;
    const char *text;          /* sentences; NULL: those of the kind */
    const char *default_value; /* JSON, or plain text; NULL: no default */
    const char *example;       /* JSON, or plain text */
};

/* A row: its name, its kind without PARAM_, its sentences, and further fields. */
#define PARAM(name_, kind_, ...)                                                                   \
    {                                                                                              \
        .name = name_, .kind = PARAM_##kind_, .text = __VA_ARGS__                                  \
    }

/* What a rule requires of the parameters that it lists. */
enum rule_kind {
    RULE_ALL,         /* all are given */
    RULE_ANY,         /* at least one is given */
    RULE_ONE,         /* exactly one is given; here and in the next kind, false counts as not
                         given */
    RULE_AT_MOST_ONE, /* at most one is given */
    RULE_NONE,        /* none is given */
};

/*
 * A rule about combinations of parameters. Lists are names separated by spaces: see
 * action_type_names().
 */
struct rule {
    enum rule_kind kind;
    const char *names;  /* NULL ends a table */
    const char *when;   /* applies only if this parameter is given; NULL: always */
    const char *is;     /* … and its value, or its default if not given, is one of these */
    const char *is_not; /* … and is none of these */
    const char *about;  /* the parameter in the message; NULL: the action, or for RULE_NONE the
                           first one given */
    const char *text;   /* of the message */
    const char *hint;   /* NULL: none */
};

/*
 * Validates a parameter against its row and converts it to the kind's JSON type: a number from
 * untyped text becomes text again. Fails with INVALID_ACTION with the place, and an example as the
 * hint.
 */
bool param_check(struct br_action *action, const struct param *param, struct br_error *err);

/* Returns whether the tables write values of this kind as plain text instead of JSON. */
bool param_is_text(enum param_kind kind);

/* Returns a row's default or example as a value; NULL for NULL. Caller decrefs. */
json_t *param_written(const struct param *param, const char *written);

/* Returns a value that the row accepts, for messages. Caller decrefs. */
json_t *param_example(const struct param *param);

/* Prefixes an error with its place: "line L, column C: click.timeout: …". Returns false. */
bool param_add_place(const struct br_action *action, const char *name, struct br_error *err);

/*
 * Fails with INVALID_ACTION about a parameter, or about the action if name is NULL: "line L, column
 * C: …".
 */
bool param_error(const struct br_action *action, const char *name, struct br_error *err,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Read parameters of validated actions; return the fallback if absent. Text is borrowed. */
const char *param_text(const struct br_action *action, const char *name, const char *fallback);
double param_number(const struct br_action *action, const char *name, double fallback);
int64_t param_integer(const struct br_action *action, const char *name, int64_t fallback);
bool param_boolean(const struct br_action *action, const char *name, bool fallback);
bool param_is_given(const struct br_action *action, const char *name);

/* Returns the index of a PARAM_CHOICE in its choices. */
int param_choice(const struct br_action *action, const char *name, const char *const *choices,
                 int fallback);

#endif
