/* Encodes observations as the JSON of responses. The caller decrefs. */
#ifndef RUNNER_OBSERVE_OBSERVED_H
#define RUNNER_OBSERVE_OBSERVED_H

#include <browser_runner/response.h>
#include <jansson.h>

/* Return an item of `logs`, and one of `networkEvents`; absent values are omitted. */
json_t *observed_log(const struct br_log *log);
json_t *observed_request(const struct br_network_event *event);

#endif
