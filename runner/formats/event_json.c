#include "runner/formats/event_json.h"

#include "runner/base/event.h"
#include "runner/base/json.h"
#include "runner/observe/observed.h"

#include <string.h>

static json_t *optional_text(const char *text)
{
    return text ? json_text(text) : NULL;
}

static json_t *navigation_json(const struct br_navigation *navigation)
{
    static const char *const steps[] = {
        [BR_NAVIGATION_BEGUN] = "begun",   [BR_NAVIGATION_DONE] = "done",
        [BR_NAVIGATION_LOADED] = "loaded", [BR_NAVIGATION_WITHIN] = "within",
        [BR_NAVIGATION_SLOW] = "slow",
    };
    return json_pack("{s:s, s:o*}", "step", steps[navigation->step], "url",
                     optional_text(navigation->url));
}

static json_t *download_json(const struct br_download *download)
{
    return json_pack("{s:o*, s:o*, s:o*, s:o*, s:I}", "url", optional_text(download->url),
                     "suggestedName", optional_text(download->suggested_name), "file",
                     optional_text(download->file), "state", optional_text(download->state),
                     "bytes", (json_int_t)download->bytes);
}

static json_t *tab_json(const struct br_tab_change *tab)
{
    static const char *const steps[] = {
        [BR_TAB_OPENED] = "opened",
        [BR_TAB_CLOSED] = "closed",
        [BR_TAB_ACTIVATED] = "activated",
    };
    return json_pack("{s:i, s:s}", "number", tab->number, "step", steps[tab->step]);
}

static json_t *action_json(const struct br_action_change *action)
{
    json_t *object = json_pack("{s:b, s:o*, s:o*}", "over", action->is_over, "type",
                               optional_text(action->type), "label", optional_text(action->label));
    if (action->is_over) {
        json_auto_t *end =
            json_pack("{s:b, s:s*, s:o*, s:I}", "success", action->success, "errorCode",
                      action->success ? NULL : br_code_name(action->code), "error",
                      action->success ? NULL : optional_text(action->error), "durationMs",
                      (json_int_t)action->duration_ms);
        json_object_update(object, end);
    }
    return object;
}

static json_t *network_json(const struct br_network_step *step)
{
    json_t *object = observed_request(&step->event);
    json_object_set_new(object, "requestId", optional_text(step->id));
    return object;
}

/* Returns the event's content, and the name of the member for it. */
static json_t *content_json(const struct br_event *event, const char **ret_name)
{
    static const char *const progress[] = {
        [BR_PROGRESS_WAITING] = "waiting",
        [BR_PROGRESS_RETRYING] = "retrying",
        [BR_PROGRESS_RECOVERING] = "recovering",
    };
    *ret_name = br_event_name(event->kind);
    switch (event->kind) {
    case BR_EVENT_CONSOLE:
    case BR_EVENT_EXCEPTION:
    case BR_EVENT_LOG:
        *ret_name = "log";
        return observed_log(&event->as.log);
    case BR_EVENT_REQUEST:
    case BR_EVENT_NETWORK:
        *ret_name = "request";
        return network_json(&event->as.network);
    case BR_EVENT_NAVIGATION:
        return navigation_json(&event->as.navigation);
    case BR_EVENT_DIALOG:
        return json_pack("{s:o*, s:o*, s:b}", "type", optional_text(event->as.dialog.type),
                         "message", optional_text(event->as.dialog.message), "accepted",
                         event->as.dialog.is_accepted);
    case BR_EVENT_DOWNLOAD:
        return download_json(&event->as.download);
    case BR_EVENT_TAB:
        return tab_json(&event->as.tab);
    case BR_EVENT_PAGE:
        return json_pack("{s:b, s:o*}", "back", event->as.page.is_back, "reason",
                         optional_text(event->as.page.reason));
    case BR_EVENT_ACTION:
        return action_json(&event->as.action);
    case BR_EVENT_PROGRESS:
        return json_pack("{s:s, s:o*}", "state", progress[event->as.progress.what], "text",
                         optional_text(event->as.progress.text));
    case BR_EVENT_DROPPED:
        return json_integer((json_int_t)event->as.dropped);
    }
    return json_null();
}

json_t *event_json(const struct br_event *event)
{
    const char *name = NULL;
    json_t *content = content_json(event, &name);
    json_t *body = json_pack("{s:s, s:I, s:o*}", "name", br_event_name(event->kind), "timestamp",
                             (json_int_t)event->timestamp_ms, "actionId",
                             event->action_id ? json_integer((json_int_t)event->action_id) : NULL);
    json_object_set_new(body, name, content);
    CLEANUP_FREE char *cursor =
        event->sequence ? xasprintf("%llu", (unsigned long long)event->sequence) : NULL;
    return json_pack("{s:s, s:o, s:s*, s:o}", "kind", "event", "session",
                     json_text(event->session_id ? event->session_id : ""), "cursor", cursor,
                     "event", body);
}

json_t *error_json(const struct br_error *why)
{
    return json_pack("{s:s, s:o, s:s, s:s, s:o*}", "kind", "error", "error",
                     json_text(why->message), "errorCode", br_code_name(why->code), "errorCategory",
                     br_error_category(why), "hint", *why->hint ? json_text(why->hint) : NULL);
}

unsigned event_kinds_named(const char *name)
{
    static const unsigned logs = 1u << BR_EVENT_CONSOLE | 1u << BR_EVENT_EXCEPTION |
                                 1u << BR_EVENT_LOG | 1u << BR_EVENT_DROPPED;
    if (strcmp(name, "all") == 0) {
        return ~(1u << BR_EVENT_REQUEST | 1u << BR_EVENT_PROGRESS);
    }
    if (strcmp(name, "logs") == 0) {
        return logs;
    }
    for (int kind = BR_EVENT_CONSOLE; kind <= BR_EVENT_DROPPED; kind++) {
        if (strcmp(br_event_name((enum br_event_kind)kind), name) == 0) {
            return 1u << kind;
        }
    }
    return 0;
}
