/*
 * Values as JSON has them: of actions, and of what responses say. They are read here without their
 * text. All are borrowed from what they were taken from; NULL is a value that is not there, and
 * fine for every function.
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
    BR_VALUE_ABSENT, /* of NULL */
    BR_VALUE_NULL,
    BR_VALUE_BOOLEAN,
    BR_VALUE_NUMBER,
    BR_VALUE_TEXT,
    BR_VALUE_LIST,
    BR_VALUE_OBJECT,
};

BR_API enum br_value_kind br_value_kind(const struct br_value *value);

/* What the value is; the fallback for a value of another kind. Texts are UTF-8. */
BR_API bool br_value_boolean(const struct br_value *value, bool fallback);
BR_API double br_value_number(const struct br_value *value, double fallback);
BR_API const char *br_value_text(const struct br_value *value, const char *fallback);

/* How many items a list has, or members an object; 0 for all others. */
BR_API size_t br_value_count(const struct br_value *value);

/* The item of a list, or the member of an object in its order, and that member's name; else NULL.
 */
BR_API const struct br_value *br_value_item(const struct br_value *value, size_t index);
BR_API const char *br_value_name(const struct br_value *value, size_t index);

/* What is at the path below the value: "viewport.width", "route[0].url", "[2]". Else NULL. */
BR_API const struct br_value *br_value_find(const struct br_value *value, const char *path);

#ifdef __cplusplus
}
#endif

#endif
