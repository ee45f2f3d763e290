/*
 * Events by which a page tells of itself, as often and at such length as it likes. They may be cut,
 * and lost; those that say what the page is may not.
 */
#ifndef RUNNER_CDP_TELEMETRY_H
#define RUNNER_CDP_TELEMETRY_H

#include <stdbool.h>
#include <stddef.h>

enum telemetry {
    TELEMETRY_NONE,    /* to be had whole */
    TELEMETRY_CUT,     /* long texts in it may be cut */
    TELEMETRY_SAYING,  /* and it is the first to go when there is too much */
    TELEMETRY_USELESS, /* nobody looks at it */
};

/* By the text of a message, or its first bytes, as Chrome writes it: the method comes first. */
enum telemetry telemetry_of(const char *text, size_t length);

#endif
