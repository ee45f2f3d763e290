#include "runner/page/core/tabs.h"

#include "runner/base/cut.h"
#include "runner/base/json.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/url_pattern.h"
#include "runner/page/element/chooser.h"
#include "runner/page/element/press.h"
#include "runner/page/picture/whole.h"
#include "runner/page/world/guard.h"
#include "runner/page/world/settings.h"

#include <string.h>

enum {
    MAX_TABS = 100,
    LATE_MS = 500, /* for the reply to what is not wanted any more */
    MAX_RESOURCE_BUFFER =
        4 * 1024 * 1024,                 /* of one body, that Chrome keeps until it is asked for */
    MAX_TOTAL_BUFFER = 16 * 1024 * 1024, /* of all of them */
    MAX_POST_DATA = 64 * 1024,           /* of a request, that Chrome tells when it is to be kept */
};

struct tab {
    int number; /* as the user names it; counted from 1, never used again */
    char *target_id, *session_id;
    char *opener_id; /* target of the tab that opened it; NULL: none */
    bool is_enabled; /* its recorders run */
    bool is_whole;   /* Chrome draws the whole document, see whole.h */
    bool has_gone;   /* of one that was opened: somewhere else than to about:blank */
    bool is_adopted; /* it was there before, and stays as it is: its size, and open in the end */
};

static struct tab *find_by_session(const struct page *page, const char *session_id)
{
    for (size_t i = 0; session_id && i < page->tab_count; i++) {
        if (strcmp(page->tabs[i].session_id, session_id) == 0) {
            return &page->tabs[i];
        }
    }
    return NULL;
}

static struct tab *find_by_target(const struct page *page, const char *target_id)
{
    for (size_t i = 0; target_id && i < page->tab_count; i++) {
        if (strcmp(page->tabs[i].target_id, target_id) == 0) {
            return &page->tabs[i];
        }
    }
    return NULL;
}

static bool is_page(const struct page *page, const struct tab *tab)
{
    return page->target_id && strcmp(page->target_id, tab->target_id) == 0;
}

bool tabs_has_target(const struct page *page, const char *target_id)
{
    return find_by_target(page, target_id);
}

bool tabs_has_session(const struct page *page, const char *session_id)
{
    const struct tab *tab = find_by_session(page, session_id);
    return tab && !is_page(page, tab);
}

bool tabs_is_whole(const struct page *page)
{
    const struct tab *tab = find_by_target(page, page->target_id);
    return tab && tab->is_whole;
}

void tabs_set_whole(struct page *page)
{
    struct tab *tab = find_by_target(page, page->target_id);
    if (tab) {
        tab->is_whole = true;
    }
}

static void forget(struct page *page, size_t index)
{
    struct tab *tab = &page->tabs[index];
    targets_release(page->options.targets, tab->target_id, page);
    tell_tab(page, BR_TAB_CLOSED, tab->number);
    free(tab->target_id);
    free(tab->session_id);
    free(tab->opener_id);
    memmove(tab, tab + 1, (--page->tab_count - index) * sizeof(*tab));
}

/* Closes a tab, or lets go of one that was adopted; without waiting. */
static void leave(struct page *page, const struct tab *tab)
{
    if (!tab->is_adopted) {
        page_close_target(page, tab->target_id);
        return;
    }
    cdp_post(page->client, NULL, "Target.detachFromTarget",
             json_pack("{s:s}", "sessionId", tab->session_id));
}

void tabs_finish(struct page *page)
{
    while (page->tab_count) {
        if (cdp_client_is_open(page->client)) {
            leave(page, &page->tabs[0]);
        }
        forget(page, 0);
    }
    free(TAKE(page->tabs));
    page->tab_capacity = 0;
}

static struct tab *add(struct page *page, const char *target_id, const char *session_id)
{
    page->tabs =
        array_reserve(page->tabs, page->tab_count, &page->tab_capacity, sizeof(*page->tabs));
    struct tab *tab = &page->tabs[page->tab_count++];
    *tab = (struct tab){
        .number = ++page->last_tab_number,
        .target_id = xstrdup(target_id),
        .session_id = xstrdup(session_id),
    };
    cdp_client_adopt(page->client, session_id);
    tell_tab(page, BR_TAB_OPENED, tab->number);
    return tab;
}

