/* The parameter `networkFilter`: which requests the JSON of a response shows. */
#ifndef RUNNER_FORMATS_NETWORK_FILTER_H
#define RUNNER_FORMATS_NETWORK_FILTER_H

#include <browser_runner/response.h>

#include <jansson.h>

/*
 * Removes those events from `networkEvents` of a response, in place, that the filter does not keep;
 * where any were removed, `networkSummary` counts them all. Filtering again with the same changes
 * nothing.
 */
void network_filter_apply(json_t *response, enum br_network_filter filter);

#endif
