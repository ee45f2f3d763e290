#include "runner/page/core/tabs.h"

#include "runner/base/cut.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/policy.h"
#include "runner/cdp/targets.h"
#include "runner/observe/stream.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/options.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/wire.h"

#include <browser_runner/event.h>
#include <string.h>

enum {
    MAX_TABS = 100,
    LIST_MS = 1000, /* time limit for Chrome to list its tabs */
};

struct tabs {
    struct tab *list; /* of the session, ordered by number */
    size_t count, capacity;
    int last_number;
    bool was_closed;        /* the page's tab was closed, by itself or by the user */
    bool was_adopted;       /* that tab was adopted */
    char *closed_opener_id; /* target of the opener of that tab; NULL: none */
    bool is_behind;         /* another tab was opened in front of the page */
    char *opening_url;      /* of the last window.open(); NULL: its tab is known */
    bool is_attaching, is_listing;
    json_t *attached; /* object: see tabs_note_attached() */
};

void tabs_init(struct page *page)
{
    page->tabs = xcalloc(1, sizeof(*page->tabs));
    page->tabs->attached = json_object();
}

static struct tab *find_by_session(const struct page *page, const char *session_id)
{
    for (size_t i = 0; session_id && i < page->tabs->count; i++) {
        if (strcmp(page->tabs->list[i].session_id, session_id) == 0) {
            return &page->tabs->list[i];
        }
    }
    return NULL;
}

struct tab *tabs_find(const struct page *page, const char *target_id)
{
    for (size_t i = 0; target_id && i < page->tabs->count; i++) {
        if (strcmp(page->tabs->list[i].target_id, target_id) == 0) {
            return &page->tabs->list[i];
        }
    }
    return NULL;
}

bool tabs_is_page(const struct page *page, const struct tab *tab)
{
    return page_target_id(page) && strcmp(page_target_id(page), tab->target_id) == 0;
}

bool tabs_has_target(const struct page *page, const char *target_id)
{
    return tabs_find(page, target_id);
}

bool tabs_has_session(const struct page *page, const char *session_id)
{
    const struct tab *tab = find_by_session(page, session_id);
    return tab && !tabs_is_page(page, tab);
}

bool tabs_is_whole(const struct page *page)
{
    const struct tab *tab = tabs_find(page, page_target_id(page));
    return tab && tab->is_whole;
}

void tabs_set_whole(struct page *page)
{
    struct tab *tab = tabs_find(page, page_target_id(page));
    if (tab) {
        tab->is_whole = true;
    }
}

void tabs_forget(struct page *page, struct tab *tab)
{
    size_t index = (size_t)(tab - page->tabs->list);
    targets_release(page->options.targets, tab->target_id, page);
    tell_tab(page, BR_TAB_CLOSED, tab->number, tab->target_id);
    free(tab->target_id);
    free(tab->session_id);
    free(tab->opener_id);
    memmove(tab, tab + 1, (--page->tabs->count - index) * sizeof(*tab));
}

/* Closes a tab, or detaches from an adopted one; does not wait. */
static void leave(struct page *page, const struct tab *tab)
{
    if (!tab->is_adopted && !tab->stays) {
        page_close_target(page, tab->target_id);
        return;
    }
    cdp_post(page->client, NULL, "Target.detachFromTarget",
             json_pack("{s:s}", "sessionId", tab->session_id));
}

void tabs_finish(struct page *page)
{
    while (page->tabs->count) {
        if (cdp_client_is_open(page->client)) {
            leave(page, &page->tabs->list[0]);
        }
        tabs_forget(page, &page->tabs->list[0]);
    }
    free(page->tabs->list);
    free(page->tabs->closed_opener_id);
    free(page->tabs->opening_url);
    json_decref(page->tabs->attached);
    free(TAKE(page->tabs));
}

