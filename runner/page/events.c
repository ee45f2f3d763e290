/* Dispatches events. */
#include "runner/page/events.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/cdp/targets.h"
#include "runner/page/core/details.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/virtual_time.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/chooser.h"
#include "runner/page/element/drag.h"
#include "runner/page/element/press.h"
#include "runner/page/world/backup.h"
#include "runner/page/world/downloads.h"
#include "runner/page/world/guard.h"
#include "runner/page/world/judge.h"
#include "runner/page/world/origins.h"
#include "runner/page/world/route.h"
#include "runner/page/world/setting.h"
#include "runner/page/world/settings.h"

#include <string.h>

/* Chrome does not report the end of requests of a removed frame. */
static void on_frame_detached(struct page *page, json_t *params)
{
    const char *reason = json_member_string(params, "reason");
    /* A frame that moves to another process continues there. */
    if (!reason || strcmp(reason, "swap") != 0) {
        network_leave_frame(&page->network, json_member_string(params, "frameId"), NULL);
    }
}

static void on_download(struct page *page, json_t *params)
{
    const char *url = json_member_string(params, "url");
    navigation_count(page, NAVIGATION_NOTICE);
    if (!page->options.downloads && page->options.is_foreign) {
        page_log(page, BR_LOG_INFO, "download", "a download has begun: %s", url ? url : "");
    }
}

static void report_external(struct page *page, const char *url)
{
    const char *outcome = page->options.drops_externals
                              ? "it was not opened"
                              : "the browser may ask a person, and until they answer no click and "
                                "no key arrives";
    navigation_count(page, NAVIGATION_NOTICE);
    navigation_count(page, NAVIGATION_EXTERNAL);
    page_log(page, BR_LOG_WARNING, "browser", "%.*s is for another program: %s", MAX_SHOWN_URL, url,
             outcome);
}

static void on_window_open(struct page *page, json_t *params)
{
    const char *url = json_member_string(params, "url");
    navigation_count(page, NAVIGATION_NOTICE);
    navigation_count(page, NAVIGATION_TAB);
    tabs_note_opening(page, url);
    page_log(page, BR_LOG_INFO, "browser", "the page opened a new tab: %s", url ? url : "");
    if (url && network_is_external(url)) {
        report_external(page, url);
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
        report_external(page, whole);
    }
}

/* Handles a response without a document to a navigation of the page: No Content, Reset Content. */
static void note_empty(struct page *page, const char *method, const json_t *params)
{
    const char *type = json_member_string(params, "type");
    const char *frame_id = json_member_string(params, "frameId");
    double status = json_member_number(json_object_get(params, "response"), "status", 0);
    if (strcmp(method, "Network.responseReceived") == 0 && type && strcmp(type, "Document") == 0 &&
        (status == 204 || status == 205) && frame_id && page_frame_id(page) &&
        strcmp(frame_id, page_frame_id(page)) == 0) {
        navigation_count(page, NAVIGATION_EMPTY);
    }
}

static void prepare_opened(struct page *page, const json_t *target, const char *session_id)
{
    if (tabs_are_heard(page)) {
        tabs_hear(page, tabs_find(page, json_member_string(target, "targetId")),
                  json_member_string(target, "url"));
    }
    /* Its dialogs would block this page, too. */
    cdp_post(page->client, session_id, "Page.enable", NULL);
    settings_tell(page, session_id);
    guard_tell(page, session_id, GUARD_TAB);
    virtual_time_meet(page, session_id);
    cdp_post(page->client, session_id, "Runtime.runIfWaitingForDebugger", NULL);
}

