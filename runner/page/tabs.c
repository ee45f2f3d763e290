#include "runner/page/tabs.h"

#include "runner/base/cut.h"
#include "runner/base/json.h"
#include "runner/page/chooser.h"
#include "runner/page/frames.h"
#include "runner/page/press.h"
#include "runner/page/scripts.h"
#include "runner/page/settings.h"
#include "runner/page/whole.h"

#include <string.h>

enum {
    MAX_TABS = 100,
    MAX_RESOURCE_BUFFER = 1024 * 1024, /* of bodies, that Chrome keeps until we ask for them */
    MAX_POST_DATA = 64 * 1024,         /* of a request, that Chrome tells when it is to be kept */
};

struct tab {
    int number; /* as the user names it; counted from 1, never used again */
    char *target_id, *session_id;
    char *opener_id; /* target of the tab that opened it; NULL: none */
    bool is_enabled; /* its recorders run */
    bool is_whole;   /* Chrome draws the whole document, see whole.h */
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
    free(tab->target_id);
    free(tab->session_id);
    free(tab->opener_id);
    memmove(tab, tab + 1, (--page->tab_count - index) * sizeof(*tab));
}

void tabs_finish(struct page *page)
{
    while (page->tab_count) {
        if (cdp_client_is_open(page->client)) {
            page_close_target(page, page->tabs[0].target_id);
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
    return tab;
}

void tabs_add_opened(struct page *page, const char *target_id, const char *session_id,
                     const char *opener_id)
{
    if (page->tab_count >= MAX_TABS || find_by_target(page, target_id)) {
        return;
    }
    struct tab *tab = add(page, target_id, session_id);
    tab->opener_id = xstrdup(opener_id);
    page->is_behind = true;
    /* Its dialogs would block this page, too. */
    cdp_post(page->client, session_id, "Page.enable", NULL);
    settings_tell(page, session_id);
    cdp_post(page->client, session_id, "Runtime.runIfWaitingForDebugger", NULL);
    page_log(page, BR_LOG_INFO, "browser", "the page opened tab %d", tab->number);
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
 * Sends all set-up commands at once. The reply to the last is waited for before anything else
 * happens: Chrome has lost load events when a navigation came in the same burst.
 */
static bool enable(struct page *page, struct br_error *err)
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
          json_pack("{s:i, s:i, s:i}", "maxTotalBufferSize", MAX_RESOURCE_BUFFER,
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

static bool attach(struct page *page, json_t **ret_created, json_t **ret_attached,
                   struct br_error *err)
{
    const char *target_id = NULL;
    page->is_attaching = true;
    bool is_attached =
        cdp_call(page->client, NULL, "Target.createTarget",
                 page_in_context(page, json_pack("{s:s}", "url", "about:blank")), ret_created,
                 err) &&
        json_read(*ret_created, "Target.createTarget", err, "{s:s}", "targetId", &target_id) &&
        cdp_call(page->client, NULL, "Target.attachToTarget",
                 json_pack("{s:s, s:b}", "targetId", target_id, "flatten", 1), ret_attached, err);
    if (target_id && !is_attached) {
        page_close_target(page, target_id);
    }
    page->is_attaching = false;
    return is_attached;
}

bool tabs_open(struct page *page, struct br_error *err)
{
    json_auto_t *created = NULL;
    json_auto_t *attached = NULL;
    const char *session_id = NULL;
    if (page->tab_count >= MAX_TABS) {
        return error_set(err, BR_INVALID_ACTION, "%d tabs are open already", MAX_TABS);
    }
    if (!attach(page, &created, &attached, err) ||
        !json_read(attached, "Target.attachToTarget", err, "{s:s}", "sessionId", &session_id)) {
        return false;
    }
    struct tab *tab = add(page, json_member_string(created, "targetId"), session_id);
    tab->is_enabled = true;
    become(page, tab);
    return enable(page, err) &&
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
    tab->is_enabled = true;
    become(page, tab);
    if (!page_command(page, "Page.bringToFront", NULL, NULL, err) ||
        (is_new && !enable(page, err))) {
        return false;
    }
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
