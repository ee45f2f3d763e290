/* Prints messages of debug-bridge as lines for a person, without control characters. */
#ifndef RUNNER_CLI_BRIDGE_TEXT_H
#define RUNNER_CLI_BRIDGE_TEXT_H

#include "runner/base/strbuf.h"

#include <jansson.h>

/* Adds "12:30:05 app-1 console warn: text" and a line feed; cuts long texts. */
void bridge_text_add_telemetry(struct strbuf *text, const json_t *message);

/* Adds the answer to a command: a line for each item of a ui_tree, or the whole state or HTML. */
void bridge_text_add_answer(struct strbuf *text, const json_t *message);

/* Adds "click: done in 12 ms" and the result, or the error. */
void bridge_text_add_result(struct strbuf *text, const json_t *result);

/* Adds "app-1  MyApp  http://localhost/  console, ui_tree", as --list prints an app. */
void bridge_text_add_app(struct strbuf *text, const json_t *app);

#endif
