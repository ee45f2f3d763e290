#include "runner/page/core/navigate.h"

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/utf8.h"
#include "runner/hints/advice.h"
#include "runner/hints/catalogue.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/call.h"
#include "runner/page/core/leave.h"
#include "runner/page/core/state.h"
#include "runner/page/core/virtual_time.h"
#include "runner/page/core/wire.h"

#include <browser_runner/event.h>
#include <stdio.h>
#include <string.h>

enum {
    IDLE_MS = 500,       /* time without requests after which the network is idle */
    LATE_EVENT_MS = 50,  /* maximum delay of the load event after loading has stopped */
    ERROR_PAGE_MS = 500, /* time limit for Chrome's error page */
    DOWNLOAD_MS = 500,   /* time limit for the event of a download that a navigation became */
    PING_MS = 250,       /* time limit for the browser to respond */
    BESIDE_MS = 500,     /* maximum delay of a navigation after a download or a new tab */
};

/* Returns how much of a URL fits into a message before the description. */
static int shown_length(const char *url)
{
    size_t length = strlen(url);
    return (int)(length <= MAX_SHOWN_URL ? length : utf8_cut(url, MAX_SHOWN_URL));
}

static bool navigation_failed(const char *url, const char *text, struct br_error *err)
{
    error_set(err, BR_NAVIGATION_FAILED, "%.*s was not reached: %s", shown_length(url), url, text);
    catalogue_explain(err, url);
    return false;
}

/* Adds advice to the error that ended a navigation's wait, such as a timeout. */
static bool explained(struct br_error *err, enum advice of_late)
{
    if (err->code == BR_TIMEOUT) {
        error_advise(err, of_late);
    }
    catalogue_explain(err, NULL);
    return false;
}

/* State of waiting for a document. */
struct arrival {
    bool was_there; /* the document arrived; a script may have navigated away since */
    struct page *page;
    const char *loader_id; /* NULL: any document */
    bool is_dom_enough;
};

static bool has_arrived(void *data)
{
    struct arrival *arrival = data;
    const struct document *document = page_document(arrival->page);
    arrival->was_there |=
        !arrival->loader_id || page_has_document(arrival->page, arrival->loader_id);
    if (!arrival->was_there) {
        return false;
    }
    return document->is_loaded || document->has_stopped ||
           (arrival->is_dom_enough && document->is_dom_loaded);
}

static bool is_loaded(void *data)
{
    struct page *page = data;
    return page_document(page)->is_loaded;
}

/* Chrome sometimes ends loading without a load event. Then document.readyState counts. */
static bool confirm_load(struct page *page, struct br_error *err)
{
    struct br_error late;
    if (cdp_wait(page->client, is_loaded, page, "the load event", deadline_in_ms(LATE_EVENT_MS),
                 &late)) {
        return true;
    }
    json_auto_t *state = NULL;
    if (!page_call_function(page, "function () { return document.readyState; }", json_object(),
                            &state, err)) {
        return false;
    }
    const char *ready = json_string_value(state);
    navigation_set_loaded(page, ready && strcmp(ready, "complete") == 0);
    if (!page_document(page)->is_loaded) {
        page_log(page, BR_LOG_WARNING, "navigation", "loading was stopped before it was complete");
    }
    return true;
}

struct quiet {
    struct page *page;
    size_t allowed;
    uint64_t since, end; /* numbers of the requests that count, with `allowed` 0 */
    bool is_wanted;      /* waiting for idleness; otherwise for its end */
};

static bool has_requests(const struct quiet *quiet)
{
    const struct network_recorder *network = &quiet->page->network;
    return quiet->allowed ? network_count_busy(network, IDLE_MS) > quiet->allowed
                          : network_oldest_busy(network, IDLE_MS, quiet->since, quiet->end) != NULL;
}

static bool is_quiet_as_wanted(void *data)
{
    const struct quiet *quiet = data;
    return has_requests(quiet) != quiet->is_wanted;
}

/* Looks again at intervals: no event reports that nothing happens. */
static bool wait_for_quiet(struct quiet *quiet, struct br_error *err)
{
    struct page *page = quiet->page;
    struct deadline end = page_deadline(page);
    quiet->is_wanted = true;
    for (;;) {
        struct deadline look = deadline_earlier(end, deadline_in_ms(IDLE_MS));
        if (cdp_wait(page->client, is_quiet_as_wanted, quiet, "the network to be idle", look,
                     err)) {
            return true;
        }
        if (err->code != BR_TIMEOUT || deadline_passed(end)) {
            return false;
        }
    }
}

