/* Headers as they were on the wire: Chrome tells them by events of their own, in no sure order. */
#include "runner/base/json.h"
#include "runner/observe/network_event.h"
#include "runner/observe/network_state.h"

#include <string.h>

enum { MAX_EXTRAS = 64 };

/* Of a request that is not announced yet. */
struct network_extra {
    char *id;
    json_t *request, *response; /* params of the events; NULL: not told */
};

static struct network_extra *find(struct network_recorder *recorder, const char *id)
{
    for (size_t i = 0; i < recorder->extra_count; i++) {
        if (strcmp(recorder->extras[i].id, id) == 0) {
            return &recorder->extras[i];
        }
    }
    return NULL;
}

static void drop(struct network_recorder *recorder, struct network_extra *extra)
{
    free(extra->id);
    json_decref(extra->request);
    json_decref(extra->response);
    *extra = recorder->extras[--recorder->extra_count];
}

static struct network_extra *create(struct network_recorder *recorder, const char *id)
{
    if (recorder->extra_count == MAX_EXTRAS) {
        drop(recorder, &recorder->extras[0]);
    }
    recorder->extras = array_reserve(recorder->extras, recorder->extra_count,
                                     &recorder->extra_capacity, sizeof(*recorder->extras));
    struct network_extra *extra = &recorder->extras[recorder->extra_count++];
    *extra = (struct network_extra){ .id = xstrdup(id) };
    return extra;
}

void network_extra_add(struct network_recorder *recorder, struct br_network_event *event,
                       bool is_response, json_t *params)
{
    const char *id = json_member_string(params, "requestId");
    if (!network_gathers_headers(recorder) || !id) {
        return;
    }
    if (event) {
        network_event_set_headers(event, is_response, params);
        return;
    }
    struct network_extra *extra = find(recorder, id);
    extra = extra ? extra : create(recorder, id);
    json_t **place = is_response ? &extra->response : &extra->request;
    if (!*place) {
        *place = json_incref(params);
    }
}

void network_extra_take(struct network_recorder *recorder, const char *id,
                        struct br_network_event *event)
{
    struct network_extra *extra = find(recorder, id);
    if (!extra) {
        return;
    }
    if (extra->request) {
        network_event_set_headers(event, false, extra->request);
    }
    if (extra->response) {
        network_event_set_headers(event, true, extra->response);
    }
    drop(recorder, extra);
}

void network_extra_finish(struct network_recorder *recorder)
{
    while (recorder->extra_count) {
        drop(recorder, &recorder->extras[0]);
    }
    free(TAKE(recorder->extras));
    recorder->extra_capacity = 0;
}
