#include "runner/page/page.h"

#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/observe/stream.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/source_maps.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/tell.h"
#include "runner/page/element/chooser.h"
#include "runner/page/element/press.h"
#include "runner/page/world/downloads.h"
#include "runner/page/world/guard.h"
#include "runner/page/world/route.h"

#include <string.h>

bool page_has_document(const struct page *page, const char *loader_id)
{
    const char *present = page->document.loader_id;
    return loader_id && present && strcmp(loader_id, present) == 0;
}

/* What was put back must not be put back again. */
static void end_refill(struct page *page)
{
    CLEANUP_FREE char *id = TAKE(page->refill_id);
    if (id) {
        cdp_post(page->client, page->session_id, "Page.removeScriptToEvaluateOnNewDocument",
                 json_pack("{s:s}", "identifier", id));
    }
}

static void set_document(struct page *page, const char *loader_id)
{
    struct document *document = &page->document;
    if (loader_id && !page_has_document(page, loader_id)) {
        free(document->loader_id);
        free(document->url);
        *document = (struct document){ .loader_id = xstrdup(loader_id) };
        page->mark.documents++;
        page->is_navigating = false;
        page->is_expected = false;
        page->is_new_document_coming = false;
        end_refill(page);
        tabs_close_blank(page);
    }
}

static bool is_main_frame(const struct page *page, const char *frame_id)
{
    return frame_id && page->frame_id && strcmp(frame_id, page->frame_id) == 0;
}

static void on_lifecycle(struct page *page, json_t *params)
{
    const char *loader_id = json_member_string(params, "loaderId");
    const char *name = json_member_string(params, "name");
    if (!name || !is_main_frame(page, json_member_string(params, "frameId"))) {
        return;
    }
    if (strcmp(name, "init") == 0) {
        set_document(page, loader_id);
    }
    if (page_has_document(page, loader_id)) {
        bool is_load = strcmp(name, "load") == 0;
        if (is_load && !page->document.is_loaded && page->document.url &&
            !page->document.is_unreachable) {
            page_log(page, BR_LOG_DEBUG, "loading", "loaded %.*s", MAX_SHOWN_URL,
                     page->document.url);
            tell_navigation(page, BR_NAVIGATION_LOADED, page->document.url);
        }
        page->document.is_dom_loaded |= strcmp(name, "DOMContentLoaded") == 0;
        page->document.is_loaded |= is_load;
    }
}

static void on_frame_navigated(struct page *page, json_t *params)
{
    const json_t *frame = json_object_get(params, "frame");
    network_leave_frame(&page->network, json_member_string(frame, "id"),
                        json_member_string(frame, "loaderId"));
    if (is_main_frame(page, json_member_string(frame, "id"))) {
        const char *type = json_member_string(params, "type");
        set_document(page, json_member_string(frame, "loaderId"));
        free(page->document.url);
        const char *unreachable = json_member_string(frame, "unreachableUrl");
        const char *url = unreachable ? unreachable : json_member_string(frame, "url");
        page->document.is_unreachable = unreachable;
        const char *fragment = json_member_string(frame, "urlFragment");
        bool has_fragment = fragment && !unreachable;
        page->document.url = xasprintf("%s%s", url ? url : "", has_fragment ? fragment : "");
        tell_navigation(page, BR_NAVIGATION_DONE, page->document.url);
        if (type && strcmp(type, "BackForwardCacheRestore") == 0) {
            /* It comes as it was left; no events tell of that. */
            page->document.is_dom_loaded = true;
            page->document.is_loaded = true;
        }
    }
}

static void on_navigation_asked(struct page *page, json_t *params)
{
    const char *disposition = json_member_string(params, "disposition");
    bool is_here = !disposition || strcmp(disposition, "currentTab") == 0;
    if (is_here && is_main_frame(page, json_member_string(params, "frameId"))) {
        page->is_navigating = true;
        page->document.has_stopped = false;
    }
}

