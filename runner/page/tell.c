#include "runner/page/tell.h"

#include "runner/base/cut.h"
#include "runner/base/json.h"
#include "runner/base/stream.h"
#include "runner/page/state.h"

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

void tell_tab(const struct page *page, int step, int number)
{
    if (stream_wants(page->options.stream, BR_EVENT_TAB)) {
        struct br_event *event = event_create(BR_EVENT_TAB);
        event->as.tab.step = step;
        event->as.tab.number = number;
        stream_emit(page->options.stream, event, 0);
    }
}

void tell_progress(const struct page *page, int what, const char *text)
{
    if (stream_wants(page->options.stream, BR_EVENT_PROGRESS)) {
        struct br_event *event = event_create(BR_EVENT_PROGRESS);
        event->as.progress.what = what;
        event->as.progress.text = xstrdup(text);
        stream_emit(page->options.stream, event, 0);
    }
}