/* Names the longest pending request. Returns false. */
static bool explain_busy(const struct quiet *quiet, struct br_error *err)
{
    const struct network_recorder *network = &quiet->page->network;
    const struct br_network_event *oldest =
        network_oldest_busy(network, IDLE_MS, quiet->since, quiet->end);
    size_t count = quiet->end == UINT64_MAX ? network_count_busy(network, IDLE_MS) : 1;
    if (err->code == BR_TIMEOUT && oldest) {
        CLEANUP_FREE char *late = xstrdup(err->message);
        CLEANUP_FREE char *others = xasprintf(", and %zu more", count - 1);
        error_set(err, BR_TIMEOUT, "%s: %s %.*s is under way%s", late, oldest->method,
                  shown_length(oldest->url), oldest->url, count > 1 ? others : "");
    }
    return explained(err, ADVICE_NETWORK_IDLE);
}

/* Looks after each part of the time, because a page with paused time requests nothing. */
static bool remains_quiet(const struct quiet *quiet, bool *ret_is_idle, struct br_error *err)
{
    enum { PARTS = 10 };
    bool is_quiet = true;
    for (int i = 0; i < PARTS && is_quiet; i++) {
        if (!page_pause(quiet->page, IDLE_MS / PARTS, err)) {
            return false;
        }
        is_quiet = !has_requests(quiet);
    }
    *ret_is_idle = is_quiet;
    return true;
}

bool page_wait_network_idle(struct page *page, size_t allowed, struct br_error *err)
{
    struct quiet quiet = { .page = page, .allowed = allowed, .end = UINT64_MAX };
    for (;;) {
        if (!wait_for_quiet(&quiet, err)) {
            return explain_busy(&quiet, err);
        }
        quiet.is_wanted = false;
        if (virtual_time_is_on(page)) {
            bool is_idle = false;
            if (!remains_quiet(&quiet, &is_idle, err) || is_idle) {
                return is_idle;
            }
            continue;
        }
        struct br_error undisturbed;
        struct deadline end = deadline_in_ms(IDLE_MS);
        if (!cdp_wait(page->client, is_quiet_as_wanted, &quiet, "the network to be idle", end,
                      &undisturbed)) {
            bool is_idle = undisturbed.code == BR_TIMEOUT && deadline_passed(end);
            if (!is_idle) {
                *err = undisturbed;
            }
            return is_idle;
        }
    }
}

uint64_t page_requests_begun(const struct page *page)
{
    return page->network.begun;
}

bool page_wait_requests(struct page *page, uint64_t since, uint64_t end, struct br_error *err)
{
    struct quiet quiet = { .page = page, .since = since, .end = end };
    return wait_for_quiet(&quiet, err) || explain_busy(&quiet, err);
}

/* Waits for the document and gets its status. loader_id NULL: the next document. */
static bool wait_document(struct page *page, const char *loader_id, enum page_wait_until until,
                          int *ret_status, struct br_error *err)
{
    struct arrival arrival = {
        .page = page,
        .loader_id = loader_id,
        .is_dom_enough = until == PAGE_DOM_CONTENT_LOADED,
    };
    const char *what = arrival.is_dom_enough ? "DOMContentLoaded" : "the load event";
    bool is_there = leave_wait(page, has_arrived, &arrival, what, err);
    *ret_status = network_document_status(&page->network, page_document(page)->loader_id);
    if (!is_there) {
        return explained(err, arrival.is_dom_enough ? ADVICE_DOM_CONTENT_LOADED : ADVICE_LOAD);
    }
    if (!arrival.is_dom_enough && !page_document(page)->is_loaded && !confirm_load(page, err)) {
        catalogue_explain(err, NULL);
        return false;
    }
    const char *failure = network_document_failure(&page->network, page_document(page)->loader_id);
    if (failure) {
        return navigation_failed(page_document(page)->url ? page_document(page)->url : "the page",
                                 failure, err);
    }
    if (until == PAGE_NETWORK_IDLE_0 || until == PAGE_NETWORK_IDLE_2) {
        return page_wait_network_idle(page, until == PAGE_NETWORK_IDLE_2 ? 2 : 0, err);
    }
    return true;
}

