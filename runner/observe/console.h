/* Recorder of what a page says: its console, uncaught exceptions, Chrome's own log and issues. */
#ifndef RUNNER_OBSERVE_CONSOLE_H
#define RUNNER_OBSERVE_CONSOLE_H

#include "runner/base/log.h"

#include <browser_runner/response.h>

#include <jansson.h>

/* A console call of which the event does not say enough. */
struct console_wanted {
    json_t *params;    /* of the event; NULL: none; see console_take_wanted() */
    json_t *objects;   /* arguments whose preview leaves something out; may be empty */
    bool wants_values; /* serialise its arguments */
    uint64_t log;      /* the id of its entry */
};

enum { CONSOLE_MAX_WORKERS = 32 };

struct console_recorder {
    struct log_list *logs; /* where entries go; borrowed */
    int js_errors;         /* uncaught exceptions since it was last set to 0 */
    int tab;               /* the tab that the next event is of, see br_event */
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
 * Whether the event need not be read, since no more entries are kept and the stream is flooded: it
 * is counted then. An entry
 * that would have been folded into the last one, or dropped as noise, counts as well.
 */
bool console_skip(struct console_recorder *recorder, const char *method);

/* Whether the last event was such a call: the caller asks for the rest at once. It owns them. */
bool console_take_wanted(struct console_recorder *recorder, struct console_wanted *ret_wanted);
void console_wanted_finish(struct console_wanted *wanted);

/* What scripts/inspect.js said of the objects: the message is written again with it. */
void console_set_objects(struct console_recorder *recorder, const struct console_wanted *wanted,
                         const json_t *members);

/*
 * Stores the deep values of the call's arguments, from scripts/values.js. *first is the index of
 * the first one in `values`; it is moved behind the last one.
 */
void console_set_values(struct console_recorder *recorder, const struct console_wanted *wanted,
                        const json_t *values, size_t *first);

/* No more comes: its event need not wait. */
void console_let_go(struct console_recorder *recorder, const struct console_wanted *wanted);

/* Drops what was said a second time in other words: issues, and workers that the page heard. */
void console_drop_twins(struct log_list *logs);

#endif
