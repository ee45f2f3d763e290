/* What was observed, as the JSON of responses has it. The caller decrefs. */
#ifndef RUNNER_OBSERVE_OBSERVED_H
#define RUNNER_OBSERVE_OBSERVED_H

#include <browser_runner/response.h>
#include <jansson.h>

/* An item of `logs`, and one of `networkEvents`; what is absent is left out. */
json_t *observed_log(const struct br_log *log);
json_t *observed_request(const struct br_network_event *event);

#endif
