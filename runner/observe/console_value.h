/* How the arguments of a console call are written; for the files of this folder. */
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
 * them (NULL: none), and where it has nothing, as far as the call itself tells. Caller decrefs.
 */
json_t *console_typed_values(const json_t *args, const json_t *values);

/* Whether the preview leaves out what is in the object. */
bool console_is_shallow(const json_t *object);

#endif
