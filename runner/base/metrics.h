/* Encodes metrics as the JSON of responses. */
#ifndef RUNNER_BASE_METRICS_H
#define RUNNER_BASE_METRICS_H

#include <browser_runner/response.h>

#include <jansson.h>

/* Returns the object `metrics` of a response; unknown values are absent. Caller decrefs. */
json_t *metrics_json(const struct br_metrics *metrics);

#endif
