/* The places of an event, told as those in the sources of its scripts. */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_PLACES_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_PLACES_H

#include "runner/servers/console_bridge/event.h"
#include "runner/servers/console_bridge/scripts.h"

/* Which of them are told; a bit each. */
enum console_places {
    PLACES_LOCATION = 1,
    PLACES_STACK = 2,  /* of the call */
    PLACES_VALUES = 4, /* stacks of errors, and texts that have one in them */
};

/*
 * Asks for the scripts of these places: of an event whose page is of this machine, and at most 100
 * places. Whether one of the scripts is on its way and worth waiting for.
 */
bool console_places_await(struct console_scripts *scripts, const struct console_event *event,
                          unsigned places);

/* Rewrites them by what is known; what is not known stays. */
void console_places_apply(const struct console_scripts *scripts, struct console_event *event,
                          unsigned places);

#endif