static void on_same_document(struct page *page, json_t *params)
{
    const char *type = json_member_string(params, "navigationType");
    const char *url = json_member_string(params, "url");
    bool is_by_script = type && strcmp(type, "historyApi") == 0;
    if (!is_main_frame(page, json_member_string(params, "frameId"))) {
        return;
    }
    if (url) {
        free(page->document.url);
        page->document.url = xstrdup(url);
        tell_navigation(page, BR_NAVIGATION_WITHIN, url);
    }
    page->mark.fragments++;
    if (!page->is_new_document_coming && !(page->is_expected && is_by_script)) {
        page->is_navigating = false;
        page->is_expected = false;
    }
}

/* Tells apart what leads to a new document from a step within this one. */
static void on_navigation_started(struct page *page, json_t *params)
{
    const char *type = json_member_string(params, "navigationType");
    if (type && is_main_frame(page, json_member_string(params, "frameId"))) {
        page->is_new_document_coming =
            strcmp(type, "sameDocument") != 0 && strcmp(type, "historySameDocument") != 0;
        const char *url = json_member_string(params, "url");
        if (page->is_new_document_coming && url) {
            page_log(page, BR_LOG_DEBUG, "loading", "loading %.*s", MAX_SHOWN_URL, url);
            tell_navigation(page, BR_NAVIGATION_BEGUN, url);
        }
    }
}

static void on_frame_stopped(struct page *page, json_t *params)
{
    if (is_main_frame(page, json_member_string(params, "frameId"))) {
        page->document.has_stopped = true;
        page->is_navigating = false;
        page->is_expected = false;
        page->is_new_document_coming = false;
    }
}

/* Chrome says nothing of the end of requests that a frame left behind. */
static void on_frame_detached(struct page *page, json_t *params)
{
    const char *reason = json_member_string(params, "reason");
    /* One that moves to another process goes on there. */
    if (!reason || strcmp(reason, "swap") != 0) {
        network_leave_frame(&page->network, json_member_string(params, "frameId"), NULL);
    }
}

static void on_download(struct page *page, json_t *params)
{
    const char *url = json_member_string(params, "url");
    page->mark.notices++;
    if (!page->options.downloads && page->options.is_foreign) {
        page_log(page, BR_LOG_INFO, "download", "a download has begun: %s", url ? url : "");
    }
}

static void tell_external(struct page *page, const char *url)
{
    const char *outcome = page->options.drops_externals
                              ? "it was not opened"
                              : "the browser may ask a person, and until they answer no click and "
                                "no key arrives";
    page->mark.notices++;
    page->externals_asked++;
    page_log(page, BR_LOG_WARNING, "browser", "%.*s is for another program: %s", MAX_SHOWN_URL, url,
             outcome);
}

static void on_window_open(struct page *page, json_t *params)
{
    const char *url = json_member_string(params, "url");
    page->mark.notices++;
    page_log(page, BR_LOG_INFO, "browser", "the page opened a new tab: %s", url ? url : "");
    if (url && network_is_external(url)) {
        tell_external(page, url);
    }
}

static void note_external(struct page *page, const char *method, const json_t *params)
{
    const json_t *request = json_object_get(params, "request");
    const char *type = json_member_string(params, "type");
    const char *url = json_member_string(request, "url");
    const char *fragment = json_member_string(request, "urlFragment");
    if (strcmp(method, "Network.requestWillBeSent") == 0 && type && url &&
        strcmp(type, "Document") == 0 && network_is_external(url)) {
        CLEANUP_FREE char *whole = xasprintf("%s%s", url, fragment ? fragment : "");
        tell_external(page, whole);
    }
}

/* Whether the session of the root is of a tab that this page has to do with. */
static bool is_in_context(const struct page *page, const json_t *target)
{
    const char *context_id = json_member_string(target, "browserContextId");
    return !context_id || !page->home_id || strcmp(context_id, page->home_id) == 0;
}

/*
 * A tab that was opened: by this page, or by a person in a browser that is ours and has no other
 * pages. What nobody owns otherwise is let go.
 */
