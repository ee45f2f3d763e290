/*
 * How far a navigation of the main frame is, by what Chrome tells and what we ask for. A navigation
 * is under way from the moment that somebody asks for it; that it leads to another document, and
 * not to a place in this one, is told by itself, sometimes before.
 */
#ifndef RUNNER_PAGE_CORE_NAVIGATION_STATE_H
#define RUNNER_PAGE_CORE_NAVIGATION_STATE_H

#include <stdbool.h>

enum navigation_state {
    NAVIGATION_RESTS,
    NAVIGATION_COMES,        /* another document was begun; nobody was heard asking for it */
    NAVIGATION_ASKED,        /* the page, or a person, has asked for it */
    NAVIGATION_ASKED_COMES,  /* and another document was begun */
    NAVIGATION_WANTED,       /* we have asked for it: a script that changes the URL is no answer */
    NAVIGATION_WANTED_COMES, /* and another document was begun */
    NAVIGATION_STATE_COUNT,
};

enum navigation_signal {
    NAVIGATION_IS_ASKED_FOR,        /* by the page, or a person */
    NAVIGATION_IS_WANTED,           /* by us */
    NAVIGATION_BEGINS,              /* to another document */
    NAVIGATION_BEGINS_WITHIN,       /* to a place in this one */
    NAVIGATION_IS_WITHIN,           /* the URL changed within the document */
    NAVIGATION_IS_WITHIN_BY_SCRIPT, /* likewise, by the history's functions */
    NAVIGATION_IS_GIVEN_UP,         /* it became a download, or something for another program */
    NAVIGATION_IS_OVER,             /* another document is there, or loading has stopped */
    NAVIGATION_SIGNAL_COUNT,
};

enum navigation_state navigation_next(enum navigation_state state, enum navigation_signal signal);

/* Whether somebody has asked for a navigation that has not led anywhere yet. */
bool navigation_is_open(enum navigation_state state);

#endif