/* From now on only events of the navigation requested next count. */
static struct page_mark expect_navigation(struct page *page)
{
    cdp_drain(page->client);
    virtual_time_stand(page);
    return navigation_expect(page);
}

static bool was_answered(const struct page *page, const char *error_text, const char *loader_id)
{
    return network_is_answer(error_text) && network_document_status(&page->network, loader_id);
}

static bool has_stopped(void *data)
{
    const struct page *page = data;
    return page_document(page)->has_stopped;
}

/* Chrome replies before its error page is loaded. */
static void await_error_page(struct page *page)
{
    struct br_error none;
    cdp_wait(page->client, has_stopped, page, "the error page", deadline_in_ms(ERROR_PAGE_MS),
             &none);
}

struct download_start {
    const struct page *page;
    struct page_mark before;
};

static bool has_begun(void *data)
{
    const struct download_start *start = data;
    return page_mark(start->page).downloads != start->before.downloads;
}

static bool hint_download(const struct page *page, struct br_error *err)
{
    return error_hint(err, page->options.downloads
                               ? "it is in `downloads` of this response, or of a later one"
                               : "⟨downloads⟩ DIR saves it");
}

/* The page stays where it was. */
static bool became_download(struct page *page, struct page_mark before, const char *url,
                            struct br_error *err)
{
    struct download_start start = { .page = page, .before = before };
    struct br_error none;
    navigation_give_up(page);
    cdp_wait(page->client, has_begun, &start, "the download", deadline_in_ms(DOWNLOAD_MS), &none);
    error_set(err, BR_NAVIGATION_FAILED, "%.*s is a download, not a page", shown_length(url), url);
    return hint_download(page, err);
}

/* The page stays where it was in this case, too. */
static bool became_external(struct page *page, const char *url, struct br_error *err)
{
    navigation_give_up(page);
    error_set(err, BR_NAVIGATION_FAILED, "%.*s leads to another program, not to a page",
              shown_length(url), url);
    return error_hint(err, "a log names what it asked for: see what the server redirects to");
}

struct reply_wait {
    const struct cdp_client *client;
    int64_t id;
};

static bool has_reply(void *data)
{
    const struct reply_wait *wait = data;
    return wait->id < 0 || cdp_has_reply(wait->client, wait->id);
}

/* The reply arrives with the first response of the server. */
static bool send_navigate(struct page *page, const char *url, json_t **ret_reply,
                          struct br_error *err)
{
    static const char method[] = "Page.navigate";
    struct br_error late;
    struct reply_wait wait = { .client = page->client };
    wait.id = page_send(page, method, json_pack("{s:o}", "url", json_text(url)), err);
    bool has_come = leave_wait(page, has_reply, &wait, "the reply to Page.navigate", &late);
    /* Every sent command must be received, even if its reply does not arrive. */
    bool is_done = cdp_receive(page->client, wait.id, method, ret_reply, err);
    if (!is_done && !has_come && page_unleft_url(page)) {
        *err = late;
    }
    return is_done;
}

static bool navigate(struct page *page, const char *url, enum page_wait_until until,
                     int *ret_status, struct br_error *err)
{
    json_auto_t *reply = NULL;
    const char *loader_id = NULL;
    const char *error_text = NULL;
    *ret_status = 0;
    struct page_mark before = expect_navigation(page);
    if (!send_navigate(page, url, &reply, err)) {
        if (page_unleft_url(page)) {
            return false;
        }
        if (err->code == BR_TIMEOUT) {
            page_post(page, "Page.stopLoading", NULL);
            error_set(err, BR_TIMEOUT, "%.*s did not answer in time", shown_length(url), url);
            error_advise(err, ADVICE_SERVER);
        } else if (page_was_left(err)) {
            err->code = BR_NAVIGATION_FAILED;
        }
        catalogue_explain(err, url);
        return false;
    }
    if (!json_read(reply, "Page.navigate", err, "{s?s, s?s}", "loaderId", &loader_id, "errorText",
                   &error_text)) {
        return false;
    }
    if (json_member_bool(reply, "isDownload", false)) {
        return became_download(page, before, url, err);
    }
    if (error_text && *error_text && page_mark(page).externals != before.externals) {
        return became_external(page, url, err);
    }
    if (error_text && *error_text && !was_answered(page, error_text, loader_id)) {
        await_error_page(page);
        return navigation_failed(url, error_text, err);
    }
    if (!loader_id) {
        navigation_give_up(page);
        return true; /* the same document: only the fragment changed */
    }
    return wait_document(page, loader_id, until, ret_status, err);
}

