/* URL patterns of users: a glob with `*`, or without one a part of the URL. */
#ifndef RUNNER_PAGE_CORE_URL_PATTERN_H
#define RUNNER_PAGE_CORE_URL_PATTERN_H

#include <stdbool.h>

bool url_pattern_matches(const char *pattern, const char *url);

/*
 * Returns a pattern for the protocol's Fetch domain that matches everything this one does, and
 * perhaps more. Caller frees.
 */
char *url_pattern_for_chrome(const char *pattern);

#endif
