/* The parameter `logFilter` of an action, or of a session: which entries a response keeps. */
#ifndef RUNNER_SESSION_LOG_FILTER_H
#define RUNNER_SESSION_LOG_FILTER_H

#include "runner/base/log.h"

#include <browser_runner/response.h>

#include <jansson.h>

/*
 * Removes entries that are not of `types`, below `minLevel`, or with a category that is not in
 * `categories`. filter is a checked object, or NULL: nothing is removed.
 */
void log_filter_apply(const json_t *filter, struct log_list *logs);

#endif
