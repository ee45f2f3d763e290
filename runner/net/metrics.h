/* What a listener counts, and how it tells. */
#ifndef RUNNER_NET_METRICS_H
#define RUNNER_NET_METRICS_H

#include "runner/base/strbuf.h"

#include <stdint.h>

struct net_counters {
    uint64_t accepted; /* connections, those of requests among them */
    uint64_t refused;  /* for there were too many, or by Host, Origin or token */
    uint64_t messages_in, bytes_in, messages_out, bytes_out;
    uint64_t dropped; /* messages of telemetry */
};

/* Adds them in OpenMetrics' text form, without its "# EOF". */
void net_metrics_add(struct strbuf *text, const char *listener, size_t connections,
                     const struct net_counters *counters);

#endif
