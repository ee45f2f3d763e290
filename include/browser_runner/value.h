/*
 * JSON values of actions and responses, read without parsing text. A value is borrowed from the
 * object that it was read from. NULL stands for an absent value and is valid for every function.
 */
#ifndef BROWSER_RUNNER_VALUE_H
#define BROWSER_RUNNER_VALUE_H

#include <browser_runner/error.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct br_value;

enum br_value_kind {
    BR_VALUE_ABSENT, /* the value is NULL */
    BR_VALUE_NULL,
    BR_VALUE_BOOLEAN,
    BR_VALUE_NUMBER,
    BR_VALUE_TEXT,
    BR_VALUE_LIST,
    BR_VALUE_OBJECT,
};

BR_API enum br_value_kind br_value_kind(const struct br_value *value);

/* Return the value, or the fallback if it is of another kind. Texts are UTF-8. */
BR_API bool br_value_boolean(const struct br_value *value, bool fallback);
BR_API double br_value_number(const struct br_value *value, double fallback);
BR_API const char *br_value_text(const struct br_value *value, const char *fallback);

/* Returns the number of items of a list or members of an object; 0 for other kinds. */
BR_API size_t br_value_count(const struct br_value *value);

/*
 * Return the item of a list or the member of an object at this index, and that member's name;
 * otherwise NULL.
 */
BR_API const struct br_value *br_value_item(const struct br_value *value, size_t index);
BR_API const char *br_value_name(const struct br_value *value, size_t index);

/*
 * Returns the value at a path below this one: "viewport.width", "route[0].url", "[2]"; NULL if
 * there is none.
 */
BR_API const struct br_value *br_value_find(const struct br_value *value, const char *path);

#ifdef __cplusplus
}
#endif

#endif