struct tab *tabs_add(struct page *page, const char *target_id, const char *session_id)
{
    page->tabs->list = array_reserve(page->tabs->list, page->tabs->count, &page->tabs->capacity,
                                     sizeof(*page->tabs->list));
    struct tab *tab = &page->tabs->list[page->tabs->count++];
    *tab = (struct tab){
        .number = ++page->tabs->last_number,
        .target_id = xstrdup(target_id),
        .session_id = xstrdup(session_id),
    };
    cdp_client_adopt(page->client, session_id);
    tell_tab(page, BR_TAB_OPENED, tab->number, tab->target_id);
    return tab;
}

static bool is_blank(const char *url)
{
    return !url || !*url || strcmp(url, "about:blank") == 0;
}

void tabs_note_opening(struct page *page, const char *url)
{
    free(page->tabs->opening_url);
    page->tabs->opening_url = url && *url ? xstrdup(url) : NULL;
}

bool tabs_add_opened(struct page *page, const char *target_id, const char *session_id,
                     const char *opener_id, const char *url)
{
    if (page->tabs->count >= MAX_TABS) {
        page_log(page, BR_LOG_WARNING, "browser", "the page opened more than %d tabs: it is closed",
                 MAX_TABS);
        page_close_target(page, target_id);
        targets_release(page->options.targets, target_id, page);
        return false;
    }
    struct tab *tab = tabs_add(page, target_id, session_id);
    const struct tab *opener = tabs_find(page, opener_id);
    tab->stays = opener && (opener->is_adopted || opener->stays);
    tab->opener_id = xstrdup(opener_id);
    tab->has_gone = !is_blank(url);
    page->tabs->is_behind = true;
    const char *shown = is_blank(url) ? page->tabs->opening_url : url;
    page_log(page, BR_LOG_INFO, "browser", "the page opened tab %d%s%s", tab->number,
             shown ? ": " : "", shown ? shown : "");
    free(TAKE(page->tabs->opening_url));
    return true;
}

int tabs_number_of(const struct page *page, const char *session_id)
{
    const struct tab *tab = find_by_session(page, session_id);
    return tab && !tabs_is_page(page, tab) ? tab->number : 0;
}

bool tabs_are_heard(const struct page *page)
{
    return stream_wants_tabs(page->options.stream);
}

bool tabs_are_held(const struct page *page)
{
    /* Tabs of a browser that was not launched here must not depend on this program. */
    return policy_judges_urls(page->options.policy) || page->options.has_virtual_time ||
           (tabs_are_heard(page) && !page->options.is_foreign);
}

static void report_url(const struct page *page, const struct tab *tab, const char *url)
{
    stream_set_tab(page->options.stream, tab->number);
    tell_navigation(page, BR_NAVIGATION_DONE, url);
    stream_set_tab(page->options.stream, 0);
}

void tabs_hear(struct page *page, struct tab *tab, const char *url)
{
    if (tab->is_heard || tab->is_enabled) {
        return;
    }
    tab->is_heard = true;
    bool is_held = targets_are_held(page->options.targets);
    if (url && *url) {
        report_url(page, tab, url);
    } else if (is_held) { /* otherwise it may already have navigated */
        report_url(page, tab, "about:blank");
    }
    cdp_post(page->client, tab->session_id, "Runtime.enable", NULL);
    cdp_post(page->client, tab->session_id, "Target.setAutoAttach", frames_auto_attach(page));
}

void page_hear_tabs(struct page *page)
{
    size_t index;
    json_t *tab;
    struct br_error ignored;
    json_auto_t *tabs = NULL;
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_in_ms(LIST_MS));
    tabs = page->tabs->count > 1 ? page_list_tabs(page, false, &ignored) : NULL;
    json_array_foreach (tabs, index, tab) {
        int number = (int)json_member_number(tab, "id", 0);
        struct tab *open = tabs_find_number(page, number, &ignored);
        if (open && !tabs_is_page(page, open)) {
            tabs_hear(page, open, json_member_string(tab, "url"));
        }
    }
    page_set_deadline(page, before);
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
    const json_t *frame = json_object_get(params, "frame");
    if (tab && frame && strcmp(method, "Page.frameNavigated") == 0 &&
        !json_object_get(frame, "parentId") && tabs_are_heard(page)) {
        report_url(page, tab, json_member_string(frame, "url"));
    }
}

