/*
 * The progress of a navigation of the main frame, from Chrome's events and our requests. It starts
 * when it is requested; a separate event, sometimes an earlier one, reports that it leads to
 * another document rather than to a place in the current one.
 */
#ifndef RUNNER_PAGE_CORE_NAVIGATION_STATE_H
#define RUNNER_PAGE_CORE_NAVIGATION_STATE_H

#include <stdbool.h>

enum navigation_state {
    NAVIGATION_RESTS,
    NAVIGATION_COMES,        /* another document was begun, without a known request */
    NAVIGATION_ASKED,        /* requested by the page or a person */
    NAVIGATION_ASKED_COMES,  /* and another document was begun */
    NAVIGATION_WANTED,       /* requested by us: a script that changes the URL does not end it */
    NAVIGATION_WANTED_COMES, /* and another document was begun */
    NAVIGATION_STATE_COUNT,
};

enum navigation_signal {
    NAVIGATION_IS_ASKED_FOR,        /* by the page or a person */
    NAVIGATION_IS_WANTED,           /* by us */
    NAVIGATION_BEGINS,              /* to another document */
    NAVIGATION_BEGINS_WITHIN,       /* to a place in this one */
    NAVIGATION_IS_WITHIN,           /* the URL changed within the document */
    NAVIGATION_IS_WITHIN_BY_SCRIPT, /* the same by the history API */
    NAVIGATION_IS_GIVEN_UP,         /* it became a download, or a URL for another program */
    NAVIGATION_IS_OVER,             /* another document was committed, or loading has stopped */
    NAVIGATION_SIGNAL_COUNT,
};

enum navigation_state navigation_next(enum navigation_state state, enum navigation_signal signal);

/* Returns whether a requested navigation has not led anywhere yet. */
bool navigation_is_open(enum navigation_state state);

#endif
