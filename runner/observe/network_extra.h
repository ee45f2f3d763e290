/* Headers as they were on the wire: Chrome tells them by events of their own, in no sure order. */
#ifndef RUNNER_OBSERVE_NETWORK_EXTRA_H
#define RUNNER_OBSERVE_NETWORK_EXTRA_H

#include <browser_runner/response.h>

#include <jansson.h>

/* Of requests that are not announced yet. */
struct network_extras {
    struct network_extra *items;
    size_t count, capacity;
};

void network_extras_finish(struct network_extras *extras);

/* The params of such an event: to the request's event, or where that is NULL, kept for the next. */
void network_extras_add(struct network_extras *extras, struct br_network_event *event,
                        bool is_response, json_t *params);

/* Puts what was kept for a request into its event. */
void network_extras_take(struct network_extras *extras, const char *id,
                         struct br_network_event *event);

#endif
