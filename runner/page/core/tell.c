#include "runner/page/core/tell.h"

#include "runner/base/cut.h"
#include "runner/base/json.h"
#include "runner/observe/stream.h"
#include "runner/page/core/details.h"
#include "runner/page/core/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    FIRST_TOLD_MS = 500, /* time after which a wait is first reported */
    NEXT_TOLD_MS = 2000,
};

/* State of reporting long waits; see tell.h. */
struct waiting {
    char subject[512]; /* "": the name of the wait */
    struct deadline due;
};

void tell_init(struct page *page)
{
    page->waiting = xcalloc(1, sizeof(*page->waiting));
    page->waiting->due = deadline_in_ms(FIRST_TOLD_MS);
}

void tell_finish(struct page *page)
{
    free(TAKE(page->waiting));
}

void tell_navigation(const struct page *page, int step, const char *url)
{
    if (stream_wants(page->options.stream, BR_EVENT_NAVIGATION)) {
        struct br_event *event = event_create(BR_EVENT_NAVIGATION);
        event->as.navigation.step = step;
        event->as.navigation.url = cut_text(url ? url : "", CUT_URL);
        stream_emit(page->options.stream, event, 0);
    }
}

void tell_dialog(const struct page *page, const char *type, const char *message, bool is_accepted)
{
    if (stream_wants(page->options.stream, BR_EVENT_DIALOG)) {
        struct br_event *event = event_create(BR_EVENT_DIALOG);
        event->as.dialog.type = xstrdup(type ? type : "");
        event->as.dialog.message = xstrdup(message ? message : "");
        event->as.dialog.is_accepted = is_accepted;
        stream_emit(page->options.stream, event, 0);
    }
}

void tell_download(const struct page *page, const json_t *download)
{
    if (stream_wants(page->options.stream, BR_EVENT_DOWNLOAD)) {
        struct br_event *event = event_create(BR_EVENT_DOWNLOAD);
        event->as.download = (struct br_download){
            .url = xstrdup(json_member_string(download, "url")),
            .file = xstrdup(json_member_string(download, "file")),
            .suggested_name = xstrdup(json_member_string(download, "suggestedName")),
            .state = xstrdup(json_member_string(download, "state")),
            .bytes = (int64_t)json_member_number(download, "bytes", 0),
        };
        stream_emit(page->options.stream, event, 0);
    }
}

void tell_tab(const struct page *page, int step, int number, const char *target_id)
{
    if (stream_wants(page->options.stream, BR_EVENT_TAB)) {
        struct br_event *event = event_create(BR_EVENT_TAB);
        event->as.tab.step = step;
        event->as.tab.number = number;
        event->as.tab.id = xstrdup(target_id);
        stream_emit(page->options.stream, event, 0);
    }
}

void tell_waits_for(struct page *page, const char *format, ...)
{
    va_list args;
    page->waiting->subject[0] = '\0';
    if (format && stream_wants(page->options.stream, BR_EVENT_PROGRESS)) {
        va_start(args, format);
        vsnprintf(page->waiting->subject, sizeof(page->waiting->subject), format, args);
        va_end(args);
    }
}

void tell_begin(struct page *page)
{
    tell_waits_for(page, NULL);
    page->waiting->due = deadline_in_ms(FIRST_TOLD_MS);
}

/* Waits for replies are named after the command. */
static char *name_of(const struct page *page, const char *what)
{
    bool is_command = strchr(what, '.') && !strchr(what, ' ');
    return page->waiting->subject[0] ? xstrdup(page->waiting->subject)
           : is_command              ? xasprintf("the reply to %s", what)
                                     : xstrdup(what);
}

struct deadline tell_waiting(struct page *page, const char *what)
{
    if (!stream_wants(page->options.stream, BR_EVENT_PROGRESS)) {
        return DEADLINE_NEVER;
    }
    if (deadline_passed(page->waiting->due)) {
        struct br_event *event = event_create(BR_EVENT_PROGRESS);
        event->as.progress.what = BR_PROGRESS_WAITING;
        event->as.progress.text = name_of(page, what);
        page->waiting->due = deadline_in_ms(NEXT_TOLD_MS);
        stream_emit(page->options.stream, event, 0);
    }
    return page->waiting->due;
}

struct deadline page_tend(struct page *page)
{
    struct deadline due = page_tend_details(page);
    bool has_more = cdp_client_has_more(page->client);
    return page->options.stream ? deadline_earlier(due, stream_run(page->options.stream, has_more))
                                : due;
}

void page_catch_up(struct page *page)
{
    cdp_drain(page->client);
    page_tend(page);
    size_t dropped = cdp_client_take_dropped(page->client);
    if (dropped) {
        stream_drop(page->options.stream, dropped);
        page_log(page, BR_LOG_WARNING, "browser",
                 "%zu events of the page were lost: it sent too many", dropped);
    }
}
