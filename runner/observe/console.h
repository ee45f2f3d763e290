/* Records the page's console calls, uncaught exceptions, Chrome's own log and issues. */
#ifndef RUNNER_OBSERVE_CONSOLE_H
#define RUNNER_OBSERVE_CONSOLE_H

#include "runner/base/log.h"

#include <browser_runner/response.h>

#include <jansson.h>

/* A console call whose event does not contain all details. */
struct console_wanted {
    json_t *params;    /* params of the event; NULL: none; see console_take_wanted() */
    json_t *objects;   /* arguments with an incomplete preview; may be empty */
    bool wants_values; /* serialise its arguments */
    uint64_t log;      /* id of its log entry */
};

enum { CONSOLE_MAX_WORKERS = 32 };

struct console_recorder {
    struct log_list *logs; /* receives the entries; borrowed */
    int js_errors;         /* uncaught exceptions since it was last reset */
    int tab;               /* the tab of the next event, see br_event */
    struct console_wanted wanted;
    char *workers[CONSOLE_MAX_WORKERS]; /* ids of workers with their own session, as a ring */
    size_t worker_count;                /* total number so far */
};

void console_finish(struct console_recorder *recorder);

/*
 * Handles an event of the Runtime, Log or Audits domain; returns false for any other, from which it
 * only notes new workers.
 */
bool console_on_event(struct console_recorder *recorder, const char *method, json_t *params);

/*
 * Whether the event can be skipped without parsing, because no more entries are kept and the stream
 * is flooded; it is then counted. The count includes entries that would have been merged into the
 * last one, or dropped as noise.
 */
bool console_skip(struct console_recorder *recorder, const char *method);

/*
 * Whether the last event was a call with missing details: the caller requests them at once, and
 * owns *ret_wanted.
 */
bool console_take_wanted(struct console_recorder *recorder, struct console_wanted *ret_wanted);
void console_wanted_finish(struct console_wanted *wanted);

/* Rewrites the message with the result of scripts/inspect.js for the objects. */
void console_set_objects(struct console_recorder *recorder, const struct console_wanted *wanted,
                         const json_t *members);

/*
 * Stores the deep values of the call's arguments, from scripts/values.js. *first is the index of
 * the first one in `values`; it is advanced past the last one.
 */
void console_set_values(struct console_recorder *recorder, const struct console_wanted *wanted,
                        const json_t *values, size_t *first);

/* No more details will arrive: its event need not wait. */
void console_let_go(struct console_recorder *recorder, const struct console_wanted *wanted);

/*
 * Drops duplicates: issues that Chrome's log also reports, and a worker's messages that the page
 * also reported.
 */
void console_drop_twins(struct log_list *logs);

#endif
