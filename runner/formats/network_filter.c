#include "runner/formats/network_filter.h"

#include "runner/base/json.h"
#include "runner/base/network_event.h"

#include <string.h>

/*
 * The first filter, by increasing strictness, that omits a type of request; all but BR_NETWORK_ALL
 * omit other types.
 */
static const struct {
    const char *type;
    enum br_network_filter out;
} types[] = {
    { "document", BR_NETWORK_FAILED },      { "xhr", BR_NETWORK_DOCUMENT },
    { "fetch", BR_NETWORK_DOCUMENT },       { "websocket", BR_NETWORK_DOCUMENT },
    { "eventsource", BR_NETWORK_DOCUMENT },
};

static bool has_failed(const json_t *event)
{
    const struct br_network_event known = {
        .url = (char *)json_member_string(event, "url"),
        .type = (char *)json_member_string(event, "type"),
        .initiator_type = (char *)json_member_string(json_object_get(event, "initiator"), "type"),
        .error = (char *)json_member_string(event, "error"),
        .status = (int)json_member_number(event, "status", 0),
    };
    return network_event_has_failed(&known);
}

static bool is_kept(const json_t *event, enum br_network_filter filter)
{
    const char *type = json_member_string(event, "type");
    if (filter == BR_NETWORK_NONE || has_failed(event)) {
        return filter != BR_NETWORK_NONE;
    }
    enum br_network_filter out = BR_NETWORK_XHR;
    for (size_t i = 0; type && i < sizeof(types) / sizeof(types[0]); i++) {
        out = strcmp(type, types[i].type) == 0 ? types[i].out : out;
    }
    return filter < out;
}

/* Returns the summary: the number and totals of all requests. */
static json_t *summary_of(const json_t *events)
{
    size_t index;
    json_t *event;
    json_int_t failed = 0;
    double bytes = 0;
    json_array_foreach (events, index, event) {
        failed += has_failed(event);
        bytes += json_member_number(json_object_get(event, "sizes"), "response", 0);
    }
    return json_pack("{s:I, s:I, s:o, s:i}", "requests", (json_int_t)json_array_size(events),
                     "failed", failed, "transferSize", json_number(bytes, 1), "leftOut", 0);
}

void network_filter_apply(json_t *response, enum br_network_filter filter)
{
    size_t index;
    json_t *event;
    json_t *events = json_object_get(response, "networkEvents");
    json_auto_t *kept = json_array();
    json_array_foreach (events, index, event) {
        if (is_kept(event, filter)) {
            json_array_append(kept, event);
        }
    }
    size_t left_out = json_array_size(events) - json_array_size(kept);
    if (left_out == 0) {
        return;
    }
    json_t *summary = json_object_get(response, "networkSummary");
    json_auto_t *told = summary ? json_copy(summary) : summary_of(events);
    double before = json_member_number(told, "leftOut", 0);
    json_object_set_new(told, "leftOut", json_integer((json_int_t)before + (json_int_t)left_out));
    json_object_set(response, "networkSummary", told);
    json_object_set(response, "networkEvents", kept);
}