void tabs_close_blank(struct page *page)
{
    /* A page may have written into it. */
    static const char source[] = "location.href === 'about:blank' && "
                                 "!document.body?.hasChildNodes() && window.close()";
    for (size_t i = 0; i < page->tabs->count; i++) {
        const struct tab *tab = &page->tabs->list[i];
        bool is_opened = tab->opener_id && strcmp(tab->opener_id, page_target_id(page)) == 0;
        if (is_opened && !tab->has_gone && !tabs_is_page(page, tab)) {
            cdp_post(page->client, tab->session_id, "Runtime.evaluate",
                     json_pack("{s:s}", "expression", source));
        }
    }
}

bool tabs_on_detached(struct page *page, const char *session_id)
{
    struct tab *tab = find_by_session(page, session_id);
    bool was_page = tab && tabs_is_page(page, tab);
    if (was_page) {
        page->tabs->was_closed = true;
        page->tabs->was_adopted = tab->is_adopted;
        free(page->tabs->closed_opener_id);
        page->tabs->closed_opener_id = xstrdup(tab->opener_id);
    }
    if (tab) {
        tabs_forget(page, tab);
    }
    return was_page;
}

bool page_is_adopted(const struct page *page)
{
    const struct tab *tab = tabs_find(page, page_target_id(page));
    return tab && tab->is_adopted;
}

bool page_has_lost_adopted(const struct page *page)
{
    return page->tabs->was_closed && page->tabs->was_adopted;
}

bool tabs_have_ended(const struct page *page)
{
    return page->tabs->was_closed && page->tabs->count == 0;
}

size_t page_count_tabs(const struct page *page)
{
    return page->tabs->count;
}

bool tabs_may_adopt(const struct page *page, const json_t *target)
{
    const char *type = json_member_string(target, "type");
    const char *target_id = json_member_string(target, "targetId");
    if (!type || strcmp(type, "page") != 0 || !target_id || !json_member_string(target, "url")) {
        return false;
    }
    const void *owner =
        targets_owner(page->options.targets, target_id, json_member_string(target, "openerId"));
    return !owner || owner == page;
}

/*
 * Returns whether it is a tab of a browser not launched here that this session may adopt; its own
 * tabs are listed separately.
 */
static bool is_free(const struct page *page, const json_t *target)
{
    struct br_error ignored;
    return page->options.is_foreign && tabs_may_adopt(page, target) &&
           !tabs_has_target(page, json_member_string(target, "targetId")) &&
           page_is_in_context(page, target) &&
           policy_check_url(page->options.policy, json_member_string(target, "url"), &ignored);
}

void tabs_list_free(const struct page *page, const json_t *targets, json_t *list)
{
    size_t index;
    json_t *target;
    json_array_foreach (json_object_get(targets, "targetInfos"), index, target) {
        if (is_free(page, target)) {
            CLEANUP_FREE char *url = cut_text(json_member_string(target, "url"), CUT_URL);
            CLEANUP_FREE char *title = cut_text(json_member_string(target, "title"), CUT_TITLE);
            json_array_append_new(list, json_pack("{s:s, s:s*, s:s*, s:b}", "tab",
                                                  json_member_string(target, "targetId"), "url",
                                                  url, "title", title, "active", 0));
        }
    }
}

/*
 * Omits the title of a page that the rules refuse. While such a page is being left Chrome reports
 * its title without its URL. Caller frees.
 */
