#include "runner/hints/advice.h"

#include <stddef.h>

const char hint_login[] = "a login is required: log in first, give `emulate` `credentials`, or "
                          "check the token that is sent";
const char hint_forbidden[] =
    "the server refuses access: log in as a user who has permission, or check the server's rules";
const char hint_no_such_page[] =
    "there is no such page or file: check the path, and whether it was built";
const char hint_too_many[] = "the server limits requests: wait a while, then send fewer";
const char hint_bad_gateway[] =
    "the server cannot reach its backend: check that the backend runs and answers in time";
const char hint_overloaded[] = "the server is overloaded or not ready yet: try again in a while";
const char hint_server_failed[] = "the server failed: look at its log";
const char hint_server_refused[] = "the server refused the request: look at its answer";
const char hint_page_gone[] = "a `start` action opens a new page";

bool error_advise(struct br_error *err, enum advice advice)
{
    static const char network[] = "network";
    static const char automation[] = "automation";
    static const struct {
        const char *category, *hint;
    } rows[] = {
        [ADVICE_SERVER] = { network, "raise `timeout`, or look at what the server waits for" },
        [ADVICE_LOAD] = { network, "a request of the page does not end: raise `timeout`, or set "
                                   "`waitUntil` to domcontentloaded" },
        [ADVICE_DOM_CONTENT_LOADED] = { network, "a script or a style sheet blocks the page: raise "
                                                 "`timeout`, or look at its requests" },
        [ADVICE_NETWORK_IDLE] = { network, "the page keeps sending requests: raise `timeout`, or "
                                           "wait for an element or text that you need" },
        [ADVICE_NAVIGATION] = { automation, "the click led to no other page: raise `timeout`, or "
                                            "remove `waitForNavigation`" },
        [ADVICE_REPLY] = { automation,
                           "the page did not answer in time: raise `timeout`, or look for a script "
                           "that does not end or a promise that is never settled" },
        [ADVICE_WAIT] = { automation,
                          "raise `timeout`, or check in the picture what the page shows instead" },
        [ADVICE_PAINT] = { network,
                           "raise `timeout`, or fix that request; `route` of `emulate` can block "
                           "it. `snapshot` and `evaluate` work without painting" },
        [ADVICE_PAGE_GONE] = { automation, hint_page_gone },
    };
    err->category = rows[advice].category;
    return error_hint(err, "%s", rows[advice].hint);
}

const char *status_hint(int status)
{
    static const struct {
        int status;
        const char *hint;
    } rows[] = {
        { 401, hint_login },       { 403, hint_forbidden },   { 404, hint_no_such_page },
        { 429, hint_too_many },    { 502, hint_bad_gateway }, { 503, hint_overloaded },
        { 504, hint_bad_gateway },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].status == status) {
            return rows[i].hint;
        }
    }
    return status >= 500 ? hint_server_failed : hint_server_refused;
}
