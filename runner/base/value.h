/* The values of <browser_runner/value.h>, which are jansson's, and what is put into them. */
#ifndef RUNNER_BASE_VALUE_H
#define RUNNER_BASE_VALUE_H

#include <browser_runner/value.h>
#include <jansson.h>

/* Borrowed; NULL is NULL. */
const struct br_value *value_of(const json_t *json);

/*
 * Puts a value at the path below an object, in the place of what is there; objects and lists on the
 * way are made, and the index of a list that is its length appends. NULL takes away what is there.
 * Takes ownership of the value. INVALID_ACTION for a path that leads into a text, or over a gap.
 */
bool value_put(json_t *object, const char *path, json_t *value, struct br_error *err);

#endif
