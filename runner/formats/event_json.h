/* Lines of a stream other than responses: events for subscribers, and errors. */
#ifndef RUNNER_FORMATS_EVENT_JSON_H
#define RUNNER_FORMATS_EVENT_JSON_H

#include <browser_runner/error.h>
#include <browser_runner/event.h>
#include <jansson.h>

/*
 * {"kind": "event", "session": …, "cursor": "7", "event": {"name": "console", "log": {…}, …}}. The
 * cursor is a `since` for `logs` and `network`; events that are not in the journal have none.
 * Caller decrefs.
 */
json_t *event_json(const struct br_event *event);

/* {"kind": "error", …}: an error that belongs to no response. Caller decrefs. */
json_t *error_json(const struct br_error *why);

/* Returns the bit of the named kind, or the bits of a group ("logs", "all"); 0 if unknown. */
unsigned event_kinds_named(const char *name);

#endif