static bool is_blank(const char *url)
{
    return !url || !*url || strcmp(url, "about:blank") == 0;
}

void tabs_add_opened(struct page *page, const char *target_id, const char *session_id,
                     const char *opener_id, const char *url)
{
    if (find_by_target(page, target_id)) {
        return;
    }
    if (page->tab_count >= MAX_TABS) {
        page_log(page, BR_LOG_WARNING, "browser", "the page opened more than %d tabs: it is closed",
                 MAX_TABS);
        page_close_target(page, target_id);
        targets_release(page->options.targets, target_id, page);
        return;
    }
    struct tab *tab = add(page, target_id, session_id);
    tab->opener_id = xstrdup(opener_id);
    tab->has_gone = !is_blank(url);
    page->is_behind = true;
    /* Its dialogs would block this page, too. */
    cdp_post(page->client, session_id, "Page.enable", NULL);
    settings_tell(page, session_id);
    guard_tell(page, session_id, GUARD_TAB);
    cdp_post(page->client, session_id, "Runtime.runIfWaitingForDebugger", NULL);
    page_log(page, BR_LOG_INFO, "browser", "the page opened tab %d", tab->number);
}

void tabs_on_event(struct page *page, const char *session_id, const char *method,
                   const json_t *params)
{
    static const char *const methods[] = { "Page.frameStartedNavigating", "Page.frameNavigated",
                                           "Page.frameRequestedNavigation" };
    struct tab *tab = find_by_session(page, session_id);
    for (size_t i = 0; tab && i < sizeof(methods) / sizeof(methods[0]); i++) {
        if (strcmp(method, methods[i]) == 0) {
            const char *navigated = json_member_string(json_object_get(params, "frame"), "url");
            const char *url = navigated ? navigated : json_member_string(params, "url");
            tab->has_gone |= !is_blank(url);
        }
    }
}

void tabs_close_blank(struct page *page)
{
    /* A page may have written into it. */
    static const char source[] = "location.href === 'about:blank' && "
                                 "!document.body?.hasChildNodes() && window.close()";
    for (size_t i = 0; i < page->tab_count; i++) {
        const struct tab *tab = &page->tabs[i];
        bool is_opened = tab->opener_id && strcmp(tab->opener_id, page->target_id) == 0;
        if (is_opened && !tab->has_gone && !is_page(page, tab)) {
            cdp_post(page->client, tab->session_id, "Runtime.evaluate",
                     json_pack("{s:s}", "expression", source));
        }
    }
}

bool tabs_on_detached(struct page *page, const char *session_id)
{
    struct tab *tab = find_by_session(page, session_id);
    bool was_page = tab && is_page(page, tab);
    if (was_page) {
        free(page->closed_opener_id);
        page->closed_opener_id = xstrdup(tab->opener_id);
    }
    if (tab) {
        forget(page, (size_t)(tab - page->tabs));
    }
    return was_page;
}

/*
 * Sends all set-up commands at once; a tab that was adopted keeps its size. The reply to the last
 * is waited for before anything else happens: Chrome has lost load events when a navigation came in
 * the same burst.
 */
