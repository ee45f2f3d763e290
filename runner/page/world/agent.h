/* Who the browser says that it is. */
#ifndef RUNNER_PAGE_WORLD_AGENT_H
#define RUNNER_PAGE_WORLD_AGENT_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

/* Learns what agent_command() needs to know of the browser. */
bool agent_prepare(struct page *page, struct br_error *err);

/* The command that sets the user agent, its client hints and the languages, by the settings. */
const char *agent_command(struct page *page, json_t **ret_params);

/* The browser's name and version, such as "Chrome/156.0.8078.79"; NULL with the error. Borrowed. */
const char *page_browser(struct page *page, struct br_error *err);

/* The same if it is known by now; else NULL. */
const char *page_known_browser(const struct page *page);

void agent_finish(struct page *page);

#endif
