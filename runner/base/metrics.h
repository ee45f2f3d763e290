/* Metrics as the JSON of responses. */
#ifndef RUNNER_BASE_METRICS_H
#define RUNNER_BASE_METRICS_H

#include <browser_runner/response.h>

#include <jansson.h>

/* The object `metrics` of a response; what is not known is absent. Caller decrefs. */
json_t *metrics_json(const struct br_metrics *metrics);

#endif