static bool enable(struct page *page, bool is_adopted, struct br_error *err)
{
    const struct page_options *options = &page->options;
    struct press_command press[PRESS_COMMANDS];
    press_commands(press);
    struct {
        const char *method;
        json_t *params;
        int64_t id;
    } commands[] = {
        { "Page.enable", NULL, 0 },
        { "Page.setLifecycleEventsEnabled", json_pack("{s:b}", "enabled", 1), 0 },
        { "Runtime.enable", NULL, 0 },
        { "Log.enable", NULL, 0 },
        { "Audits.enable", NULL, 0 },
        { "Network.enable",
          json_pack("{s:i, s:i, s:i}", "maxTotalBufferSize", MAX_TOTAL_BUFFER,
                    "maxResourceBufferSize", MAX_RESOURCE_BUFFER, "maxPostDataSize",
                    options->keeps_headers ? MAX_POST_DATA : 0),
          0 },
        { "Performance.enable", NULL, 0 },
        { "Page.addScriptToEvaluateOnNewDocument",
          json_pack("{s:s, s:s}", "source", script_vitals, "worldName", page_world_name), 0 },
        { press[0].method, press[0].params, 0 },
        { press[1].method, press[1].params, 0 },
        { "Target.setAutoAttach", frames_auto_attach(page), 0 },
        { "Page.setInterceptFileChooserDialog", json_pack("{s:b}", "enabled", 1), 0 },
        { "Emulation.setFocusEmulationEnabled", json_pack("{s:b}", "enabled", 1), 0 },
        { "Emulation.setDeviceMetricsOverride",
          json_pack("{s:i, s:i, s:f, s:b}", "width", options->viewport_width, "height",
                    options->viewport_height, "deviceScaleFactor", options->device_pixel_ratio,
                    "mobile", 0),
          0 },
    };
    size_t count = sizeof(commands) / sizeof(commands[0]);
    bool is_fine = true;
    if (is_adopted) {
        json_decref(commands[--count].params);
    }
    for (size_t i = 0; i < count; i++) {
        commands[i].id =
            cdp_send(page->client, page->session_id, commands[i].method, commands[i].params, err);
    }
    for (size_t i = 0; i < count; i++) {
        struct br_error later;
        is_fine = cdp_receive(page->client, commands[i].id, commands[i].method, NULL,
                              is_fine ? err : &later) &&
                  is_fine;
    }
    return is_fine;
}

/* What events tell of comes from this tab from now on. */
static void become(struct page *page, const struct tab *tab)
{
    free(page->target_id);
    free(page->session_id);
    free(page->frame_id);
    page->target_id = xstrdup(tab->target_id);
    page->session_id = xstrdup(tab->session_id);
    /* The main frame of a tab has the tab's id. */
    page->frame_id = xstrdup(tab->target_id);
    tell_tab(page, BR_TAB_ACTIVATED, tab->number);
    chooser_forget(page);
    frames_reset(page);
    network_forget_requests(&page->network);
    free(page->document.loader_id);
    free(page->document.url);
    page->document = (struct document){ 0 };
    page->mark.documents++;
    page->is_navigating = false;
    page->is_expected = false;
    page->is_new_document_coming = false;
    page->is_behind = false;
}

static const char create_method[] = "Target.createTarget";

struct awaited {
    const struct cdp_client *client;
    int64_t id;
};

static bool has_reply(void *data)
{
    const struct awaited *awaited = data;
    return cdp_has_reply(awaited->client, awaited->id);
}

/* A tab that nobody waits for any more, since a cancel or the deadline has come: it is closed. */
static void close_late(struct page *page, struct awaited *made, bool was_cancelled)
{
    struct br_error ignored;
    json_auto_t *reply = NULL;
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_in_ms(LATE_MS));
    cdp_client_resume(page->client);
    if (made->id >= 0 &&
        cdp_wait(page->client, has_reply, made, create_method, page_deadline(page), &ignored) &&
        cdp_receive(page->client, made->id, create_method, &reply, &ignored)) {
        page_close_target(page, json_member_string(reply, "targetId"));
    } else {
        cdp_forget(page->client, made->id);
    }
    page_set_deadline(page, before);
    if (was_cancelled) {
        cdp_client_cancel(page->client);
    }
}

