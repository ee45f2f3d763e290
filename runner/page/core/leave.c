#include "runner/page/core/leave.h"

#include "runner/page/core/navigation.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

enum {
    LEAST_MS = 1000,  /* minimum for every page; a shorter deadline expires first */
    SILENT_MS = 5000, /* the session's limit for a page that lets an action time out */
    LOOK_MS = 250,    /* interval for checking a page that was not left yet */
    PING_MS = 500,    /* time limit for the browser to respond: otherwise the page is not the
                         cause */
};

/* State of leaving a page; see page_unleft_url(). */
struct leave {
    char *url;                  /* the destination; NULL: it is not being left */
    unsigned documents;         /* mark.documents at the begin */
    int64_t began_ms, limit_ms; /* start of the wait; its limit */
    bool has_failed;
};

void leave_init(struct page *page)
{
    page->leave = xcalloc(1, sizeof(*page->leave));
}

void leave_finish(struct page *page)
{
    free(page->leave->url);
    free(TAKE(page->leave));
}

void leave_begin(struct page *page, const char *url)
{
    int64_t half_ms = deadline_left_ms(page_deadline(page)) / 2;
    bool is_watched = half_ms >= LEAST_MS && !page_has_been_nowhere(page);
    free(page->leave->url);
    *page->leave = (struct leave){
        .url = is_watched ? xstrdup(url) : NULL,
        .documents = page_mark(page).documents,
        .began_ms = clock_monotonic_ms(),
        .limit_ms = half_ms < SILENT_MS ? half_ms : SILENT_MS,
    };
}

void leave_end(struct page *page)
{
    if (!page->leave->has_failed) {
        free(TAKE(page->leave->url));
    }
}

const char *page_unleft_url(const struct page *page)
{
    return page->leave->has_failed ? page->leave->url : NULL;
}

/* A page cannot be killed during a navigation: stops that first. */
static bool end_unleft(struct page *page, struct br_error *err)
{
    int64_t silent_ms = clock_monotonic_ms() - page->leave->began_ms;
    page->leave->has_failed = true;
    page_post(page, "Page.stopLoading", NULL);
    page_crash(page);
    return error_set(err, BR_PAGE_CRASHED,
                     "the page could not be left for %lld ms, and was killed: its scripts, such as "
                     "those for beforeunload, pagehide or unload, do not end",
                     (long long)silent_ms);
}

/*
 * Chrome sends the page no command during a navigation, so it cannot be asked. But the document is
 * requested only after beforeunload, and committed only after all other scripts: if the server is
 * not the cause, the page is.
 */
bool leave_wait(struct page *page, bool (*is_done)(void *data), void *data, const char *what,
                struct br_error *err)
{
    struct deadline end = page_deadline(page);
    struct leave *leave = page->leave;
    while (leave->url && page_mark(page).documents == leave->documents) {
        if (cdp_wait(page->client, is_done, data, what, deadline_in_ms(LOOK_MS), err)) {
            return true;
        }
        if (err->code != BR_TIMEOUT || deadline_passed(end)) {
            return false;
        }
        if (network_awaits_document(&page->network)) {
            leave->began_ms = clock_monotonic_ms();
        } else if (clock_monotonic_ms() - leave->began_ms >= leave->limit_ms &&
                   wire_ping_browser(page, PING_MS) &&
                   page_mark(page).documents == leave->documents) {
            return end_unleft(page, err);
        }
    }
    return cdp_wait(page->client, is_done, data, what, end, err);
}