static char *title_of(const struct page *page, const json_t *target)
{
    struct br_error ignored;
    const char *url = json_member_string(target, "url");
    bool is_refused = policy_judges_urls(page->options.policy) &&
                      (!url || !*url || !policy_check_url(page->options.policy, url, &ignored));
    return is_refused ? NULL : cut_text(json_member_string(target, "title"), CUT_TITLE);
}

json_t *page_list_tabs(struct page *page, bool has_free, struct br_error *err)
{
    json_auto_t *reply = NULL;
    json_t *list = json_array();
    size_t index;
    json_t *info;
    if (!cdp_call(page->client, NULL, "Target.getTargets", NULL, &reply, err)) {
        json_decref(list);
        return NULL;
    }
    for (size_t i = 0; i < page->tabs->count; i++) {
        const struct tab *tab = &page->tabs->list[i];
        json_array_foreach (json_object_get(reply, "targetInfos"), index, info) {
            const char *target_id = json_member_string(info, "targetId");
            if (target_id && strcmp(target_id, tab->target_id) == 0) {
                CLEANUP_FREE char *url = cut_text(json_member_string(info, "url"), CUT_URL);
                CLEANUP_FREE char *title = title_of(page, info);
                json_array_append_new(list, json_pack("{s:i, s:s*, s:s*, s:b}", "id", tab->number,
                                                      "url", url, "title", title, "active",
                                                      tabs_is_page(page, tab)));
            }
        }
    }
    if (has_free) {
        tabs_list_free(page, reply, list);
    }
    return list;
}

bool tabs_are_full(const struct page *page, struct br_error *err)
{
    return page->tabs->count >= MAX_TABS &&
           !error_set(err, BR_INVALID_ACTION, "%d tabs are open already", MAX_TABS);
}

struct tab *tabs_find_number(struct page *page, int number, struct br_error *err)
{
    for (size_t i = 0; i < page->tabs->count; i++) {
        if (page->tabs->list[i].number == number) {
            return &page->tabs->list[i];
        }
    }
    error_set(err, BR_TARGET_NOT_FOUND, "there is no tab %d", number);
    error_hint(err, "`tab` with the op list shows the open ones");
    return NULL;
}

void tabs_set_attaching(struct page *page, bool is_attaching)
{
    page->tabs->is_attaching = is_attaching;
    if (is_attaching) {
        json_object_clear(page->tabs->attached);
    }
}

bool tabs_is_attaching(const struct page *page)
{
    return page->tabs->is_attaching;
}

void tabs_note_attached(struct page *page, const char *target_id, const char *session_id,
                        const char *context_id)
{
    json_object_set_new(page->tabs->attached, target_id,
                        json_pack("{s:s, s:s*}", "sessionId", session_id, "contextId", context_id));
}

json_t *tabs_take_attached(struct page *page, const char *target_id)
{
    json_t *attached = json_incref(json_object_get(page->tabs->attached, target_id));
    json_object_clear(page->tabs->attached);
    return attached;
}

void tabs_set_listing(struct page *page, bool is_listing)
{
    page->tabs->is_listing = is_listing;
}

bool tabs_is_listing(const struct page *page)
{
    return page->tabs->is_listing;
}

bool tabs_is_behind(const struct page *page)
{
    return page->tabs->is_behind;
}

void tabs_note_front(struct page *page)
{
    page->tabs->is_behind = false;
}

struct tab *tabs_next(struct page *page, const char *opener_id)
{
    struct tab *opener = tabs_find(page, opener_id);
    return opener ? opener : &page->tabs->list[page->tabs->count - 1];
}

struct tab *tabs_take_closed(struct page *page)
{
    if (!page->tabs->was_closed || !page->tabs->count) {
        return NULL;
    }
    CLEANUP_FREE char *opener_id = TAKE(page->tabs->closed_opener_id);
    page->tabs->was_closed = false;
    return tabs_next(page, opener_id);
}
