/*
 * Requests that Chrome stops for us: those that a route answers or blocks, and those of servers
 * that ask who we are.
 */
#ifndef RUNNER_PAGE_WORLD_ROUTE_H
#define RUNNER_PAGE_WORLD_ROUTE_H

#include <jansson.h>
#include <stdbool.h>

struct page;

/* The command that has Chrome stop what the settings `route` and `credentials` are about. */
const char *route_command(struct page *page, json_t **ret_params);

/* Applies an event of the Fetch domain; false for any other. */
bool route_on_event(struct page *page, const char *session_id, const char *method, json_t *params);

void route_init(struct page *page);
void route_finish(struct page *page);

#endif