static void on_attached(struct page *page, json_t *params)
{
    const char *session_id = json_member_string(params, "sessionId");
    const json_t *target = json_object_get(params, "targetInfo");
    const char *target_id = json_member_string(target, "targetId");
    const char *opener_id = json_member_string(target, "openerId");
    const char *type = json_member_string(target, "type");
    struct targets *targets = page->options.targets;
    if (!session_id || !target_id || !type || strcmp(type, "page") != 0) {
        return;
    }
    const void *owner = targets_owner(targets, target_id, opener_id);
    if (owner == page && page->is_attaching && !page->home_id) {
        page->home_id = xstrdup(json_member_string(target, "browserContextId"));
    }
    bool is_known = tabs_has_session(page, session_id) ||
                    (page->session_id && strcmp(session_id, page->session_id) == 0);
    bool is_asked_for =
        (page->is_attaching || page->is_at_origins) && !tabs_has_target(page, opener_id);
    bool is_anothers = owner ? owner != page : targets_is_making(targets, page);
    if (is_known || !page->session_id || is_asked_for || is_anothers) {
        if (!is_anothers) {
            guard_release(page, session_id);
        }
        return; /* the tab of page_get_origins() ends when a session to it is left */
    }
    bool is_left_over = page->is_opening || page->options.is_foreign ||
                        !is_in_context(page, target) || !targets_is_alone(targets, page) ||
                        targets_has_leftovers(targets);
    if (tabs_has_target(page, target_id) || (!owner && is_left_over)) {
        guard_release(page, session_id);
        cdp_post(page->client, NULL, "Target.detachFromTarget",
                 json_pack("{s:s}", "sessionId", session_id));
    } else if (targets_claim(targets, target_id, page)) {
        tabs_add_opened(page, target_id, session_id, opener_id, json_member_string(target, "url"));
    }
}

/* The browser tells all pages of a worker that several share: it is of the first of its context. */
static bool is_anothers_worker(const struct page *page, const char *method, const json_t *params)
{
    const json_t *target = json_object_get(params, "targetInfo");
    const char *type = json_member_string(target, "type");
    const char *target_id = json_member_string(target, "targetId");
    return strcmp(method, "Target.attachedToTarget") == 0 && type && target_id &&
           strcmp(type, "shared_worker") == 0 &&
           !(is_in_context(page, target) && targets_claim(page->options.targets, target_id, page));
}

/*
 * A dialog blocks the page, and so every call: it is answered at once. Unless the setting says
 * otherwise, alerts and leaving a page are accepted, questions are declined.
 */
static void on_dialog(struct page *page, const char *session_id, json_t *params)
{
    const char *type = json_member_string(params, "type");
    const char *message = json_member_string(params, "message");
    const json_t *wanted = json_object_get(page->settings, "dialog");
    const char *text = json_member_string(wanted, "promptText");
    bool is_harmless = type && (strcmp(type, "alert") == 0 || strcmp(type, "beforeunload") == 0);
    bool is_accepted = json_member_bool(wanted, "accept", is_harmless);
    page->mark.notices++;
    page_log(page, BR_LOG_INFO, "dialog", "%s \"%s\" %s", type ? type : "dialog",
             message ? message : "", is_accepted ? "accepted" : "dismissed");
    tell_dialog(page, type, message, is_accepted);
    cdp_post(page->client, session_id, "Page.handleJavaScriptDialog",
             json_pack("{s:b, s:o*}", "accept", is_accepted, "promptText",
                       text ? json_text(text) : NULL));
}

static void break_page(struct page *page, const char *reason)
{
    page->is_crashed = true;
    network_forget_requests(&page->network);
    cdp_client_break(page->client, BR_PAGE_CRASHED, reason);
}

static void on_crashed(struct page *page, json_t *params)
{
    (void)params;
    break_page(page, "the page crashed");
}

static void on_detached(struct page *page, json_t *params)
{
    if (tabs_on_detached(page, json_member_string(params, "sessionId"))) {
        page->was_closed = true;
        break_page(page, "the page was closed");
    }
}

