#include "runner/base/metrics.h"

#include "runner/base/json.h"

/* Keyed by the names of the codes; NULL if nothing has failed. */
static json_t *failures_json(const struct br_metrics *metrics)
{
    json_t *object = json_object();
    for (int i = 0; i < BR_CODE_COUNT; i++) {
        if (metrics->failures[i]) {
            json_object_set_new(object, br_code_name((enum br_code)i),
                                json_integer(metrics->failures[i]));
        }
    }
    if (json_object_size(object)) {
        return object;
    }
    json_decref(object);
    return NULL;
}

json_t *metrics_json(const struct br_metrics *metrics)
{
    const struct {
        const char *name;
        double value;
        int64_t scale; /* steps for each unit */
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
        { "totalActions", metrics->total_actions, 1 },
        { "totalJsErrors", metrics->total_js_errors, 1 },
        { "totalNetworkErrors", metrics->total_network_errors, 1 },
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
    json_t *failures = failures_json(metrics);
    if (failures) {
        json_object_set_new(object, "failures", failures);
    }
    return object;
}
