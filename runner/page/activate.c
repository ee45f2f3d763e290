#include "runner/page/activate.h"

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/policy.h"
#include "runner/base/strbuf.h"
#include "runner/cdp/targets.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frame.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/options.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/url_pattern.h"
#include "runner/page/core/virtual_time.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/chooser.h"
#include "runner/page/element/press.h"
#include "runner/page/picture/whole.h"
#include "runner/page/world/guard.h"
#include "runner/page/world/judge.h"
#include "runner/page/world/setting.h"
#include "runner/page/world/settings.h"

#include <browser_runner/event.h>
#include <string.h>

enum {
    LATE_MS = 500, /* time limit for the reply to an abandoned request */
    MAX_RESOURCE_BUFFER =
        4 * 1024 * 1024,                 /* of one body, which Chrome keeps until it is requested */
    MAX_TOTAL_BUFFER = 16 * 1024 * 1024, /* of all bodies */
    MAX_POST_DATA = 64 * 1024,           /* of a request body that Chrome reports, if it is to be
                                            kept */
};

/*
 * Sends all set-up commands at once; an adopted tab keeps its size. Waits for all replies before
 * anything else: Chrome has lost load events when a navigation was sent in the same burst.
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
        commands[i].id = page_send(page, commands[i].method, commands[i].params, err);
    }
    for (size_t i = 0; i < count; i++) {
        struct br_error later;
        is_fine = cdp_receive(page->client, commands[i].id, commands[i].method, NULL,
                              is_fine ? err : &later) &&
                  is_fine;
    }
    return is_fine;
}

/* Makes this tab the source of the page's events. */
static void become(struct page *page, const struct tab *tab)
{
    wire_enter_tab(page, tab->target_id, tab->session_id);
    tell_tab(page, BR_TAB_ACTIVATED, tab->number, tab->target_id);
    chooser_forget(page);
    frames_reset(page);
    network_forget_requests(&page->network);
    navigation_enter_tab(page);
    virtual_time_enter_tab(page);
    tabs_note_front(page);
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

/* Closes a tab whose creation was abandoned because of a cancel or the deadline. */
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

/*
 * Creates a tab at about:blank that the page owns. Caller frees the target id; NULL with an error.
 */
static char *make_target(struct page *page, struct br_error *err)
{
    json_auto_t *reply = NULL;
    const char *target_id = NULL;
    struct targets *targets = page->options.targets;
    /* Each tab gets a window of its own: one behind another tab of its window is not drawn. */
    json_t *params = json_pack("{s:s, s:b}", "url", "about:blank", "newWindow", 1);
    if (page->options.is_foreign) {
        /* Otherwise Chrome would answer the dialogs of the tab that was in front. */
        json_object_set_new(params, "background", json_true());
    }
    if (page->options.has_virtual_time) {
        json_object_set_new(params, "enableBeginFrameControl", json_true());
    }
    tabs_set_attaching(page, true);
    targets_begin_making(targets, page, tabs_are_held(page), page_deadline(page));
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
    tabs_set_attaching(page, false);
    if (!is_made) {
        targets_lose(targets); /* the tab may still appear */
    }
    return is_made ? xstrdup(target_id) : NULL;
}

/*
 * Adds a tab that the page has just created, with the session that Chrome has opened to it by
 * itself: a request for another one would wait while Chrome draws the window. NULL: there is none.
 */
static struct tab *add_attached(struct page *page, const char *target_id)
{
    json_auto_t *attached = tabs_take_attached(page, target_id);
    if (!attached) {
        return NULL;
    }
    wire_learn_context(page, json_member_string(attached, "contextId"));
    return tabs_add(page, target_id, json_member_string(attached, "sessionId"));
}

/* Attaches to a tab that the page owns and adds it to the page's tabs. NULL with an error. */
static struct tab *attach(struct page *page, const char *target_id, struct br_error *err)
{
    json_auto_t *reply = NULL;
    const char *session_id = NULL;
    tabs_set_attaching(page, true);
    bool is_attached =
        cdp_call(page->client, NULL, "Target.attachToTarget",
                 json_pack("{s:s, s:b}", "targetId", target_id, "flatten", 1), &reply, err) &&
        json_read(reply, "Target.attachToTarget", err, "{s:s}", "sessionId", &session_id);
    tabs_set_attaching(page, false);
    return is_attached ? tabs_add(page, target_id, session_id) : NULL;
}

bool activate_new(struct page *page, struct br_error *err)
{
    if (tabs_are_full(page, err)) {
        return false;
    }
    CLEANUP_FREE char *target_id = make_target(page, err);
    struct tab *tab = target_id ? add_attached(page, target_id) : NULL;
    tab = tab || !target_id ? tab : attach(page, target_id, err);
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
           (!page->options.has_virtual_time || virtual_time_begin(page, err)) &&
           (!page->options.draws_whole ||
            whole_ensure(page, page_session(page), page_deadline(page), err));
}

/* Applies the settings, which hold for every tab that becomes the page. */
static void apply_settings(struct page *page)
{
    json_auto_t *settings = json_copy(setting_all(page));
    page_set_again(page, settings);
}

/* Reads the state of a document that was loaded before. */
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
    navigation_find_document(page, frame, json_string_value(state));
    frames_touch(page);
    return true;
}

/* Checks the rules for a document that Chrome opened before they applied; it is left if refused. */
static bool check_document(struct page *page, struct br_error *err)
{
    struct br_error ignored;
    if (!judge_is_on(page) || !page_url(page) || judge_check_document(page, page_url(page), err)) {
        return true;
    }
    page_command(page, "Page.navigate", json_pack("{s:s}", "url", "about:blank"), NULL, &ignored);
    return false;
}

