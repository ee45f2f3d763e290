/* Recorder of what a page says: its console, uncaught exceptions, Chrome's own log and issues. */
#ifndef RUNNER_OBSERVE_CONSOLE_H
#define RUNNER_OBSERVE_CONSOLE_H

#include "runner/base/response.h"

#include <jansson.h>

/* A console call with objects whose preview does not say enough. */
struct console_wanted {
    json_t *params;  /* of the event; NULL: none; see console_take_wanted() */
    json_t *objects; /* those arguments */
    size_t log;      /* its place in `logs` */
};

enum { CONSOLE_MAX_WORKERS = 32 };

struct console_recorder {
    struct log_list *logs; /* where entries go; borrowed */
    int js_errors;         /* uncaught exceptions since it was last set to 0 */
    struct console_wanted wanted;
    char *workers[CONSOLE_MAX_WORKERS]; /* ids of those with a session of their own, as a ring */
    size_t worker_count;                /* so far */
};

void console_finish(struct console_recorder *recorder);

/*
 * Applies an event of the Runtime, Log or Audits domain; false for any other, of which it only
 * notes the workers that come.
 */
bool console_on_event(struct console_recorder *recorder, const char *method, json_t *params);

/*
 * Whether the event need not be read, since no more entries are kept: it is counted then. An entry
 * that would have been folded into the last one, or dropped as noise, counts as well.
 */
bool console_skip(struct console_recorder *recorder, const char *method);

/* Whether the last event was such a call: the caller asks for the objects at once. It owns them. */
bool console_take_wanted(struct console_recorder *recorder, struct console_wanted *ret_wanted);
void console_wanted_finish(struct console_wanted *wanted);

/* What scripts/inspect.js said of the objects: the message is written again with it. */
void console_set_objects(struct console_recorder *recorder, const struct console_wanted *wanted,
                         const json_t *members);

/* Drops what was said a second time in other words: issues, and workers that the page heard. */
void console_drop_twins(struct log_list *logs);

#endif