/*
 * Handles a tab that was opened by this page, or by a person in a browser that was launched here
 * and has no other pages. Detaches from other tabs without an owner.
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
    if (owner == page && tabs_is_attaching(page)) {
        wire_learn_context(page, json_member_string(target, "browserContextId"));
    } else if (!owner && tabs_is_attaching(page)) {
        tabs_note_attached(page, target_id, session_id,
                           json_member_string(target, "browserContextId"));
    }
    bool is_known = tabs_has_session(page, session_id) || (wire_is_own(page, session_id));
    bool is_asked_for =
        (tabs_is_attaching(page) || origins_is_visiting(page)) && !tabs_has_target(page, opener_id);
    bool is_anothers = owner ? owner != page : targets_is_making(targets, page);
    if (is_known || !page_session(page) || is_asked_for || is_anothers) {
        if (!is_anothers) {
            guard_release(page, session_id);
        }
        return; /* the tab of page_get_origins() closes when its session is detached */
    }
    bool is_left_over = tabs_is_listing(page) || page->options.is_foreign ||
                        !page_is_in_context(page, target) || !targets_is_alone(targets, page) ||
                        targets_has_leftovers(targets);
    if (tabs_has_target(page, target_id) || (!owner && is_left_over)) {
        /* The script that opens the tab waits for this, even if new tabs are not paused. */
        cdp_post(page->client, session_id, "Runtime.runIfWaitingForDebugger", NULL);
        cdp_post(page->client, NULL, "Target.detachFromTarget",
                 json_pack("{s:s}", "sessionId", session_id));
    } else if (targets_claim(targets, target_id, page) &&
               tabs_add_opened(page, target_id, session_id, opener_id,
                               json_member_string(target, "url"))) {
        prepare_opened(page, target, session_id);
    }
}

/*
 * The browser reports some targets to all pages: a session that stands for the browser belongs to a
 * client of others, and a worker that several pages share to the first of its context.
 */
static bool is_anothers(const struct page *page, const char *method, const json_t *params)
{
    const json_t *target = json_object_get(params, "targetInfo");
    const char *type = json_member_string(target, "type");
    const char *target_id = json_member_string(target, "targetId");
    if (strcmp(method, "Target.attachedToTarget") != 0 || !type || !target_id) {
        return false;
    }
    bool is_shared = strcmp(type, "shared_worker") == 0;
    return strcmp(type, "browser") == 0 ||
           (is_shared && !(page_is_in_context(page, target) &&
                           targets_claim(page->options.targets, target_id, page)));
}

/*
 * A dialog blocks the page and all calls, so it is answered at once. By default, alerts and leaving
 * a page are accepted, and questions declined.
 */
static void on_dialog(struct page *page, const char *session_id, json_t *params)
{
    const char *type = json_member_string(params, "type");
    const char *message = json_member_string(params, "message");
    const json_t *wanted = setting_get(page, "dialog");
    const char *text = json_member_string(wanted, "promptText");
    bool is_harmless = type && (strcmp(type, "alert") == 0 || strcmp(type, "beforeunload") == 0);
    bool is_accepted = json_member_bool(wanted, "accept", is_harmless);
    navigation_count(page, NAVIGATION_NOTICE);
    if (type && strcmp(type, "beforeunload") == 0 && !is_accepted) {
        navigation_count(page, NAVIGATION_KEEP);
    }
    page_log(page, BR_LOG_INFO, "dialog", "%s \"%s\" %s", type ? type : "dialog",
             message ? message : "", is_accepted ? "accepted" : "dismissed");
    tell_dialog(page, type, message, is_accepted);
    cdp_post(page->client, session_id, "Page.handleJavaScriptDialog",
             json_pack("{s:b, s:o*}", "accept", is_accepted, "promptText",
                       text ? json_text(text) : NULL));
}

static void on_crashed(struct page *page, json_t *params)
{
    (void)params;
    wire_break(page, "the page crashed");
}

static void on_detached(struct page *page, json_t *params)
{
    if (tabs_on_detached(page, json_member_string(params, "sessionId"))) {
        wire_break(page, "the page was closed");
    }
}

void events_on_process(struct page *page, const char *session_id, enum frames_process process,
                       bool is_kept)
{
    struct press_command commands[PRESS_COMMANDS];
    bool is_frame = process == PROCESS_FRAME;
    if (!is_kept && judge_is_on(page)) {
        cdp_client_adopt(page->client, session_id);
    }
    if (is_kept && is_frame) {
        chooser_intercept(page, session_id);
        press_commands(commands);
        for (size_t i = 0; i < PRESS_COMMANDS; i++) {
            cdp_post(page->client, session_id, commands[i].method, commands[i].params);
        }
    }
    if (is_kept) {
        settings_tell(page, session_id);
    }
    guard_tell(page, session_id, is_frame ? GUARD_FRAME : GUARD_WORKER);
}

