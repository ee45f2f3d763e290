/* The parameter `logFilter` of an action: which log entries its response keeps. */
#ifndef RUNNER_SESSION_LOG_FILTER_H
#define RUNNER_SESSION_LOG_FILTER_H

#include "runner/base/response.h"

#include <jansson.h>

/*
 * Removes entries that are not of `types`, below `minLevel`, or with a category that is not in
 * `categories`. filter is a checked object, or NULL: nothing is removed.
 */
void log_filter_apply(const json_t *filter, struct log_list *logs);

#endif
