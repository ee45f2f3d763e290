/* Hints for failures that the program itself detects, by the kind of failure. */
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

/* Sets the error's category and hint, replacing present ones. Returns false. */
bool error_advise(struct br_error *err, enum advice advice);

/* Returns the hint for a page, or a resource of it, with this HTTP status, from 400 on. Static. */
const char *status_hint(int status);

/* The same hints as texts, for errors that describe the status in words. */
extern const char hint_login[], hint_forbidden[], hint_no_such_page[], hint_too_many[],
    hint_bad_gateway[], hint_overloaded[], hint_server_failed[], hint_server_refused[];

/* The hint that a page is gone, for errors that describe it in words. */
extern const char hint_page_gone[];

#endif