static void on_event(void *data, const char *session_id, const char *method, json_t *params)
{
    static const struct {
        const char *method;
        void (*apply)(struct page *page, json_t *params);
    } table[] = {
        { "Page.lifecycleEvent", on_lifecycle },
        { "Page.frameNavigated", on_frame_navigated },
        { "Page.frameRequestedNavigation", on_navigation_asked },
        { "Page.frameStartedLoading", on_navigation_asked },
        { "Page.frameStartedNavigating", on_navigation_started },
        { "Page.frameDetached", on_frame_detached },
        { "Page.downloadWillBegin", on_download },
        { "Page.windowOpen", on_window_open },
        { "Target.attachedToTarget", on_attached },
        { "Page.navigatedWithinDocument", on_same_document },
        { "Page.frameStoppedLoading", on_frame_stopped },
        { "Inspector.targetCrashed", on_crashed },
        { "Target.detachedFromTarget", on_detached },
    };
    struct page *page = data;
    if (strcmp(method, "Page.javascriptDialogOpening") == 0) {
        on_dialog(page, session_id, params);
        return;
    }
    if (!*session_id && is_anothers_worker(page, method, params)) {
        return;
    }
    if (guard_on_event(page, session_id, method, params) ||
        route_on_event(page, session_id, method, params) ||
        downloads_on_event(page, method, params)) {
        return;
    }
    bool is_own = page->session_id && strcmp(session_id, page->session_id) == 0;
    bool is_child = frames_has_session(page, session_id);
    if (is_own || is_child || !*session_id) {
        frames_on_event(page, session_id, method, params);
    }
    if (*session_id && page->session_id && !is_own && !is_child) {
        tabs_on_event(page, session_id, method, params);
        return; /* of another tab */
    }
    if (chooser_on_event(page, session_id, method, params)) {
        return;
    }
    if (strcmp(method, "Input.dragIntercepted") == 0) {
        json_decref(page->drag_data);
        page->drag_data = json_incref(json_object_get(params, "data"));
        return;
    }
    note_external(page, method, params);
    if (press_on_event(page, session_id, method, params)) {
        return;
    }
    if (network_is_about_icon(&page->network, method, params) ||
        console_on_event(&page->console, method, params) ||
        network_on_event(&page->network, page->frame_id, method, params)) {
        page_ask_details(page, session_id);
        return;
    }
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]) && !is_child; i++) {
        if (strcmp(method, table[i].method) == 0) {
            table[i].apply(page, params);
            return;
        }
    }
}

static bool skip(void *data, const char *session_id, const char *method)
{
    struct page *page = data;
    bool is_own = page->session_id && strcmp(session_id, page->session_id) == 0;
    return (is_own || frames_has_session(page, session_id)) && console_skip(&page->console, method);
}

json_t *page_in_context(const struct page *page, json_t *params)
{
    if (page->context_id) {
        params = params ? params : json_object();
        json_object_set_new(params, "browserContextId", json_string(page->context_id));
    }
    return params;
}

bool page_command(struct page *page, const char *method, json_t *params, json_t **ret_result,
                  struct br_error *err)
{
    return cdp_call(page->client, page->session_id, method, params, ret_result, err);
}

/*
 * A browser of ours is to have the pages of its sessions only: what others left open, or a restored
 * session brought along, is closed, once.
 */
static void close_leftovers(struct page *page)
{
    struct br_error ignored;
    json_auto_t *reply = NULL;
    size_t index;
    json_t *target;
    struct targets *targets = page->options.targets;
    if (page->options.is_foreign || page->context_id || !targets_has_leftovers(targets) ||
        !cdp_call(page->client, NULL, "Target.getTargets", NULL, &reply, &ignored) ||
        targets_is_making(targets, page)) {
        return; /* whoever opens the next page does it */
    }
    targets_settle(targets);
    json_array_foreach (json_object_get(reply, "targetInfos"), index, target) {
        const char *type = json_member_string(target, "type");
        const char *target_id = json_member_string(target, "targetId");
        const char *opener_id = json_member_string(target, "openerId");
        if (type && target_id && strcmp(type, "page") == 0 && is_in_context(page, target) &&
            !targets_owner(targets, target_id, opener_id)) {
            page_close_target(page, target_id);
        }
    }
}

