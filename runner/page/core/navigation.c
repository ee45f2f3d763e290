#include "runner/page/core/navigation.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/navigation_state.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/wire.h"

#include <browser_runner/event.h>
#include <string.h>

/* A page that takes longer to load is logged. */
enum { SLOW_MS = 1000 };

struct navigation {
    struct document document;
    char *coming_url;  /* URL of the requested document; NULL: none, or not known yet */
    int64_t began_ms;  /* when the pending or present document was begun; 0: nothing loads, or
                          unknown */
    bool is_told_slow; /* slow loading was reported */
    struct page_mark mark;
    enum navigation_state state;
    struct br_error refusal; /* of the newest document refused by the rules; see mark.refusals */
};

void navigation_init(struct page *page)
{
    page->navigation = xcalloc(1, sizeof(*page->navigation));
}

static void forget_document(struct navigation *navigation)
{
    free(navigation->document.loader_id);
    free(navigation->document.url);
    navigation->document = (struct document){ 0 };
}

void navigation_finish(struct page *page)
{
    forget_document(page->navigation);
    free(page->navigation->coming_url);
    free(TAKE(page->navigation));
}

static void set_coming(struct page *page, const char *url)
{
    free(page->navigation->coming_url);
    page->navigation->coming_url = xstrdup(url);
}

static void begin_loading(struct page *page)
{
    page->navigation->began_ms = clock_monotonic_ms();
    page->navigation->is_told_slow = false;
}

/* The only place where the state changes. */
static void signal_navigation(struct page *page, enum navigation_signal signal)
{
    page->navigation->state = navigation_next(page->navigation->state, signal);
    if (!navigation_is_open(page->navigation->state)) {
        set_coming(page, NULL);
    }
}

bool page_has_document(const struct page *page, const char *loader_id)
{
    const char *present = page->navigation->document.loader_id;
    return loader_id && present && strcmp(loader_id, present) == 0;
}

static void set_document(struct page *page, const char *loader_id)
{
    if (loader_id && !page_has_document(page, loader_id)) {
        forget_document(page->navigation);
        page->navigation->document.loader_id = xstrdup(loader_id);
        page->navigation->mark.documents++;
        signal_navigation(page, NAVIGATION_IS_OVER);
    }
}

static bool is_main_frame(const struct page *page, const char *frame_id)
{
    return frame_id && page_frame_id(page) && strcmp(frame_id, page_frame_id(page)) == 0;
}

/* After slow loading was reported, reports the end of loading, too. */
static void report_loaded(struct page *page)
{
    const struct navigation *navigation = page->navigation;
    const char *url = navigation->document.url;
    if (navigation->is_told_slow) {
        page_log(page, BR_LOG_INFO, "loading", "loaded %.*s after %.1f s", MAX_SHOWN_URL, url,
                 (double)(clock_monotonic_ms() - navigation->began_ms) / 1000);
    } else {
        page_log(page, BR_LOG_DEBUG, "loading", "loaded %.*s", MAX_SHOWN_URL, url);
    }
    tell_navigation(page, BR_NAVIGATION_LOADED, url);
}

const char *navigation_loading_url(const struct page *page)
{
    const struct navigation *navigation = page->navigation;
    const struct document *document = &navigation->document;
    bool is_open = document->url && !document->is_loaded && !document->has_stopped;
    if (navigation_is_open(navigation->state)) {
        return navigation->coming_url ? navigation->coming_url
               : document->url        ? document->url
                                      : "the page";
    }
    return is_open ? document->url : NULL;
}

struct deadline navigation_tell_slow(struct page *page)
{
    struct navigation *navigation = page->navigation;
    const char *url = navigation_loading_url(page);
    if (!url || !navigation->began_ms || navigation->is_told_slow) {
        return DEADLINE_NEVER;
    }
    int64_t left_ms = navigation->began_ms + SLOW_MS - clock_monotonic_ms();
    if (left_ms > 0) {
        return deadline_in_ms(left_ms);
    }
    navigation->is_told_slow = true;
    page_log(page, BR_LOG_INFO, "loading", "still loading %.*s after a second", MAX_SHOWN_URL, url);
    tell_navigation(page, BR_NAVIGATION_SLOW, url);
    return DEADLINE_NEVER;
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
        if (is_load && !page->navigation->document.is_loaded && page->navigation->document.url &&
            !page->navigation->document.is_unreachable) {
            report_loaded(page);
        }
        page->navigation->document.is_dom_loaded |= strcmp(name, "DOMContentLoaded") == 0;
        page->navigation->document.is_painted |= strcmp(name, "firstPaint") == 0;
        page->navigation->document.is_loaded |= is_load;
        page->navigation->began_ms = is_load ? 0 : page->navigation->began_ms;
    }
}

const char *navigation_answered_url(const struct page *page)
{
    const struct document *document = &page->navigation->document;
    bool is_answered = document->is_unreachable && document->url &&
                       network_document_status(&page->network, document->loader_id) > 0;
    return is_answered ? document->url : NULL;
}

static void on_frame_navigated(struct page *page, json_t *params)
{
    const json_t *frame = json_object_get(params, "frame");
    network_leave_frame(&page->network, json_member_string(frame, "id"),
                        json_member_string(frame, "loaderId"));
    if (is_main_frame(page, json_member_string(frame, "id"))) {
        const char *type = json_member_string(params, "type");
        set_document(page, json_member_string(frame, "loaderId"));
        free(page->navigation->document.url);
        const char *unreachable = json_member_string(frame, "unreachableUrl");
        const char *url = unreachable ? unreachable : json_member_string(frame, "url");
        page->navigation->document.is_unreachable = unreachable;
        const char *fragment = json_member_string(frame, "urlFragment");
        bool has_fragment = fragment && !unreachable;
        page->navigation->document.url =
            xasprintf("%s%s", url ? url : "", has_fragment ? fragment : "");
        tell_navigation(page, BR_NAVIGATION_DONE, page->navigation->document.url);
        if (type && strcmp(type, "BackForwardCacheRestore") == 0) {
            /* A page from the back/forward cache is complete; no events report that. */
            page->navigation->document.is_dom_loaded = true;
            page->navigation->document.is_loaded = true;
        }
    }
}

