#include "runner/sessions/latency.h"

#include "runner/actions/actions.h"

#include <stdatomic.h>
#include <string.h>

static const int bounds_ms[] = { 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000 };
enum { BUCKETS = sizeof(bounds_ms) / sizeof(bounds_ms[0]) + 1, MAX_TYPES = 64 };

struct latency {
    atomic_ullong counts[BUCKETS]; /* not cumulative */
    atomic_ullong failed;
    atomic_llong sum_ms;
};

struct latencies {
    struct latency of[MAX_TYPES]; /* by the type's index in the table of types */
};

struct latencies *latencies_create(void)
{
    return xcalloc(1, sizeof(struct latencies));
}

void latencies_destroy(struct latencies *latencies)
{
    free(latencies);
}

void latencies_add(struct latencies *latencies, const char *type, bool success, int64_t ms)
{
    size_t place = 0;
    size_t bucket = 0;
    while (action_types[place] && strcmp(action_types[place]->name, type) != 0) {
        place++;
    }
    while (bucket < BUCKETS - 1 && ms > bounds_ms[bucket]) {
        bucket++;
    }
    if (!action_types[place] || place >= MAX_TYPES) {
        return; /* a name that is not a type comes from the client, and must not be in the output */
    }
    struct latency *latency = &latencies->of[place];
    latency->failed += !success;
    latency->sum_ms += ms;
    latency->counts[bucket]++;
}

static bool has_any(const struct latency *latency)
{
    bool is_any = false;
    for (size_t i = 0; i < BUCKETS; i++) {
        is_any |= latency->counts[i] > 0;
    }
    return is_any;
}

static void write_one(struct strbuf *text, const char *type, const struct latency *latency)
{
    uint64_t count = 0;
    for (size_t i = 0; i < BUCKETS; i++) {
        count += latency->counts[i];
        if (i < BUCKETS - 1) {
            strbuf_add_format(text,
                              "browser_runner_action_seconds_bucket{type=\"%s\",le=\"%g\"} "
                              "%llu\n",
                              type, bounds_ms[i] / 1000.0, (unsigned long long)count);
        } else {
            strbuf_add_format(text,
                              "browser_runner_action_seconds_bucket{type=\"%s\",le=\"+Inf\"} "
                              "%llu\n",
                              type, (unsigned long long)count);
        }
    }
    strbuf_add_format(text,
                      "browser_runner_action_seconds_count{type=\"%s\"} %llu\n"
                      "browser_runner_action_seconds_sum{type=\"%s\"} %g\n",
                      type, (unsigned long long)count, type, (double)latency->sum_ms / 1000);
}

void latencies_write(struct latencies *latencies, struct strbuf *text)
{
    strbuf_add_string(text, "# TYPE browser_runner_action_seconds histogram\n"
                            "# UNIT browser_runner_action_seconds seconds\n"
                            "# HELP browser_runner_action_seconds How long actions took.\n");
    for (size_t i = 0; action_types[i] && i < MAX_TYPES; i++) {
        if (has_any(&latencies->of[i])) {
            write_one(text, action_types[i]->name, &latencies->of[i]);
        }
    }
    strbuf_add_string(text, "# TYPE browser_runner_action_failures counter\n"
                            "# HELP browser_runner_action_failures Actions that failed.\n");
    for (size_t i = 0; action_types[i] && i < MAX_TYPES; i++) {
        if (has_any(&latencies->of[i])) {
            strbuf_add_format(text, "browser_runner_action_failures_total{type=\"%s\"} %llu\n",
                              action_types[i]->name, (unsigned long long)latencies->of[i].failed);
        }
    }
}
