/* What parameters an action takes, as tables, and how they are checked and read. */
#ifndef RUNNER_ACTIONS_PARAMS_H
#define RUNNER_ACTIONS_PARAMS_H

#include "runner/base/action.h"

#include <stdbool.h>
#include <stdint.h>

enum param_kind {
    PARAM_TEXT,    /* any string */
    PARAM_NAME,    /* a string that is not empty */
    PARAM_NODE,    /* the id of a node in a snapshot; naming.h checks it */
    PARAM_URL,     /* absolute, with one of the schemes that Chrome is to open */
    PARAM_KEYS,    /* a key or a chord, such as Control+A */
    PARAM_NUMBER,  /* min to max */
    PARAM_INTEGER, /* min to max */
    PARAM_BOOLEAN,
    PARAM_CHOICE,    /* one of `choices` */
    PARAM_CHOICES,   /* an array of them */
    PARAM_NAMES,     /* an array of at least min strings that are not empty */
    PARAM_TEXTS,     /* a string or an array of them */
    PARAM_INTEGERS,  /* a whole number, min to max, or an array of them */
    PARAM_SELECTORS, /* a CSS selector or an array of 1 to max: always an array when checked */
    PARAM_RANGE,     /* {"min": n, "max": n} */
    PARAM_POINT,     /* {"x": n, "y": n}, not negative */
    PARAM_BOX,       /* {"x": n, "y": n, "width": n, "height": n} */
    PARAM_TARGET,    /* an object as `hover` takes it; the action checks it, as those that follow */
    PARAM_ACTION,    /* an object, one of the actions that may be a step */
    PARAM_HEADERS,   /* an object of texts */
    PARAM_FIELDS,    /* an object of values by names, or an array of elements with values */
    PARAM_VALUES,    /* an array of JSON values of any kind */
    PARAM_CLOCK,     /* a time, an object with time and seed, a boolean or null */
    PARAM_MEMBERS,   /* an object with `members` */
    PARAM_LIST,      /* an array of min to max such objects, or text that holds one */
};

/* What becomes of a value, for the rules of a session: see permission.h. */
enum param_use {
    USE_PLAIN,
    USE_SCRIPT, /* it is run in the page */
    USE_FILE,   /* the file at this path is read or written */
    USE_OPENED, /* the page goes to this URL */
};

/* How many texts or numbers an array of them may have. */
enum { PARAM_MAX_LISTED = 1000 };

/*
 * One parameter, described once: what checks it, the schemas, the tables of docs/actions.md, the
 * help and the tools of models are made from it.
 */
struct param {
    const char *name; /* NULL ends a table */
    enum param_kind kind;
    bool is_required;
    bool is_rare;               /* left out of what models are told, unless they are told all */
    double min, max;            /* of numbers, both 0: any number; of items */
    const char *const *choices; /* NULL-terminated */
    const struct param *members;
    enum param_use use;
    const char *text;          /* sentences; NULL: those of the kind */
    const char *default_value; /* JSON, or just the text; NULL: there is none */
    const char *example;       /* in the same way */
};

/* A row: its name, its kind without PARAM_, its sentences, and what else there is to say. */
#define PARAM(name_, kind_, ...)                                                                   \
    {                                                                                              \
        .name = name_, .kind = PARAM_##kind_, .text = __VA_ARGS__                                  \
    }

/* What a rule says of the parameters that it names. */
enum rule_kind {
    RULE_ALL,         /* each of them is given */
    RULE_ANY,         /* at least one is */
    RULE_ONE,         /* exactly one is; here and in the next, what is false counts for nothing */
    RULE_AT_MOST_ONE, /* not two of them are */
    RULE_NONE,        /* none of them is */
};

/* What goes together. Lists are names with a space between them: see action_type_names(). */
struct rule {
    enum rule_kind kind;
    const char *names;  /* NULL ends a table */
    const char *when;   /* it holds only where this parameter is given; NULL: always */
    const char *is;     /* … and is one of these, by its default where it is not given */
    const char *is_not; /* … and is none of these */
    const char *about;  /* the parameter in the message; NULL: the action; of RULE_NONE the first */
    const char *text;   /* of the message */
    const char *hint;   /* NULL: none */
};

/*
 * Holds a parameter against its row and brings it into the kind's JSON type: text that looks like a
 * number becomes text again. INVALID_ACTION with its place, and an example as the hint.
 */
bool param_check(struct br_action *action, const struct param *param, struct br_error *err);

/* Whether plain text, not JSON, is how values of the kind are written in the tables. */
bool param_is_text(enum param_kind kind);

/* A default or example of a row as a value; NULL for NULL. Caller decrefs. */
json_t *param_written(const struct param *param, const char *written);

/* A value that the row takes, for messages. Caller decrefs. */
json_t *param_example(const struct param *param);

/* Puts where it stands in front of an error: "line L, column C: click.timeout: …". Returns false.
 */
bool param_add_place(const struct br_action *action, const char *name, struct br_error *err);

/* INVALID_ACTION about a parameter, or with name NULL about the action: "line L, column C: …". */
bool param_error(const struct br_action *action, const char *name, struct br_error *err,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* For actions that were checked; the fallback where a parameter is absent. Text is borrowed. */
const char *param_text(const struct br_action *action, const char *name, const char *fallback);
double param_number(const struct br_action *action, const char *name, double fallback);
int64_t param_integer(const struct br_action *action, const char *name, int64_t fallback);
bool param_boolean(const struct br_action *action, const char *name, bool fallback);
bool param_is_given(const struct br_action *action, const char *name);

/* The index of a PARAM_CHOICE in its choices. */
int param_choice(const struct br_action *action, const char *name, const char *const *choices,
                 int fallback);

#endif
