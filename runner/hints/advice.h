/* What is to be said of failures that are our own finding, by what failed. */
#ifndef RUNNER_HINTS_ADVICE_H
#define RUNNER_HINTS_ADVICE_H

#include "runner/base/error.h"

enum advice {
    ADVICE_SERVER,             /* a server that does not answer in time */
    ADVICE_LOAD,               /* a page without a load event */
    ADVICE_DOM_CONTENT_LOADED, /* and one without DOMContentLoaded */
    ADVICE_NETWORK_IDLE,       /* a page that keeps requesting */
    ADVICE_NAVIGATION,         /* input that led to no other page */
    ADVICE_REPLY,              /* a page that does not answer a command */
    ADVICE_WAIT,               /* any other wait */
    ADVICE_PAINT,              /* a page that has painted nothing yet */
    ADVICE_PAGE_GONE,          /* a page that crashed or was closed */
};

/* Gives the error its category and its hint, in the place of those that it has. Returns false. */
bool error_advise(struct br_error *err, enum advice advice);

/* The hint for a page or a part of it that was answered with this HTTP status, from 400 on. Static.
 */
const char *status_hint(int status);

/* The same as texts, for those who know the status in other words. */
extern const char hint_login[], hint_forbidden[], hint_no_such_page[], hint_too_many[],
    hint_bad_gateway[], hint_overloaded[], hint_server_failed[], hint_server_refused[];

/* That a page is gone, for those who know it in other words. */
extern const char hint_page_gone[];

#endif
