/*
 * Requests that Chrome pauses for us: those that a route answers or blocks, and those of servers
 * that require credentials.
 */
#ifndef RUNNER_PAGE_WORLD_ROUTE_H
#define RUNNER_PAGE_WORLD_ROUTE_H

#include <jansson.h>
#include <stdbool.h>

struct page;

/*
 * Returns the command that makes Chrome pause requests according to the settings `route` and
 * `credentials`.
 */
const char *route_command(struct page *page, json_t **ret_params);

/* Handles an event of the Fetch domain; false for other events. */
bool route_on_event(struct page *page, const char *session_id, const char *method, json_t *params);

void route_init(struct page *page);
void route_finish(struct page *page);

#endif
