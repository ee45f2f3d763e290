#include "runner/observe/network_fields.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <string.h>

enum { MAX_EXTRAS = 64 };

/* Headers of a request that has not been announced yet. */
struct network_extra {
    char *id;
    json_t *request, *response; /* params of the events; NULL: not received */
};

static struct network_extra *find(struct network_extras *extras, const char *id)
{
    for (size_t i = 0; i < extras->count; i++) {
        if (strcmp(extras->items[i].id, id) == 0) {
            return &extras->items[i];
        }
    }
    return NULL;
}

static void drop(struct network_extras *extras, struct network_extra *extra)
{
    free(extra->id);
    json_decref(extra->request);
    json_decref(extra->response);
    *extra = extras->items[--extras->count];
}

static struct network_extra *create(struct network_extras *extras, const char *id)
{
    if (extras->count == MAX_EXTRAS) {
        drop(extras, &extras->items[0]);
    }
    extras->items =
        array_reserve(extras->items, extras->count, &extras->capacity, sizeof(*extras->items));
    struct network_extra *extra = &extras->items[extras->count++];
    *extra = (struct network_extra){ .id = xstrdup(id) };
    return extra;
}

void network_extras_add(struct network_extras *extras, struct br_network_event *event,
                        bool is_response, json_t *params)
{
    const char *id = json_member_string(params, "requestId");
    if (!id) {
        return;
    }
    if (event) {
        network_event_set_headers(event, is_response, params);
        return;
    }
    struct network_extra *extra = find(extras, id);
    extra = extra ? extra : create(extras, id);
    json_t **place = is_response ? &extra->response : &extra->request;
    if (!*place) {
        *place = json_incref(params);
    }
}

void network_extras_take(struct network_extras *extras, const char *id,
                         struct br_network_event *event)
{
    struct network_extra *extra = find(extras, id);
    if (!extra) {
        return;
    }
    if (extra->request) {
        network_event_set_headers(event, false, extra->request);
    }
    if (extra->response) {
        network_event_set_headers(event, true, extra->response);
    }
    drop(extras, extra);
}

void network_extras_finish(struct network_extras *extras)
{
    while (extras->count) {
        drop(extras, &extras->items[0]);
    }
    free(TAKE(extras->items));
    extras->capacity = 0;
}
