/* The parameter `logFilter` of an action or a session: which entries a response keeps. */
#ifndef RUNNER_SESSION_LOG_FILTER_H
#define RUNNER_SESSION_LOG_FILTER_H

#include "runner/base/log.h"

#include <browser_runner/response.h>

#include <jansson.h>

/*
 * Removes entries whose type is not in `types`, whose level is below `minLevel`, or whose category
 * is not in `categories`. `filter` is a validated object; NULL: removes nothing.
 */
void log_filter_apply(const json_t *filter, struct log_list *logs);

#endif
