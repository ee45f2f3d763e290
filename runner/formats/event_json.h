/* Lines of a stream beside the responses: events for those who subscribe, and errors. */
#ifndef RUNNER_FORMATS_EVENT_JSON_H
#define RUNNER_FORMATS_EVENT_JSON_H

#include <browser_runner/error.h>
#include <browser_runner/event.h>
#include <jansson.h>

/*
 * {"kind": "event", "session": …, "cursor": "7", "event": {"name": "console", "log": {…}, …}}. The
 * cursor is what `logs` and `network` take as `since`; a momentary event has none. Caller decrefs.
 */
json_t *event_json(const struct br_event *event);

/* {"kind": "error", …}: what could not be done, where there is no response to say so. */
json_t *error_json(const struct br_error *why);

/* The bit of a kind by its name, or of the kinds of a group ("logs", "all"); 0: it is unknown. */
unsigned event_kinds_named(const char *name);

#endif
