/* What the plain words behind a type of action mean: one row a type. */
#ifndef RUNNER_CLI_ACT_TABLE_H
#define RUNNER_CLI_ACT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum act_word {
    ACT_END,          /* behind the last one */
    ACT_ELEMENT,      /* an element or place */
    ACT_TO,           /* the same, where something is dragged to */
    ACT_PLAIN,        /* the parameter that the slot names */
    ACT_REST,         /* the same, all words that are left */
    ACT_OPTION,       /* of a list: its label, or else its value */
    ACT_WAIT,         /* milliseconds, a URL, a selector, or words of the page */
    ACT_SCROLL,       /* a direction, a distance, or an element */
    ACT_SNAPSHOT,     /* an element, or what is to be found */
    ACT_DIALOG,       /* accept or dismiss */
    ACT_DEVICE,       /* a preset, or the size of a viewport */
    ACT_TAB,          /* what to do, or the number of a tab to activate */
    ACT_TAB_NAME,     /* number or URL, by what is done */
    ACT_NAME_OR_FILE, /* of what is done with files the file */
    ACT_LEVEL,        /* the least level of logs, or what they contain */
    ACT_REQUEST,      /* the id of a request, or a part of URLs */
};

struct act_slot {
    enum act_word kind;
    bool is_optional;   /* it has a word only where there are enough for those that are needed */
    const char *params; /* with one of them given there is no word: names with a space between */
};

enum { ACT_MAX_SLOTS = 4 };

struct act_row {
    const char *type;
    const char *usage; /* of the words */
    const char *names; /* how elements are found by names: see act_element_ways() */
    struct act_slot slots[ACT_MAX_SLOTS];
    const char *usual_name, *usual_value; /* a parameter where neither word nor option says it */
    const char *const *examples;          /* NULL-terminated */
};

/* The row at an index; NULL behind the last one. */
const struct act_row *act_row_at(size_t index);

/* The row of a type; one without words where the table has none. */
struct act_row act_row_find(const char *type);

/* Another name of a type, and a parameter that comes with it; NULL: there is none. */
struct act_alias {
    const char *name, *type;
    const char *param, *value;
};
const struct act_alias *act_alias_find(const char *name);

#endif