/* Whoever waits tends the stream meanwhile, and tells for what when it takes long. */
static struct deadline tend(void *data, const char *what)
{
    return deadline_earlier(page_tend(data), tell_waiting(data, what));
}

struct page *page_create(struct cdp_connection *connection, const struct page_options *options)
{
    struct page *page = xcalloc(1, sizeof(*page));
    page->options = *options;
    page->context_id = xstrdup(options->context_id);
    page->tab = xstrdup(options->tab);
    targets_join(options->targets, page, options->context_id);
    page->settings = json_object();
    page->contexts = json_object();
    page->network.log.keeps_headers = options->keeps_headers;
    page->network.log.stream = options->stream;
    page->asked_for_login = json_array();
    page->address_spaces = json_object();
    page->children_beside = json_array();
    page->holds_frames = guard_is_on(page);
    page->downloads = options->download_list ? json_incref(options->download_list) : json_object();
    page->origins = options->origins ? json_incref(options->origins) : json_object();
    page->client = cdp_client_create(connection, on_event, page);
    cdp_client_set_skip(page->client, skip);
    cdp_client_set_between(page->client, tend);
    return page;
}

/*
 * Tabs that the page opens, and workers that pages share, are announced to the browser's own
 * session only. Those of somebody else's browser may be of any page.
 */
static bool watch_browser(struct page *page, struct br_error *err)
{
    json_t *filter = json_pack("[{s:s}]", "type", "page");
    if (!page->options.is_foreign) {
        json_array_append_new(filter, json_pack("{s:s}", "type", "shared_worker"));
    }
    page->is_opening = true;
    bool is_done =
        cdp_call(page->client, NULL, "Target.setAutoAttach",
                 json_pack("{s:b, s:b, s:b, s:o}", "autoAttach", 1, "waitForDebuggerOnStart",
                           targets_hold(page->options.targets, guard_is_on(page)), "flatten", 1,
                           "filter", filter),
                 NULL, err);
    page->is_opening = false;
    return is_done;
}

bool page_open(struct page *page, struct deadline deadline, struct br_error *err)
{
    cdp_client_set_deadline(page->client, deadline);
    bool is_open = page->tab ? page_adopt_tab(page, page->tab, err) : tabs_open(page, err);
    if (!is_open || !downloads_begin(page, err) ||
        !page_set_all(page, page->options.settings, err) || !watch_browser(page, err)) {
        return false;
    }
    close_leftovers(page);
    return true;
}

const char *page_target_id(const struct page *page)
{
    return page->target_id;
}

void page_close_target(struct page *page, const char *target_id)
{
    cdp_post(page->client, NULL, "Target.closeTarget", json_pack("{s:s}", "targetId", target_id));
}

/* With the last page nobody is left who lets new targets go on. */
static void leave_targets(struct page *page)
{
    struct targets *targets = page->options.targets;
    bool are_held = targets_are_held(targets);
    targets_leave(targets, page);
    if (targets_is_empty(targets) && are_held) {
        cdp_post(page->client, NULL, "Target.setAutoAttach",
                 json_pack("{s:b, s:b, s:b}", "autoAttach", 0, "waitForDebuggerOnStart", 0,
                           "flatten", 1));
    }
}

void page_close(struct page *page)
{
    if (!page) {
        return;
    }
    page->console.logs = NULL;
    if (cdp_client_is_open(page->client)) {
        cdp_drain(page->client); /* it may have opened tabs that are to be closed, too */
    }
    tabs_finish(page);
    leave_targets(page);
    cdp_client_destroy(page->client);
    network_finish(&page->network);
    page_forget_look(page);
    page_forget_details(page);
    source_maps_finish(page);
    console_finish(&page->console);
    free(page->document.loader_id);
    free(page->document.url);
    json_decref(page->of_role);
    json_decref(page->settings);
    json_decref(page->contexts);
    json_decref(page->asked_for_login);
    free(page->browser);
    json_decref(page->origins);
    json_decref(page->downloads);
    free(page->origins_session_id);
    free(page->leave.url);
    free(page->refill_id);
    free(page->belongings.origin);
    free(page->belongings.storage);
    json_decref(page->belongings.cookies);
    free(page->target_id);
    free(page->session_id);
    free(page->frame_id);
    free(page->context_id);
    free(page->home_id);
    free(page->tab);
    free(page->closed_opener_id);
    json_decref(page->drag_data);
    press_reset(page);
    chooser_finish(page);
    frames_finish(page);
    guard_finish(page);
    free(page);
}