/*
 * Returns whether what was started since `before` left the page unchanged: by a response without a
 * page, or because the page asked whether to leave it, and the answer was no.
 */
static bool has_stayed(const struct page *page, struct page_mark before, struct br_error *err)
{
    struct page_mark now = page_mark(page);
    if (now.documents != before.documents || now.fragments != before.fragments ||
        now.refusals != before.refusals) {
        return false;
    }
    if (now.downloads != before.downloads) {
        error_set(err, BR_NAVIGATION_FAILED, "it led to a download, not to a page");
        hint_download(page, err);
        return true;
    }
    if (now.externals != before.externals) {
        error_set(err, BR_NAVIGATION_FAILED, "it led to another program, not to a page");
        error_hint(err, "a log names what it asked for");
        return true;
    }
    if (now.tabs != before.tabs) {
        error_set(err, BR_NAVIGATION_FAILED, "it opened another tab: the page stays here");
        error_hint(err, "omit `waitForNavigation`, and switch to the new one with the action tab");
        return true;
    }
    if (now.keeps != before.keeps) {
        error_set(err, BR_NAVIGATION_FAILED,
                  "the page asked whether to leave it, and its dialog was dismissed: it stays");
        error_hint(err, "answer the next one with the action dialog, accept true");
        return true;
    }
    if (now.empties == before.empties) {
        return false;
    }
    error_set(err, BR_NAVIGATION_FAILED,
              "the server answered the navigation without a page (HTTP status %d)",
              page->network.document_status);
    error_hint(err, "the page stays unchanged");
    return true;
}

/* If the session's rules refused the document, the page stays where it was. */
static bool judge(struct page *page, struct page_mark before, bool is_there, struct br_error *err)
{
    bool has_come = is_there && page_mark(page).documents != before.documents &&
                    page_mark(page).expulsions == before.expulsions;
    return has_come || (!navigation_was_refused(page, before, err) && is_there);
}

bool page_navigate(struct page *page, const char *url, enum page_wait_until until, int *ret_status,
                   struct br_error *err)
{
    struct page_mark before = page_mark(page);
    leave_begin(page, url);
    bool is_there = navigate(page, url, until, ret_status, err);
    leave_end(page);
    bool is_kept = page_mark(page).keeps != before.keeps && has_stayed(page, before, err);
    return !is_kept && judge(page, before, is_there, err);
}

/* Returns whether the requested navigation has led to a document, or to none. */
static bool has_answered(void *data)
{
    const struct page *page = data;
    return !navigation_is_under_way(page);
}

/* Waits for the navigation started since `before`: to a document, or only to another fragment. */
static bool wait_outcome(struct page *page, struct page_mark before, enum page_wait_until until,
                         int *ret_status, struct br_error *err)
{
    if (!leave_wait(page, has_answered, page, "the new page to answer", err)) {
        return explained(err, ADVICE_SERVER);
    }
    return page_mark(page).documents == before.documents ||
           wait_document(page, NULL, until, ret_status, err);
}

bool page_go(struct page *page, int step, enum page_wait_until until, int *ret_status,
             struct br_error *err)
{
    json_auto_t *history = NULL;
    json_t *entries = NULL;
    int index = 0;
    int entry_id = 0;
    *ret_status = 0;
    if (!page_command(page, "Page.getNavigationHistory", NULL, &history, err) ||
        !json_read(history, "Page.getNavigationHistory", err, "{s:i, s:o}", "currentIndex", &index,
                   "entries", &entries)) {
        return false;
    }
    json_t *entry = index + step >= 0 ? json_array_get(entries, (size_t)(index + step)) : NULL;
    const char *url = json_member_string(entry, "url");
    /* The initial blank page of a tab is no page that the user has visited. */
    bool is_beginning = index + step == 0 && url && strcmp(url, "about:blank") == 0;
    if (!entry || is_beginning) {
        return error_set(err, BR_INVALID_ACTION, "there is no page to go %s to",
                         step < 0 ? "back" : "forward");
    }
    if (!json_read(entry, "Page.getNavigationHistory", err, "{s:i}", "id", &entry_id)) {
        return false;
    }
    struct page_mark before = expect_navigation(page);
    leave_begin(page, url ? url : "about:blank");
    bool is_there = page_command(page, "Page.navigateToHistoryEntry",
                                 json_pack("{s:i}", "entryId", entry_id), NULL, err) &&
                    wait_outcome(page, before, until, ret_status, err);
    leave_end(page);
    return !has_stayed(page, before, err) && judge(page, before, is_there, err);
}

