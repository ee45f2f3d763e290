/* Headers as they were on the wire: Chrome reports them in separate events, in any order. */
#ifndef RUNNER_OBSERVE_NETWORK_EXTRA_H
#define RUNNER_OBSERVE_NETWORK_EXTRA_H

#include <browser_runner/response.h>

#include <jansson.h>

/* Headers of requests that have not been announced yet. */
struct network_extras {
    struct network_extra *items;
    size_t count, capacity;
};

void network_extras_finish(struct network_extras *extras);

/* Adds the params of such an event to the request's event, or stores them if it is NULL. */
void network_extras_add(struct network_extras *extras, struct br_network_event *event,
                        bool is_response, json_t *params);

/* Moves the stored headers of a request into its event. */
void network_extras_take(struct network_extras *extras, const char *id,
                         struct br_network_event *event);

#endif