/* A new tab at about:blank, the page's own. Caller frees the id of its target; NULL: the error. */
static char *make_target(struct page *page, struct br_error *err)
{
    json_auto_t *reply = NULL;
    const char *target_id = NULL;
    struct targets *targets = page->options.targets;
    /* A window each: what is behind another tab of its window does not draw. */
    json_t *params = json_pack("{s:s, s:b}", "url", "about:blank", "newWindow", 1);
    if (page->options.is_foreign) {
        /* Chrome would answer the dialogs of the tab that was in front. */
        json_object_set_new(params, "background", json_true());
    }
    page->is_attaching = true;
    targets_begin_making(targets, page);
    struct awaited made = { .client = page->client };
    made.id = cdp_send(page->client, NULL, create_method, page_in_context(page, params), err);
    bool has_come = made.id >= 0 && cdp_wait(page->client, has_reply, &made, create_method,
                                             page_deadline(page), err);
    bool is_made = has_come && cdp_receive(page->client, made.id, create_method, &reply, err) &&
                   json_read(reply, create_method, err, "{s:s}", "targetId", &target_id) &&
                   targets_claim(targets, target_id, page);
    if (!has_come) {
        close_late(page, &made, err->code == BR_CANCELLED);
    }
    targets_end_making(targets, page);
    page->is_attaching = false;
    if (!is_made) {
        targets_lose(targets); /* it may come yet */
    }
    return is_made ? xstrdup(target_id) : NULL;
}

/* A session to a tab that the page owns; it is one of its tabs from now on. NULL with the error. */
static struct tab *attach(struct page *page, const char *target_id, struct br_error *err)
{
    json_auto_t *reply = NULL;
    const char *session_id = NULL;
    page->is_attaching = true;
    bool is_attached =
        cdp_call(page->client, NULL, "Target.attachToTarget",
                 json_pack("{s:s, s:b}", "targetId", target_id, "flatten", 1), &reply, err) &&
        json_read(reply, "Target.attachToTarget", err, "{s:s}", "sessionId", &session_id);
    page->is_attaching = false;
    return is_attached ? add(page, target_id, session_id) : NULL;
}

bool tabs_open(struct page *page, struct br_error *err)
{
    if (page->tab_count >= MAX_TABS) {
        return error_set(err, BR_INVALID_ACTION, "%d tabs are open already", MAX_TABS);
    }
    CLEANUP_FREE char *target_id = make_target(page, err);
    struct tab *tab = target_id ? attach(page, target_id, err) : NULL;
    if (!tab) {
        if (target_id) {
            page_close_target(page, target_id);
            targets_release(page->options.targets, target_id, page);
        }
        return false;
    }
    tab->is_enabled = true;
    become(page, tab);
    return enable(page, false, err) && guard_begin(page, err) &&
           (!page->options.draws_whole || whole_ensure(page, page->session_id, err));
}

/* The settings hold for every tab that becomes the page. */
static void apply_settings(struct page *page)
{
    json_auto_t *settings = json_copy(page->settings);
    page_set_again(page, settings);
}

/* What a document that has come before is like. */
static bool read_document(struct page *page, struct br_error *err)
{
    json_auto_t *tree = NULL;
    json_auto_t *state = NULL;
    json_t *frame = NULL;
    if (!page_command(page, "Page.getFrameTree", NULL, &tree, err) ||
        !json_read(tree, "Page.getFrameTree", err, "{s:{s:o}}", "frameTree", "frame", &frame) ||
        !page_call_function(page, "function () { return document.readyState; }", json_object(),
                            &state, err)) {
        return false;
    }
    const char *url = json_member_string(frame, "url");
    const char *fragment = json_member_string(frame, "urlFragment");
    const char *ready = json_string_value(state);
    struct document *document = &page->document;
    free(document->loader_id);
    free(document->url);
    *document = (struct document){
        .loader_id = xstrdup(json_member_string(frame, "loaderId")),
        .url = xasprintf("%s%s", url ? url : "", fragment ? fragment : ""),
        .is_loaded = ready && strcmp(ready, "complete") == 0,
        .is_dom_loaded = ready && strcmp(ready, "loading") != 0,
    };
    document->has_stopped = document->is_loaded;
    page->are_frames_stale = true;
    return true;
}