/* Reports a console call in another tab, or in a frame or worker there. */
static void record_tab_call(struct page *page, int tab, const char *session_id, const char *method,
                            json_t *params)
{
    page->console.tab = tab;
    stream_set_tab(page->options.stream, tab);
    if (tab && tabs_are_heard(page) && strncmp(method, "Runtime.", 8) == 0 &&
        console_on_event(&page->console, method, params)) {
        page_ask_details(page, session_id);
    }
    page->console.tab = 0;
    stream_set_tab(page->options.stream, 0);
}

/* Returns the number of the tab, other than the page, that a session belongs to; 0: none. */
static int tab_of(const struct page *page, const char *session_id)
{
    int tab = tabs_number_of(page, session_id);
    return tab ? tab : guard_tab_of_child(page, session_id);
}

/* A new document ends what belonged to the previous one. */
static bool on_navigation(struct page *page, const char *method, json_t *params)
{
    unsigned before = page_mark(page).documents;
    bool is_taken = navigation_on_event(page, method, params);
    if (page_mark(page).documents != before) {
        backup_end_refill(page);
        tabs_close_blank(page);
    }
    return is_taken;
}

void events_take(void *data, const char *session_id, const char *method, json_t *params)
{
    static const struct {
        const char *method;
        void (*apply)(struct page *page, json_t *params);
    } table[] = {
        { "Page.frameDetached", on_frame_detached }, { "Page.downloadWillBegin", on_download },
        { "Page.windowOpen", on_window_open },       { "Target.attachedToTarget", on_attached },
        { "Inspector.targetCrashed", on_crashed },   { "Target.detachedFromTarget", on_detached },
    };
    struct page *page = data;
    if (strcmp(method, "Page.javascriptDialogOpening") == 0) {
        on_dialog(page, session_id, params);
        return;
    }
    if (!*session_id && is_anothers(page, method, params)) {
        return;
    }
    if (guard_on_event(page, session_id, method, params) ||
        route_on_event(page, session_id, method, params) ||
        downloads_on_event(page, method, params) ||
        virtual_time_on_event(page, session_id, method)) {
        return;
    }
    bool is_own = wire_is_own(page, session_id);
    bool is_child = frames_has_session(page, session_id);
    if (is_own || is_child || !*session_id) {
        frames_on_event(page, session_id, method, params);
        if (strcmp(method, "Page.frameNavigated") == 0) {
            origins_note(page, json_object_get(params, "frame"));
        }
    }
    if (*session_id && page_session(page) && !is_own && !is_child) {
        tabs_on_event(page, session_id, method, params);
        record_tab_call(page, tab_of(page, session_id), session_id, method, params);
        return; /* of another tab */
    }
    if (chooser_on_event(page, session_id, method, params)) {
        return;
    }
    if (drag_on_event(page, method, params)) {
        return;
    }
    note_external(page, method, params);
    note_empty(page, method, params);
    if (press_on_event(page, session_id, method, params)) {
        return;
    }
    network_name_entry(&page->network, method, params);
    if (network_is_about_icon(&page->network, method, params) ||
        console_on_event(&page->console, method, params) ||
        network_on_event(&page->network, page_frame_id(page), method, params)) {
        page_ask_details(page, session_id);
        return;
    }
    if (is_child || on_navigation(page, method, params)) {
        return;
    }
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(method, table[i].method) == 0) {
            table[i].apply(page, params);
            return;
        }
    }
}

bool events_skip(void *data, const char *session_id, const char *method)
{
    struct page *page = data;
    bool is_own = wire_is_own(page, session_id) || frames_has_session(page, session_id);
    page->console.tab = is_own ? 0 : tab_of(page, session_id);
    bool is_skipped = (is_own || page->console.tab) && console_skip(&page->console, method);
    page->console.tab = 0;
    return is_skipped;
}
