/* The values of <browser_runner/value.h>, which are jansson's, and setting them. */
#ifndef RUNNER_BASE_VALUE_H
#define RUNNER_BASE_VALUE_H

#include <browser_runner/value.h>
#include <jansson.h>

/* Borrowed; NULL for NULL. */
const struct br_value *value_of(const json_t *json);

/*
 * Sets the value at the path below an object, replacing the present one; missing objects and lists
 * on the way are created, and an index equal to a list's length appends. NULL removes the value.
 * Takes ownership of the value. INVALID_ACTION for a path that leads into a text, or over a gap.
 */
bool value_put(json_t *object, const char *path, json_t *value, struct br_error *err);

#endif
