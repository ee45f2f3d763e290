#include "runner/servers/cdp/delayed.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <string.h>

void delayed_add(struct delayed **list, const char *target_id, struct cdp_slice method,
                 struct cdp_slice parent, json_t *params)
{
    struct delayed *delayed = xcalloc(1, sizeof(*delayed));
    while (*list) {
        list = &(*list)->next;
    }
    *list = delayed;
    delayed->target_id = xstrdup(target_id);
    delayed->method = xstrndup(method.text, method.length);
    delayed->parent = xstrndup(parent.text, parent.length);
    delayed->params = json_incref(params);
}

const char *delayed_target(const struct delayed *list, const char *session_id)
{
    for (; list; list = list->next) {
        const char *attached = json_member_string(list->params, "sessionId");
        if (attached && strcmp(attached, session_id) == 0) {
            return list->target_id;
        }
    }
    return NULL;
}

bool delayed_has(const struct delayed *list, const char *target_id)
{
    while (list && strcmp(list->target_id, target_id) != 0) {
        list = list->next;
    }
    return list;
}

void delayed_destroy(struct delayed *delayed)
{
    free(delayed->target_id);
    free(delayed->method);
    free(delayed->parent);
    json_decref(delayed->params);
    free(delayed);
}

char *delayed_text(const struct delayed *delayed, bool has_session)
{
    json_auto_t *root =
        json_pack("{s:s, s:O, s:s*}", "method", delayed->method, "params", delayed->params,
                  "sessionId", has_session ? delayed->parent : NULL);
    return json_dumps(root, JSON_COMPACT);
}
