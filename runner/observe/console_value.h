/* Texts for the arguments of a console call, from what the call itself contains. */
#ifndef RUNNER_OBSERVE_CONSOLE_VALUE_H
#define RUNNER_OBSERVE_CONSOLE_VALUE_H

#include "runner/base/strbuf.h"

#include <jansson.h>

enum {
    CONSOLE_PREVIEW_TEXT = 99, /* bytes; Chrome cuts longer texts in previews */
    CONSOLE_PREVIEW_DEPTH = 3, /* of previews in previews that are read */
};

/* Adds a Runtime.RemoteObject as the console prints it, with the `members` of inspect.js. */
void console_add_value(struct strbuf *text, const json_t *object);

/* Adds all arguments of a console call; applies the first one if it is a format. */
void console_add_arguments(struct strbuf *text, const json_t *args);

/* Whether a RemoteObject is an error that has a description. */
bool console_is_error(const json_t *object);

/* Whether a RemoteObject's subtype is an array or a typed array. */
bool console_is_list(const char *subtype);

/* Whether a RemoteObject is a plain object, an array, a typed array, a Map or a Set. */
bool console_is_container(const json_t *object);

#endif
