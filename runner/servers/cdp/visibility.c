#include "runner/servers/cdp/visibility.h"

#include "runner/base/json.h"
#include "runner/servers/cdp/endpoint.h"

#include <string.h>

enum {
    PAUSE_MS = 2000, /* limit for a client that pauses a new tab of the profile */
    RETRY_MS = 4,    /* until the owner of a new tab is looked up again */
};

/* A new tab of the profile that waits for the client's Runtime.runIfWaitingForDebugger. */
struct paused {
    struct paused *next;
    struct visibility *visibility;
    char *session_id;
    struct loop_timer *timer;
};

/* An event about a target whose owner is unknown. */
struct delayed {
    struct delayed *next;
    char *target_id;
    char *method;
    char *parent; /* the session of the event */
    json_t *params;
};

struct visibility {
    struct visibility_options options;
    char *browser_target_id;  /* NULL: not known yet */
    json_t *reported;         /* object: targets of which the client has received an event */
    json_t *ours;             /* object: targets of our own sessions */
    json_t *page_sessions;    /* object: sessions of pages that the client has received */
    json_t *hidden_sessions;  /* object: sessions of hidden targets that auto-attach made */
    struct paused *paused;    /* tabs whose pause has a limit */
    struct delayed *delayed;  /* in order */
    struct loop_timer *retry; /* NULL: nothing is delayed */
};

struct visibility *visibility_create(const struct visibility_options *options)
{
    struct visibility *visibility = xcalloc(1, sizeof(*visibility));
    visibility->options = *options;
    visibility->reported = json_object();
    visibility->ours = json_object();
    visibility->page_sessions = json_object();
    visibility->hidden_sessions = json_object();
    return visibility;
}

static void free_paused(struct paused *paused)
{
    free(paused->session_id);
    free(paused);
}

/* Unlinks the event from its place in the list, and frees it. */
static void drop_delayed(struct delayed **place)
{
    struct delayed *delayed = *place;
    *place = delayed->next;
    free(delayed->target_id);
    free(delayed->method);
    free(delayed->parent);
    json_decref(delayed->params);
    free(delayed);
}

void visibility_destroy(struct visibility *visibility)
{
    if (!visibility) {
        return;
    }
    while (visibility->paused) {
        struct paused *paused = visibility->paused;
        visibility->paused = paused->next;
        loop_timer_cancel(paused->timer);
        free_paused(paused);
    }
    while (visibility->delayed) {
        drop_delayed(&visibility->delayed);
    }
    if (visibility->retry) {
        loop_timer_cancel(visibility->retry);
    }
    json_decref(visibility->reported);
    json_decref(visibility->ours);
    json_decref(visibility->page_sessions);
    json_decref(visibility->hidden_sessions);
    free(visibility->browser_target_id);
    free(visibility);
}

void visibility_set_browser_target(struct visibility *visibility, const char *target_id)
{
    free(visibility->browser_target_id);
    visibility->browser_target_id = xstrdup(target_id);
}

/* Which targets the client sees. */

enum verdict { VISIBLE, HIDDEN, UNDECIDED };

static enum verdict judge(struct visibility *visibility, const json_t *target)
{
    const char *id = json_member_string(target, "targetId");
    const char *type = json_member_string(target, "type");
    if (type && strcmp(type, "browser") == 0) {
        const char *own_id = visibility->browser_target_id;
        return id && own_id && strcmp(id, own_id) == 0 ? VISIBLE : HIDDEN;
    }
    if (!id || !scope_sees(visibility->options.scope, target) ||
        json_object_get(visibility->ours, id)) {
        return HIDDEN;
    }
    switch (endpoint_owner(visibility->options.view, target)) {
    case OWNER_OURS:
        /* Stays hidden when its session ends: the tab closes soon after. */
        json_object_set_new(visibility->ours, id, json_true());
        return HIDDEN;
    case OWNER_UNKNOWN:
        return UNDECIDED;
    default:
        return VISIBLE;
    }
}

bool visibility_shows(struct visibility *visibility, const json_t *target)
{
    return judge(visibility, target) == VISIBLE;
}

/* Sessions that auto-attach makes. */

static void resume(struct visibility *visibility, const char *session_id)
{
    cdp_sink_command(visibility->options.sink, session_id, "Runtime.runIfWaitingForDebugger", NULL,
                     0);
}

static void ignore_certificates(struct visibility *visibility, const char *session_id, bool is_on)
{
    cdp_sink_command(visibility->options.sink, session_id, "Security.setIgnoreCertificateErrors",
                     json_pack("{s:b}", "ignore", is_on), 0);
}

void visibility_ignore_certificates(struct visibility *visibility, bool is_on)
{
    const char *session_id;
    const json_t *ignored;
    json_object_foreach (visibility->page_sessions, session_id, ignored) {
        ignore_certificates(visibility, session_id, is_on);
    }
}

void visibility_end_session(struct visibility *visibility, const char *session_id)
{
    json_object_del(visibility->page_sessions, session_id);
}

