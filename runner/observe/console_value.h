/* How the arguments of a console call are written. */
#ifndef RUNNER_OBSERVE_CONSOLE_VALUE_H
#define RUNNER_OBSERVE_CONSOLE_VALUE_H

#include "runner/base/strbuf.h"

#include <jansson.h>

/* A Runtime.RemoteObject as the console would print it; with `members` as inspect.js gave them. */
void console_add_value(struct strbuf *text, const json_t *object);

/* All arguments of a console call, by its format if it has one. */
void console_add_arguments(struct strbuf *text, const json_t *args);

/*
 * The arguments as typed values, in the form of the protocol's DeepSerializedValue: as `values` has
 * them from its place `first` on (NULL: none), and where it has nothing, as far as the call itself
 * tells. The last of `values` is how many members each has lost. To these come
 * `className`, `description` where the value says too little, `leftOut` (members that are not
 * there) and `isCut` (some are not). Caller decrefs.
 */
json_t *console_typed_values(const json_t *args, const json_t *values, size_t first);

/*
 * Objects are written out where they come first, and have their reference alone afterwards: writes
 * them again in each of the values that they are in, so that each can be read without the others.
 */
void console_values_separate(json_t *values);

/* Whether serialisation tells more of the arguments than the call itself. */
bool console_wants_values(const json_t *args);

/* Whether the preview leaves out what is in the object. */
bool console_is_shallow(const json_t *object);

#endif
