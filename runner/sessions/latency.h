/* Durations of actions by type, for a server's /metrics. Any thread. */
#ifndef RUNNER_SESSIONS_LATENCY_H
#define RUNNER_SESSIONS_LATENCY_H

#include "runner/base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

struct latencies;

struct latencies *latencies_create(void);
void latencies_destroy(struct latencies *latencies);

void latencies_add(struct latencies *latencies, const char *type, bool success, int64_t ms);

/* Writes a histogram and a counter of failures in OpenMetrics' text format. */
void latencies_write(struct latencies *latencies, struct strbuf *text);

#endif
