/* Writes console events as JSON of the protocol, and as lines. */
#ifndef RUNNER_CONSOLE_WRITE_H
#define RUNNER_CONSOLE_WRITE_H

#include "runner/base/strbuf.h"
#include "runner/console/event.h"

/* An argument: {"type": "object", "value": {…}}. Caller decrefs. */
json_t *console_value_json(const struct console_value *value);

/* {"method": …, "args": […], "location": {…}}. Caller decrefs. */
json_t *console_payload_json(const struct console_event *event);

/* {"tabId": …, "url": …, "title": …}, without unknown members. Caller decrefs. */
json_t *console_source_json(const struct console_event *event);

/* Adds JSON as a line; writes control characters and marks of direction as escapes. */
void console_add_json_line(struct strbuf *text, const json_t *json);

#endif