static void on_navigation_asked(struct page *page, json_t *params)
{
    const char *disposition = json_member_string(params, "disposition");
    bool is_here = !disposition || strcmp(disposition, "currentTab") == 0;
    if (is_here && is_main_frame(page, json_member_string(params, "frameId"))) {
        const char *url = json_member_string(params, "url");
        if (!navigation_is_open(page->navigation->state)) {
            begin_loading(page);
        }
        signal_navigation(page, NAVIGATION_IS_ASKED_FOR);
        if (url) {
            set_coming(page, url);
        }
        page->navigation->document.has_stopped = false;
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
        free(page->navigation->document.url);
        page->navigation->document.url = xstrdup(url);
        tell_navigation(page, BR_NAVIGATION_WITHIN, url);
    }
    page->navigation->mark.fragments++;
    signal_navigation(page, is_by_script ? NAVIGATION_IS_WITHIN_BY_SCRIPT : NAVIGATION_IS_WITHIN);
}

/* Distinguishes a new document from a navigation within the present one. */
static void on_navigation_started(struct page *page, json_t *params)
{
    const char *type = json_member_string(params, "navigationType");
    if (type && is_main_frame(page, json_member_string(params, "frameId"))) {
        bool is_within =
            strcmp(type, "sameDocument") == 0 || strcmp(type, "historySameDocument") == 0;
        const char *url = json_member_string(params, "url");
        signal_navigation(page, is_within ? NAVIGATION_BEGINS_WITHIN : NAVIGATION_BEGINS);
        if (!is_within && url) {
            set_coming(page, url);
            begin_loading(page);
            page_log(page, BR_LOG_DEBUG, "loading", "loading %.*s", MAX_SHOWN_URL, url);
            tell_navigation(page, BR_NAVIGATION_BEGUN, url);
        }
    }
}

static void on_frame_stopped(struct page *page, json_t *params)
{
    if (is_main_frame(page, json_member_string(params, "frameId"))) {
        page->navigation->document.has_stopped = true;
        page->navigation->began_ms = 0;
        signal_navigation(page, NAVIGATION_IS_OVER);
    }
}

const char *page_url(const struct page *page)
{
    return page->navigation->document.url;
}

bool page_has_been_nowhere(const struct page *page)
{
    /* The initial document of a tab is not reported by events. */
    return !page->navigation->document.url;
}

struct page_mark page_mark(const struct page *page)
{
    return page->navigation->mark;
}

const struct document *page_document(const struct page *page)
{
    return &page->navigation->document;
}

bool navigation_is_under_way(const struct page *page)
{
    return navigation_is_open(page->navigation->state);
}

struct page_mark navigation_expect(struct page *page)
{
    signal_navigation(page, NAVIGATION_IS_WANTED);
    set_coming(page, NULL);
    page->navigation->document.has_stopped = false;
    return page->navigation->mark;
}

void navigation_give_up(struct page *page)
{
    signal_navigation(page, NAVIGATION_IS_GIVEN_UP);
}

void navigation_enter_tab(struct page *page)
{
    forget_document(page->navigation);
    page->navigation->mark.documents++;
    signal_navigation(page, NAVIGATION_IS_OVER);
}

void navigation_find_document(struct page *page, const json_t *frame, const char *ready)
{
    struct document *document = &page->navigation->document;
    const char *url = json_member_string(frame, "url");
    const char *fragment = json_member_string(frame, "urlFragment");
    bool is_loaded = ready && strcmp(ready, "complete") == 0;
    forget_document(page->navigation);
    *document = (struct document){
        .loader_id = xstrdup(json_member_string(frame, "loaderId")),
        .url = xasprintf("%s%s", url ? url : "", fragment ? fragment : ""),
        .is_loaded = is_loaded,
        .is_dom_loaded = ready && strcmp(ready, "loading") != 0,
        .has_stopped = is_loaded,
    };
}

void navigation_set_loaded(struct page *page, bool is_loaded)
{
    page->navigation->document.is_loaded = is_loaded;
}

void navigation_set_painted(struct page *page)
{
    page->navigation->document.is_painted = true;
}

void navigation_count(struct page *page, enum navigation_news news)
{
    struct page_mark *mark = &page->navigation->mark;
    unsigned *const counts[] = {
        [NAVIGATION_NOTICE] = &mark->notices,     [NAVIGATION_DOWNLOAD] = &mark->downloads,
        [NAVIGATION_EXTERNAL] = &mark->externals, [NAVIGATION_TAB] = &mark->tabs,
        [NAVIGATION_KEEP] = &mark->keeps,         [NAVIGATION_EMPTY] = &mark->empties,
    };
    ++*counts[news];
}

void navigation_refuse(struct page *page, const struct br_error *why)
{
    page->navigation->refusal = *why;
    page->navigation->mark.refusals++;
}

void navigation_expel(struct page *page, const struct br_error *why)
{
    navigation_refuse(page, why);
    page->navigation->mark.expulsions++;
}

bool navigation_was_refused(const struct page *page, struct page_mark before, struct br_error *err)
{
    if (page->navigation->mark.refusals == before.refusals) {
        return false;
    }
    *err = page->navigation->refusal;
    return true;
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