/* The tab is looked at before the first wait only: events may move it, or take it away. */
static bool activate(struct page *page, struct tab *tab, struct br_error *err)
{
    bool is_new = !tab->is_enabled;
    bool is_adopted = tab->is_adopted;
    tab->is_enabled = true;
    become(page, tab);
    /* Chrome answers the dialogs of the tab that was in front, which may be a stranger's. */
    if ((!page->options.is_foreign && !page_command(page, "Page.bringToFront", NULL, NULL, err)) ||
        (is_new && !(enable(page, is_adopted, err) && guard_begin(page, err)))) {
        return false;
    }
    guard_meet_children(page);
    apply_settings(page);
    return read_document(page, err);
}

static struct tab *find_by_number(struct page *page, int number, struct br_error *err)
{
    for (size_t i = 0; i < page->tab_count; i++) {
        if (page->tabs[i].number == number) {
            return &page->tabs[i];
        }
    }
    error_set(err, BR_TARGET_NOT_FOUND, "there is no tab %d", number);
    error_hint(err, "`tab` with the op list says which there are");
    return NULL;
}

/* What Chrome draws of a tab is the viewport of the page from now on. */
static bool take_size(struct page *page, struct br_error *err)
{
    json_auto_t *size = NULL;
    if (!page_call_function(page,
                            "function () { return { width: innerWidth, height: innerHeight, "
                            "ratio: devicePixelRatio }; }",
                            json_object(), &size, err)) {
        return false;
    }
    page->options.viewport_width = (int)json_member_number(size, "width", 0);
    page->options.viewport_height = (int)json_member_number(size, "height", 0);
    page->options.device_pixel_ratio = json_member_number(size, "ratio", 1);
    return true;
}

/* Whether it is a tab that this page has or may have, of this id or a URL like this. */
static bool is_meant(const struct page *page, const json_t *target, const char *wanted)
{
    const char *type = json_member_string(target, "type");
    const char *target_id = json_member_string(target, "targetId");
    const char *url = json_member_string(target, "url");
    if (!type || strcmp(type, "page") != 0 || !target_id || !url) {
        return false;
    }
    const void *owner =
        targets_owner(page->options.targets, target_id, json_member_string(target, "openerId"));
    return (!owner || owner == page) &&
           (strcmp(target_id, wanted) == 0 || url_pattern_matches(wanted, url));
}

/* The id of the tab's target, the caller's to free; NULL with the error. */
static char *find_target(struct page *page, const char *wanted, struct br_error *err)
{
    json_auto_t *reply = NULL;
    const json_t *found = NULL;
    size_t index;
    size_t count = 0;
    json_t *target;
    if (!cdp_call(page->client, NULL, "Target.getTargets", NULL, &reply, err)) {
        return NULL;
    }
    json_array_foreach (json_object_get(reply, "targetInfos"), index, target) {
        if (is_meant(page, target, wanted)) {
            found = target;
            count++;
        }
    }
    if (count == 1) {
        /* What it shows is there already: the rules say whether it may be worked with. */
        bool is_allowed =
            policy_check_url(page->options.policy, json_member_string(found, "url"), err);
        return is_allowed ? xstrdup(json_member_string(found, "targetId")) : NULL;
    }
    error_set(err, count ? BR_TARGET_AMBIGUOUS : BR_TARGET_NOT_FOUND,
              count ? "%zu tabs are at \"%.*s\"" : "%zu free tabs are at \"%.*s\"", count,
              MAX_SHOWN_URL, wanted);
    error_hint(err, "name it by more of its URL, with * for any text, or by the id that "
                    "http://HOST:PORT/json/list gives it");
    return NULL;
}

bool page_adopt_tab(struct page *page, const char *wanted, struct br_error *err)
{
    CLEANUP_FREE char *target_id = find_target(page, wanted, err);
    struct tab *tab = find_by_target(page, target_id);
    if (tab) {
        return is_page(page, tab) || activate(page, tab, err);
    }
    if (!target_id || page->tab_count >= MAX_TABS) {
        return !target_id ? false
                          : error_set(err, BR_INVALID_ACTION, "%d tabs are open already", MAX_TABS);
    }
    if (!targets_claim(page->options.targets, target_id, page)) {
        return error_set(err, BR_TARGET_NOT_FOUND, "another session has the tab");
    }
    tab = attach(page, target_id, err);
    if (!tab) {
        targets_release(page->options.targets, target_id, page);
        return false;
    }
    tab->is_adopted = true;
    return activate(page, tab, err) && take_size(page, err);
}

