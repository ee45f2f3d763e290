/* Typed values of the arguments of a console call, in the form of CDP's DeepSerializedValue. */
#ifndef RUNNER_OBSERVE_CONSOLE_TYPED_H
#define RUNNER_OBSERVE_CONSOLE_TYPED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the arguments as typed values: from `values` (of scripts/values.js; NULL: none), where
 * `first` is the index of the first argument, or from the call's own previews where those say more.
 * The last item of `values` counts the members that were omitted from each. Adds `className` and
 * `description` where the value lacks them, `leftOut` (how many members are missing) and `isCut`
 * (some are missing). Caller decrefs.
 */
json_t *console_typed_values(const json_t *args, const json_t *values, size_t first);

/*
 * Chrome writes out an object once, and refers to it afterwards. Repeats the object in every other
 * argument that contains it, so that each argument can be read by itself.
 */
void console_values_separate(json_t *values);

/* Whether serialising the arguments would show more than their previews do. */
bool console_wants_values(const json_t *args);

/* Whether the object's preview is missing, or omits something. */
bool console_is_shallow(const json_t *object);

#endif
