#include "runner/page/core/navigation.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tell.h"

#include <browser_runner/event.h>
#include <string.h>

bool page_has_document(const struct page *page, const char *loader_id)
{
    const char *present = page->document.loader_id;
    return loader_id && present && strcmp(loader_id, present) == 0;
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

const char *page_url(const struct page *page)
{
    return page->document.url;
}

bool page_has_been_nowhere(const struct page *page)
{
    /* The tab's own beginning is no navigation that events tell of. */
    return !page->document.url;
}

struct page_mark page_mark(const struct page *page)
{
    return page->mark;
}

bool navigation_on_event(struct page *page, const char *method, json_t *params)
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
        { "Page.navigatedWithinDocument", on_same_document },
        { "Page.frameStoppedLoading", on_frame_stopped },
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(method, table[i].method) == 0) {
            table[i].apply(page, params);
            return true;
        }
    }
    return false;
}
