#include "runner/page/core/leave.h"

#include "runner/page/core/navigation.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

enum {
    LEAST_MS = 1000,  /* what every page is given; where that is too much, the time runs out */
    SILENT_MS = 5000, /* as long as the session gives a page that lets an action time out */
    LOOK_MS = 250,    /* between two looks at a page that is not left yet */
    PING_MS = 500,    /* for the browser to answer: else it is not the page that is stuck */
};

/* Of a page; see page_unleft_url(). */
struct leave {
    char *url;                  /* where it is to go; NULL: it is not being left */
    unsigned documents;         /* mark.documents before */
    int64_t began_ms, limit_ms; /* since when it is waited for; for how long it may be */
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

/* A page with a navigation under way cannot be ended. */
static bool end_unleft(struct page *page, struct br_error *err)
{
    int64_t silent_ms = clock_monotonic_ms() - page->leave->began_ms;
    page->leave->has_failed = true;
    page_post(page, "Page.stopLoading", NULL);
    page_crash(page);
    return error_set(err, BR_PAGE_CRASHED,
                     "the page did not let itself be left for %lld ms, and was ended: its scripts, "
                     "such as those for beforeunload, pagehide or unload, do not come to an end",
                     (long long)silent_ms);
}

/*
 * Chrome hands the page no command while a navigation is under way, so it cannot be asked. But the
 * document is asked for only after beforeunload, and taken in only after all else: when it is not
 * the server that is waited for, it is the page.
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
                   page_ping_browser(page, PING_MS) &&
                   page_mark(page).documents == leave->documents) {
            return end_unleft(page, err);
        }
    }
    return cdp_wait(page->client, is_done, data, what, end, err);
}
