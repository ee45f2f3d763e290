/* Who the browser says that it is; for the files of this folder. */
#ifndef RUNNER_PAGE_WORLD_AGENT_H
#define RUNNER_PAGE_WORLD_AGENT_H

#include "runner/page/core/state.h"

/* Learns what agent_command() needs to know of the browser. */
bool agent_prepare(struct page *page, struct br_error *err);

/* The command that sets the user agent, its client hints and the languages, by the settings. */
const char *agent_command(struct page *page, json_t **ret_params);

#endif
