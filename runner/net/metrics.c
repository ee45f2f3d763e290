#include "runner/net/metrics.h"

#include <inttypes.h>

/* OpenMetrics: a backslash, a quote and the end of a line are escaped in the value of a label. */
static void add_label(struct strbuf *text, const char *value)
{
    strbuf_add_string(text, "{listener=\"");
    for (const char *at = value; *at; at++) {
        if (*at == '\n') {
            strbuf_add_string(text, "\\n");
            continue;
        }
        if (*at == '"' || *at == '\\') {
            strbuf_add(text, "\\", 1);
        }
        strbuf_add(text, at, 1);
    }
    strbuf_add_string(text, "\"}");
}

void net_metrics_add(struct strbuf *text, const char *listener, size_t connections,
                     const struct net_counters *counters)
{
    const struct {
        const char *name, *type, *suffix, *help;
        uint64_t value;
    } families[] = {
        { "connections", "gauge", "", "Connections that are there.", connections },
        { "accepted", "counter", "_total", "Connections that were let in.", counters->accepted },
        { "refused", "counter", "_total", "Connections and requests that were refused.",
          counters->refused },
        { "messages_received", "counter", "_total", "Messages of clients.", counters->messages_in },
        { "received_bytes", "counter", "_total", "Bytes of these.", counters->bytes_in },
        { "messages_sent", "counter", "_total", "Messages to clients.", counters->messages_out },
        { "sent_bytes", "counter", "_total", "Bytes of these.", counters->bytes_out },
        { "messages_dropped", "counter", "_total", "Telemetry that a slow client did not get.",
          counters->dropped },
    };
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        const char *name = families[i].name;
        strbuf_add_format(text, "# TYPE browser_runner_%s %s\n# HELP browser_runner_%s %s\n", name,
                          families[i].type, name, families[i].help);
        strbuf_add_format(text, "browser_runner_%s%s", name, families[i].suffix);
        add_label(text, listener);
        strbuf_add_format(text, " %" PRIu64 "\n", families[i].value);
    }
}
