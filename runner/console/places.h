/* Replaces the places in an event by those in the sources that its scripts were built from. */
#ifndef RUNNER_CONSOLE_PLACES_H
#define RUNNER_CONSOLE_PLACES_H

#include "runner/console/event.h"
#include "runner/console/scripts.h"

/* The places of an event, a bit each. */
enum console_places {
    PLACES_LOCATION = 1,
    PLACES_STACK = 2,  /* of the call */
    PLACES_VALUES = 4, /* in stacks of errors, and in texts that contain a stack */
};

/*
 * Requests the scripts of at most 100 of these places, if this machine serves the page. Returns
 * whether one of the scripts is being fetched and worth waiting for.
 */
bool console_places_await(struct console_scripts *scripts, const struct console_event *event,
                          unsigned places);

/* Replaces the places whose source maps are here; keeps the others. */
void console_places_apply(const struct console_scripts *scripts, struct console_event *event,
                          unsigned places);

#endif