void page_set_logs(struct page *page, struct log_list *logs)
{
    page->console.logs = logs;
}

void page_set_deadline(struct page *page, struct deadline deadline)
{
    cdp_client_set_deadline(page->client, deadline);
}

struct deadline page_deadline(const struct page *page)
{
    return cdp_client_deadline(page->client);
}

void page_interrupt(struct page *page)
{
    cdp_client_interrupt(page->client);
}

void page_cancel(struct page *page)
{
    cdp_client_cancel(page->client);
}

void page_resume(struct page *page)
{
    cdp_client_resume(page->client);
}

void page_watch(struct page *page, int fd)
{
    cdp_client_watch(page->client, fd);
}

struct deadline page_tend(struct page *page)
{
    page_take_ready_details(page);
    return page->options.stream ? stream_run(page->options.stream)
                                : (struct deadline){ .at_us = INT64_MAX };
}

void page_catch_up(struct page *page)
{
    cdp_drain(page->client);
    page_tend(page);
    size_t dropped = cdp_client_take_dropped(page->client);
    if (dropped) {
        stream_drop(page->options.stream, dropped);
        page_log(page, BR_LOG_WARNING, "browser",
                 "%zu events of the page were lost: it sent more than could be kept", dropped);
    }
}

bool page_check_alive(struct page *page, struct br_error *err)
{
    return cdp_client_check(page->client, "before the action", err);
}

bool page_is_alive(struct page *page)
{
    return !page->is_crashed && cdp_client_is_open(page->client);
}

void page_act(struct page *page)
{
    page->has_acted |= page_is_alive(page);
    page->is_flushed = false;
}

bool page_has_acted(const struct page *page)
{
    return page->has_acted;
}

void page_reset_acted(struct page *page)
{
    page->has_acted = false;
    tell_begin(page);
    page->trace = (struct page_trace){ 0 };
    press_reset(page);
    page_forget_description(page);
}

const struct page_trace *page_trace(const struct page *page)
{
    return &page->trace;
}

bool page_answers(struct page *page, int64_t ms)
{
    struct br_error ignored;
    json_auto_t *value = NULL;
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_in_ms(ms));
    bool is_answered = page_call_function(page, "function () {}", json_object(), &value, &ignored);
    page_set_deadline(page, before);
    return is_answered;
}

bool page_ping_browser(struct page *page, int64_t ms)
{
    struct br_error ignored;
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_in_ms(ms));
    bool is_answered = cdp_call(page->client, NULL, "Browser.getVersion", NULL, NULL, &ignored);
    page_set_deadline(page, before);
    return is_answered;
}

int64_t page_answered_at_ms(const struct page *page)
{
    return page->answered_at_ms;
}

void page_crash(struct page *page)
{
    cdp_post(page->client, page->session_id, "Page.crash", NULL);
    break_page(page, "the page was stuck and has been ended");
}

const char *page_url(const struct page *page)
{
    return page->document.url;
}

bool page_has_been_nowhere(const struct page *page)
{
    /* The tab's own beginning is no navigation that events tell of. */
    return !page->document.url;
}

void page_viewport(const struct page *page, double *ret_width, double *ret_height)
{
    *ret_width = page->options.viewport_width;
    *ret_height = page->options.viewport_height;
}

bool page_pause(struct page *page, int64_t ms, struct br_error *err)
{
    return cdp_pause(page->client, ms, err);
}