bool page_reload(struct page *page, enum page_wait_until until, int *ret_status,
                 struct br_error *err)
{
    *ret_status = 0;
    struct page_mark before = expect_navigation(page);
    leave_begin(page, page_document(page)->url ? page_document(page)->url : "about:blank");
    bool is_there = page_command(page, "Page.reload", NULL, NULL, err) &&
                    wait_outcome(page, before, until, ret_status, err);
    leave_end(page);
    return !has_stayed(page, before, err) && judge(page, before, is_there, err);
}

/*
 * Does not stop between the server's response and the end of parsing: Chrome would keep an empty
 * document that is never painted.
 */
void page_stop_since(struct page *page, struct page_mark before)
{
    cdp_drain(page->client);
    const struct document *document = page_document(page);
    bool is_new = page_mark(page).documents != before.documents;
    bool is_parsed = is_new && document->is_dom_loaded && !document->is_loaded;
    const char *answered = page->network.document_id;
    bool is_answered =
        !network_awaits_document(&page->network) && answered && !page_has_document(page, answered);
    if ((navigation_is_under_way(page) && !is_answered) || is_parsed) {
        page_post(page, "Page.stopLoading", NULL);
        navigation_give_up(page);
    }
}

struct start {
    struct page *page;
    struct page_mark before;
};

static bool has_started(void *data)
{
    const struct start *start = data;
    struct page_mark now = page_mark(start->page);
    return navigation_is_under_way(start->page) || now.documents != start->before.documents ||
           now.fragments != start->before.fragments || now.refusals != start->before.refusals ||
           now.empties != start->before.empties;
}

/* Returns whether it became something else: a download, another program, or a new tab. */
static bool has_led_elsewhere(const struct start *start)
{
    struct page_mark now = page_mark(start->page);
    return now.downloads != start->before.downloads || now.externals != start->before.externals ||
           now.tabs != start->before.tabs;
}

static bool has_started_or_led_elsewhere(void *data)
{
    return has_started(data) || has_led_elsewhere(data);
}

/* Such input may also navigate the page, for example to a thank-you page. */
static bool await_start(struct start *start, struct br_error *err)
{
    struct page *page = start->page;
    struct br_error none;
    if (!cdp_wait(page->client, has_started_or_led_elsewhere, start, "a navigation",
                  page_deadline(page), err)) {
        return explained(err, ADVICE_NAVIGATION);
    }
    cdp_wait(page->client, has_started, start, "a navigation",
             deadline_earlier(page_deadline(page), deadline_in_ms(BESIDE_MS)), &none);
    return cdp_client_check(page->client, "a navigation", err) || explained(err, ADVICE_NAVIGATION);
}

bool page_settle(struct page *page, struct page_mark before, bool is_required, int *ret_status,
                 struct br_error *err)
{
    struct start start = { .page = page, .before = before };
    struct br_error none;
    *ret_status = 0;
    acting_flush(page);
    if (is_required) {
        if (!await_start(&start, err)) {
            return false;
        }
    } else {
        /* Before the browser replies, it forwards what the page has sent it so far. */
        wire_ping_browser(page, PING_MS);
        if (!has_started(&start)) {
            return cdp_client_check(page->client, "a navigation", err) ||
                   explained(err, ADVICE_NAVIGATION);
        }
    }
    if (wait_outcome(page, before, PAGE_LOAD, ret_status, &none)) {
        return !is_required || (!has_stayed(page, before, err) && judge(page, before, true, err));
    }
    if (is_required || !page_is_alive(page)) {
        *err = none;
        return false;
    }
    /* The input itself succeeded; the result of its navigation is only reported. */
    page_log(page, none.code == BR_TIMEOUT ? BR_LOG_WARNING : BR_LOG_ERROR, "navigation",
             "the navigation that followed: %s", none.message);
    return true;
}
