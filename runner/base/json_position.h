/*
 * Where a value stands in a JSON text, for messages: jansson does not keep it. The text has to be
 * one that jansson has parsed. Positions are found when they are asked for, by reading the text
 * once more.
 */
#ifndef RUNNER_BASE_JSON_POSITION_H
#define RUNNER_BASE_JSON_POSITION_H

#include "runner/base/action.h"

#include <stdbool.h>
#include <stddef.h>

/* A way down into a value. */
struct json_step {
    const char *key; /* of a member; NULL: an item of an array */
    size_t index;    /* of the item */
};

/*
 * Of the member's key or of the item's value where the steps lead to; of the last value on the way
 * that is there. Columns are counted in characters.
 */
struct source_position json_position(const char *text, size_t length, const struct json_step *steps,
                                     size_t count);

/* A key that its object has already, decoded. False ends the search. */
typedef bool json_on_duplicate(void *data, const char *key, struct source_position position);

void json_find_duplicates(const char *text, size_t length, json_on_duplicate *on_duplicate,
                          void *data);

#endif
