/*
 * Finds the position of a value in a JSON text, for messages, because jansson does not keep it. The
 * text must be one that jansson has parsed; it is scanned again for each request.
 */
#ifndef RUNNER_BASE_JSON_POSITION_H
#define RUNNER_BASE_JSON_POSITION_H

#include "runner/base/action.h"

#include <stdbool.h>
#include <stddef.h>

/* One step of the path to a value. */
struct json_step {
    const char *key; /* name of a member; NULL: an item of an array */
    size_t index;    /* index of the item */
};

/*
 * Returns the position of the last step's key or item; if it does not exist, that of the last value
 * on the path that exists. Columns count characters.
 */
struct source_position json_position(const char *text, size_t length, const struct json_step *steps,
                                     size_t count);

/* Receives a key, decoded, that occurs twice in its object. Return false to end the search. */
typedef bool json_on_duplicate(void *data, const char *key, struct source_position position);

void json_find_duplicates(const char *text, size_t length, json_on_duplicate *on_duplicate,
                          void *data);

#endif
