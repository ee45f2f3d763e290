/*
 * Events by which a page reports about itself, as many and as long as it likes. They may be cut and
 * dropped; events that define the page's state may not.
 */
#ifndef RUNNER_CDP_TELEMETRY_H
#define RUNNER_CDP_TELEMETRY_H

#include <stdbool.h>
#include <stddef.h>

enum telemetry {
    TELEMETRY_NONE,    /* must stay complete */
    TELEMETRY_CUT,     /* its long texts may be cut */
    TELEMETRY_SAYING,  /* the same, and it is dropped first when a mailbox fills up */
    TELEMETRY_USELESS, /* dropped: only raw readers use it */
};

/*
 * Returns the kind of a message, given its text or first bytes. Relies on Chrome's order: the
 * method comes first.
 */
enum telemetry telemetry_of(const char *text, size_t length);

#endif
