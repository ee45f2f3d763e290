/* Requests that Chrome stops for us; for the files of this folder. */
#ifndef RUNNER_PAGE_ROUTE_H
#define RUNNER_PAGE_ROUTE_H

#include "runner/page/state.h"

/* Applies an event of the Fetch domain; false for any other. */
bool route_on_event(struct page *page, const char *session_id, const char *method, json_t *params);

#endif