/* Resumes the target at once, so that its owner does not wait for this client. */
static void detach_hidden(struct visibility *visibility, struct cdp_slice parent,
                          const char *session_id, bool is_waiting)
{
    CLEANUP_FREE char *parent_id = parent.length ? xstrndup(parent.text, parent.length) : NULL;
    json_object_set_new(visibility->hidden_sessions, session_id, json_true());
    if (is_waiting) {
        resume(visibility, session_id);
    }
    cdp_sink_command(visibility->options.sink, parent_id, "Target.detachFromTarget",
                     json_pack("{s:s}", "sessionId", session_id), 0);
}

static void on_pause_limit(void *data)
{
    struct paused *paused = data;
    struct paused **place = &paused->visibility->paused;
    while (*place != paused) {
        place = &(*place)->next;
    }
    *place = paused->next;
    resume(paused->visibility, paused->session_id);
    free_paused(paused);
}

/* Other clients of the profile wait for the tab, too. */
static void limit_pause(struct visibility *visibility, const char *session_id)
{
    struct paused *paused = xcalloc(1, sizeof(*paused));
    paused->visibility = visibility;
    paused->session_id = xstrdup(session_id);
    paused->timer = loop_timer_start(visibility->options.loop, PAUSE_MS, on_pause_limit, paused);
    paused->next = visibility->paused;
    visibility->paused = paused;
}

static bool report_attached(struct visibility *visibility, struct cdp_slice parent,
                            const json_t *params)
{
    const json_t *target = json_object_get(params, "targetInfo");
    const char *session_id = json_member_string(params, "sessionId");
    const char *type = json_member_string(target, "type");
    bool is_waiting = json_is_true(json_object_get(params, "waitingForDebugger"));
    if (!session_id) {
        return false;
    }
    if (type && strcmp(type, "browser") == 0) {
        scope_add_browser_session(visibility->options.scope, session_id);
    } else if (!visibility_shows(visibility, target)) {
        detach_hidden(visibility, parent, session_id, is_waiting);
        return false;
    } else if (visibility->options.is_profile && is_waiting) {
        limit_pause(visibility, session_id);
    }
    if (type && strcmp(type, "page") == 0) {
        json_object_set_new(visibility->page_sessions, session_id, json_true());
        if (scope_ignores_certificates(visibility->options.scope)) {
            ignore_certificates(visibility, session_id, true);
        }
    }
    return true;
}

static bool report_info(struct visibility *visibility, const json_t *target)
{
    const char *id = json_member_string(target, "targetId");
    bool is_visible =
        id && (json_object_get(visibility->reported, id) || visibility_shows(visibility, target));
    if (is_visible) {
        json_object_set_new(visibility->reported, id, json_true());
    }
    return is_visible;
}

/* Whether the client receives an event of the Target domain. */
static bool report(struct visibility *visibility, struct cdp_slice method, struct cdp_slice parent,
                   const json_t *params)
{
    const char *session_id = json_member_string(params, "sessionId");
    const char *target_id = json_member_string(params, "targetId");
    if (cdp_slice_equals(method, "Target.attachedToTarget")) {
        return report_attached(visibility, parent, params);
    }
    if (cdp_slice_equals(method, "Target.detachedFromTarget")) {
        return !session_id || json_object_del(visibility->hidden_sessions, session_id) != 0;
    }
    if (cdp_slice_equals(method, "Target.targetCreated") ||
        cdp_slice_equals(method, "Target.targetInfoChanged")) {
        return report_info(visibility, json_object_get(params, "targetInfo"));
    }
    if (cdp_slice_equals(method, "Target.targetDestroyed")) {
        if (target_id) {
            json_object_del(visibility->ours, target_id);
        }
        return target_id && json_object_del(visibility->reported, target_id) == 0;
    }
    return !cdp_slice_equals(method, "Target.targetCrashed") ||
           (target_id && json_object_get(visibility->reported, target_id));
}

/* Events that wait. */

static bool is_delayed(const struct visibility *visibility, const char *target_id)
{
    const struct delayed *delayed = visibility->delayed;
    while (delayed && strcmp(delayed->target_id, target_id) != 0) {
        delayed = delayed->next;
    }
    return delayed;
}

/* Drops all that is delayed about a target that has closed. */
static void forget_target(struct visibility *visibility, const char *target_id)
{
    struct delayed **place = &visibility->delayed;
    while (*place) {
        struct delayed *delayed = *place;
        const char *session_id = json_member_string(delayed->params, "sessionId");
        if (strcmp(delayed->target_id, target_id) != 0) {
            place = &delayed->next;
            continue;
        }
        if (session_id) {
            json_object_set_new(visibility->hidden_sessions, session_id, json_true());
        }
        drop_delayed(place);
    }
}

