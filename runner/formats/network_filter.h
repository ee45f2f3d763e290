/* The parameter `networkFilter`: which requests the JSON of a response shows. */
#ifndef RUNNER_FORMATS_NETWORK_FILTER_H
#define RUNNER_FORMATS_NETWORK_FILTER_H

#include <browser_runner/response.h>

#include <jansson.h>

/*
 * Removes events from `networkEvents` of a response, in place, unless the filter keeps them; if any
 * were removed, `networkSummary` counts all. Filtering again with the same filter changes nothing.
 */
void network_filter_apply(json_t *response, enum br_network_filter filter);

#endif
