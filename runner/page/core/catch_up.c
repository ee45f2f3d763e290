#include "runner/page/core/catch_up.h"

#include "runner/base/json.h"
#include "runner/observe/stream.h"
#include "runner/page/core/details.h"
#include "runner/page/core/state.h"

#include <string.h>

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