/* The tab is read only before the first wait: events may move or remove it. */
static bool activate(struct page *page, struct tab *tab, struct br_error *err)
{
    bool is_new = !tab->is_enabled;
    bool is_adopted = tab->is_adopted || tab->stays;
    bool tab_was_heard = tab->is_heard;
    tab->is_heard = false;
    tab->is_enabled = true;
    become(page, tab);
    /* Chrome would answer the dialogs of the tab in front, which may be another client's. */
    if (tab_was_heard) {
        /* Chrome reports its worlds again only after Runtime.disable. */
        cdp_post(page->client, page_session(page), "Runtime.disable", NULL);
    }
    if ((!page->options.is_foreign && !page_command(page, "Page.bringToFront", NULL, NULL, err)) ||
        (is_new && !(enable(page, is_adopted, err) && guard_begin(page, err) &&
                     (!page->options.has_virtual_time || virtual_time_begin(page, err))))) {
        return false;
    }
    guard_meet_children(page);
    apply_settings(page);
    return read_document(page, err) && check_document(page, err);
}

/* Makes the tab's size that of the page's viewport. */
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

/* Returns whether the target may be adopted and has this id, or a matching URL. */
static bool is_meant(const struct page *page, const json_t *target, const char *wanted)
{
    return tabs_may_adopt(page, target) &&
           (strcmp(json_member_string(target, "targetId"), wanted) == 0 ||
            url_pattern_matches(wanted, json_member_string(target, "url")));
}

/* Adds a hint that lists the tabs that can be adopted. Returns false. */
static bool hint_free(const struct page *page, const json_t *targets, struct br_error *err)
{
    enum { MAX_NAMED = 8, MAX_LENGTH = 120 };
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    json_auto_t *list = json_array();
    size_t index;
    json_t *tab;
    tabs_list_free(page, targets, list);
    size_t count = json_array_size(list);
    json_array_foreach (list, index, tab) {
        if (index < MAX_NAMED) {
            strbuf_add_format(&text, "%s%.*s", index ? ", " : "", MAX_LENGTH,
                              json_member_string(tab, "url"));
        }
    }
    if (count > MAX_NAMED) {
        strbuf_add_format(&text, " and %zu more", count - MAX_NAMED);
    }
    return count > 0
               ? error_hint(err, "available tabs: %s", text.data)
               : error_hint(err,
                            "no tab is available: each belongs to another session, or to this one");
}

/* Returns the id of the tab's target, which the caller frees; NULL with an error. */
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
        /* The document is already loaded: the rules decide whether it may be used. */
        bool is_allowed =
            policy_check_url(page->options.policy, json_member_string(found, "url"), err);
        return is_allowed ? xstrdup(json_member_string(found, "targetId")) : NULL;
    }
    error_set(err, count ? BR_TARGET_AMBIGUOUS : BR_TARGET_NOT_FOUND,
              count ? "%zu tabs are at \"%.*s\"" : "%zu free tabs are at \"%.*s\"", count,
              MAX_SHOWN_URL, wanted);
    if (count == 0) {
        hint_free(page, reply, err);
    } else {
        error_hint(err, "use more of its URL, with * for any text, or the id that `tab` with the "
                        "op list shows as `tab`");
    }
    return NULL;
}

bool page_adopt_tab(struct page *page, const char *wanted, struct br_error *err)
{
    virtual_time_leave_tab(page);
    CLEANUP_FREE char *target_id = find_target(page, wanted, err);
    struct tab *tab = tabs_find(page, target_id);
    if (tab) {
        return tabs_is_page(page, tab) || activate(page, tab, err);
    }
    if (!target_id || tabs_are_full(page, err)) {
        return false;
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

bool page_open_tab(struct page *page, struct br_error *err)
{
    virtual_time_leave_tab(page);
    if (!activate_new(page, err)) {
        return false;
    }
    apply_settings(page);
    return true;
}

bool page_activate_tab(struct page *page, int number, struct br_error *err)
{
    virtual_time_leave_tab(page);
    struct tab *tab = tabs_find_number(page, number, err);
    return tab && (tabs_is_page(page, tab) || activate(page, tab, err));
}

bool page_close_tab(struct page *page, int number, struct br_error *err)
{
    virtual_time_leave_tab(page);
    struct tab *tab =
        number ? tabs_find_number(page, number, err) : tabs_find(page, page_target_id(page));
    if (!tab) {
        return false;
    }
    if (page_count_tabs(page) == 1) {
        error_set(err, BR_INVALID_ACTION, "this is the only tab");
        return error_hint(err, "`stop` ends the session");
    }
    CLEANUP_FREE char *target_id = xstrdup(tab->target_id);
    CLEANUP_FREE char *opener_id = xstrdup(tab->opener_id);
    bool was_page = tabs_is_page(page, tab);
    tabs_forget(page, tab);
    if (was_page && !activate(page, tabs_next(page, opener_id), err)) {
        page_close_target(page, target_id); /* no other code knows it any more */
        return false;
    }
    return cdp_call(page->client, NULL, "Target.closeTarget",
                    json_pack("{s:s}", "targetId", target_id), NULL, err);
}

bool page_leave_closed_tab(struct page *page, struct br_error *err)
{
    cdp_drain(page->client);
    struct tab *tab = cdp_client_is_open(page->client) ? tabs_take_closed(page) : NULL;
    if (!tab) {
        return false;
    }
    wire_mend(page);
    int number = tab->number;
    if (!activate(page, tab, err)) {
        return false;
    }
    page_log(page, BR_LOG_WARNING, "browser", "the tab closed itself: tab %d is the page now",
             number);
    return true;
}
