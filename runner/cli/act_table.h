/* The meaning of the plain words after an action type: one row for each type. */
#ifndef RUNNER_CLI_ACT_TABLE_H
#define RUNNER_CLI_ACT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum act_word {
    ACT_END,          /* end of the slots */
    ACT_ELEMENT,      /* an element or position */
    ACT_TO,           /* the same, for the destination of a drag */
    ACT_PLAIN,        /* the parameter that the slot names */
    ACT_REST,         /* the same, from all remaining words */
    ACT_WAIT,         /* milliseconds, a URL, a selector, or text of the page */
    ACT_SCROLL,       /* a direction, a distance, or an element */
    ACT_SNAPSHOT,     /* an element, or text to find */
    ACT_DIALOG,       /* accept or dismiss */
    ACT_DEVICE,       /* a preset, or the size of a viewport */
    ACT_TAB,          /* an operation, or the number of a tab to activate */
    ACT_TAB_NAME,     /* number or URL, depending on the operation */
    ACT_NAME_OR_FILE, /* a name; for saving and loading, the file */
    ACT_LEVEL,        /* the least level of logs, or text that they contain */
    ACT_REQUEST,      /* the id of a request, or a part of URLs */
};

struct act_slot {
    enum act_word kind;
    bool is_optional;   /* gets a word only if enough are left for the required slots */
    const char *params; /* if one of these parameters is given, the slot takes no word; names
                           separated by spaces */
};

enum { ACT_MAX_SLOTS = 4 };

struct act_row {
    const char *type;
    const char *usage; /* usage of the words */
    struct act_slot slots[ACT_MAX_SLOTS];
    const char *usual_name,
        *usual_value;            /* a parameter to set if neither a word nor an option does */
    const char *const *examples; /* NULL-terminated */
};

/* Returns the row at an index; NULL after the last one. */
const struct act_row *act_row_at(size_t index);

/* Returns the row of a type; a row without words if the table has none. */
struct act_row act_row_find(const char *type);

/* Another name of a type, and a parameter that it implies; NULL: none. */
struct act_alias {
    const char *name, *type;
    const char *param, *value;
};
const struct act_alias *act_alias_find(const char *name);

#endif
