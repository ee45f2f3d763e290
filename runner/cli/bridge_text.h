/* Messages of debug-bridge as lines for a person at a terminal; nothing in them reaches it raw. */
#ifndef RUNNER_CLI_BRIDGE_TEXT_H
#define RUNNER_CLI_BRIDGE_TEXT_H

#include "runner/base/strbuf.h"

#include <jansson.h>

/* "12:30:05 app-1 console warn: text", with a line feed; what is long is cut. */
void bridge_text_add_telemetry(struct strbuf *text, const json_t *message);

/* The answer to a command: the items of a ui_tree a line each, a state or the HTML as a whole. */
void bridge_text_add_answer(struct strbuf *text, const json_t *message);

/* "click: done in 12 ms", or how it failed; with what it returned. */
void bridge_text_add_result(struct strbuf *text, const json_t *result);

/* "app-1  MyApp  http://localhost/  console, ui_tree", of an app as --list has it. */
void bridge_text_add_app(struct strbuf *text, const json_t *app);

#endif
