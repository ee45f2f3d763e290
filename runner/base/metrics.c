#include "runner/base/metrics.h"

#include "runner/base/json.h"

json_t *metrics_json(const struct br_metrics *metrics)
{
    const struct {
        const char *name;
        double value;
        int64_t scale; /* steps a unit */
    } table[] = {
        { "loadTime", metrics->load_time_ms, 10 },
        { "memoryUsage", metrics->memory_usage_bytes, 10 },
        { "jsErrors", metrics->js_errors, 1 },
        { "networkErrors", metrics->network_errors, 1 },
        { "ttfb", metrics->ttfb_ms, 10 },
        { "fcp", metrics->fcp_ms, 10 },
        { "lcp", metrics->lcp_ms, 10 },
        { "domContentLoaded", metrics->dom_content_loaded_ms, 10 },
        { "sessionDuration", metrics->session_duration_ms, 10 },
        { "totalErrors", metrics->total_errors, 1 },
        { "consecutiveErrors", metrics->consecutive_errors, 1 },
        { "cls", metrics->cls, 10000 },
        { "inp", metrics->inp_ms, 10 },
        { "longTasks", metrics->long_tasks, 1 },
        { "longTaskTime", metrics->long_task_ms, 10 },
        { "nodes", metrics->nodes, 1 },
        { "layouts", metrics->layouts, 1 },
        { "transferSize", metrics->transfer_bytes, 1 },
    };
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        json_t *value = table[i].value >= 0 ? json_number(table[i].value, table[i].scale) : NULL;
        if (value) {
            json_object_set_new(object, table[i].name, value);
        }
    }
    return object;
}