bool page_is_adopted(const struct page *page)
{
    const struct tab *tab = find_by_target(page, page->target_id);
    return tab && tab->is_adopted;
}

bool page_open_tab(struct page *page, struct br_error *err)
{
    if (!tabs_open(page, err)) {
        return false;
    }
    apply_settings(page);
    return true;
}

bool page_activate_tab(struct page *page, int number, struct br_error *err)
{
    struct tab *tab = find_by_number(page, number, err);
    return tab && (is_page(page, tab) || activate(page, tab, err));
}

/* The one that opened the page, otherwise the newest. */
static struct tab *next_tab(struct page *page, const char *opener_id)
{
    struct tab *opener = find_by_target(page, opener_id);
    return opener ? opener : &page->tabs[page->tab_count - 1];
}

bool page_close_tab(struct page *page, int number, struct br_error *err)
{
    struct tab *tab =
        number ? find_by_number(page, number, err) : find_by_target(page, page->target_id);
    if (!tab) {
        return false;
    }
    if (page->tab_count == 1) {
        error_set(err, BR_INVALID_ACTION, "this is the only tab");
        return error_hint(err, "`stop` ends the session");
    }
    CLEANUP_FREE char *target_id = xstrdup(tab->target_id);
    CLEANUP_FREE char *opener_id = xstrdup(tab->opener_id);
    bool was_page = is_page(page, tab);
    forget(page, (size_t)(tab - page->tabs));
    if (was_page && !activate(page, next_tab(page, opener_id), err)) {
        page_close_target(page, target_id); /* nobody knows of it any more */
        return false;
    }
    return cdp_call(page->client, NULL, "Target.closeTarget",
                    json_pack("{s:s}", "targetId", target_id), NULL, err);
}

bool page_leave_closed_tab(struct page *page, struct br_error *err)
{
    cdp_drain(page->client);
    if (!page->was_closed || !page->tab_count || !cdp_client_is_open(page->client)) {
        return false;
    }
    CLEANUP_FREE char *opener_id = TAKE(page->closed_opener_id);
    page->was_closed = false;
    page->is_crashed = false;
    cdp_client_break(page->client, BR_OK, "");
    struct tab *tab = next_tab(page, opener_id);
    int number = tab->number;
    if (!activate(page, tab, err)) {
        return false;
    }
    page_log(page, BR_LOG_WARNING, "browser", "the tab closed itself: tab %d is the page now",
             number);
    return true;
}

size_t page_count_tabs(const struct page *page)
{
    return page->tab_count;
}

json_t *page_list_tabs(struct page *page, struct br_error *err)
{
    json_auto_t *reply = NULL;
    json_t *list = json_array();
    size_t index;
    json_t *info;
    if (!cdp_call(page->client, NULL, "Target.getTargets", NULL, &reply, err)) {
        json_decref(list);
        return NULL;
    }
    for (size_t i = 0; i < page->tab_count; i++) {
        const struct tab *tab = &page->tabs[i];
        json_array_foreach (json_object_get(reply, "targetInfos"), index, info) {
            const char *target_id = json_member_string(info, "targetId");
            if (target_id && strcmp(target_id, tab->target_id) == 0) {
                CLEANUP_FREE char *url = cut_text(json_member_string(info, "url"), CUT_URL);
                CLEANUP_FREE char *title = cut_text(json_member_string(info, "title"), CUT_TITLE);
                json_array_append_new(list,
                                      json_pack("{s:i, s:s*, s:s*, s:b}", "id", tab->number, "url",
                                                url, "title", title, "active", is_page(page, tab)));
            }
        }
    }
    return list;
}
