/* The browser's identity as reported to pages. */
#ifndef RUNNER_PAGE_WORLD_AGENT_H
#define RUNNER_PAGE_WORLD_AGENT_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

/* Gets the browser data that agent_command() needs. */
bool agent_prepare(struct page *page, struct br_error *err);

/*
 * Returns the command that sets the user agent, its client hints and the languages, according to
 * the settings.
 */
const char *agent_command(struct page *page, json_t **ret_params);

/*
 * Returns the browser's name and version, such as "Chrome/156.0.8078.79"; NULL with an error.
 * Borrowed.
 */
const char *page_browser(struct page *page, struct br_error *err);

/* Returns it only if it is already known; else NULL. */
const char *page_known_browser(const struct page *page);

void agent_finish(struct page *page);

#endif