/* Drops the delayed Target.attachedToTarget of a session that has ended, if there is one. */
static bool forget_session(struct visibility *visibility, const char *session_id)
{
    for (struct delayed **place = &visibility->delayed; *place; place = &(*place)->next) {
        const char *attached_id = json_member_string((*place)->params, "sessionId");
        if (attached_id && strcmp(attached_id, session_id) == 0) {
            drop_delayed(place);
            return true;
        }
    }
    return false;
}

/* Caller frees. */
static char *delayed_text(const struct visibility *visibility, const struct delayed *delayed)
{
    const struct cdp_slice parent = { delayed->parent, strlen(delayed->parent) };
    bool has_session = !cdp_sink_is_front(visibility->options.sink, parent);
    json_auto_t *root =
        json_pack("{s:s, s:O, s:s*}", "method", delayed->method, "params", delayed->params,
                  "sessionId", has_session ? delayed->parent : NULL);
    return json_dumps(root, JSON_COMPACT);
}

static bool is_undecided(struct visibility *visibility, const char *target_id, const json_t *target)
{
    return !json_object_get(visibility->reported, target_id) &&
           judge(visibility, target) == UNDECIDED;
}

/* Sends the delayed events of each target whose owner is known by now. */
static void send_delayed(struct visibility *visibility)
{
    json_auto_t *undecided = json_object(); /* targets */
    struct delayed **place = &visibility->delayed;
    while (*place) {
        struct delayed *delayed = *place;
        const struct cdp_slice method = { delayed->method, strlen(delayed->method) };
        const struct cdp_slice parent = { delayed->parent, strlen(delayed->parent) };
        const json_t *target = json_object_get(delayed->params, "targetInfo");
        if (json_object_get(undecided, delayed->target_id) ||
            (target && is_undecided(visibility, delayed->target_id, target))) {
            json_object_set_new(undecided, delayed->target_id, json_true());
            place = &delayed->next;
            continue;
        }
        if (report(visibility, method, parent, delayed->params)) {
            char *text = delayed_text(visibility, delayed);
            visibility->options.on_text(visibility->options.data, text, strlen(text));
        }
        drop_delayed(place);
    }
}

static void start_retry(struct visibility *visibility);

static void on_retry(void *data)
{
    struct visibility *visibility = data;
    visibility->retry = NULL;
    send_delayed(visibility);
    start_retry(visibility);
}

static void start_retry(struct visibility *visibility)
{
    if (visibility->delayed && !visibility->retry) {
        visibility->retry =
            loop_timer_start(visibility->options.loop, RETRY_MS, on_retry, visibility);
    }
}

static void add_delayed(struct visibility *visibility, const char *target_id,
                        const struct cdp_message *event, json_t *params)
{
    struct delayed *delayed = xcalloc(1, sizeof(*delayed));
    struct delayed **place = &visibility->delayed;
    while (*place) {
        place = &(*place)->next;
    }
    *place = delayed;
    delayed->target_id = xstrdup(target_id);
    delayed->method = xstrndup(event->method.text, event->method.length);
    delayed->parent = xstrndup(event->session_id.text, event->session_id.length);
    delayed->params = json_incref(params);
    start_retry(visibility);
}

/* Delays the event, or drops it with the delayed ones that it cancels. False: reports it now. */
static bool delay(struct visibility *visibility, const struct cdp_message *event, json_t *params)
{
    const json_t *target = json_object_get(params, "targetInfo");
    const char *session_id = json_member_string(params, "sessionId");
    const char *id = json_member_string(target ? target : params, "targetId");
    if (!visibility->options.is_profile) {
        return false;
    }
    if (cdp_slice_equals(event->method, "Target.detachedFromTarget")) {
        return session_id && forget_session(visibility, session_id);
    }
    if (!id) {
        return false;
    }
    bool is_behind = is_delayed(visibility, id);
    if (is_behind && cdp_slice_equals(event->method, "Target.targetDestroyed")) {
        forget_target(visibility, id);
        return true;
    }
    if (!is_behind && !(target && is_undecided(visibility, id, target))) {
        return false;
    }
    add_delayed(visibility, id, event, params);
    return true;
}

bool visibility_event(struct visibility *visibility, const struct cdp_message *event)
{
    static const char domain[] = "Target.";
    const struct cdp_slice session_id = event->session_id;
    if (session_id.length > 0 && json_object_size(visibility->hidden_sessions) > 0 &&
        json_object_getn(visibility->hidden_sessions, session_id.text, session_id.length)) {
        return false;
    }
    if (event->method.length < sizeof(domain) - 1 ||
        memcmp(event->method.text, domain, sizeof(domain) - 1) != 0) {
        return true;
    }
    json_auto_t *params =
        json_loadb(event->params.text, event->params.length, JSON_ALLOW_NUL, NULL);
    return params && !delay(visibility, event, params) &&
           report(visibility, event->method, session_id, params);
}

void visibility_add_target(struct visibility *visibility, const char *target_id)
{
    view_add_made(visibility->options.view, target_id);
    send_delayed(visibility);
}
