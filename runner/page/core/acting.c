#include "runner/page/core/acting.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

enum { FLUSH_MS = 250 /* time limit for a page to run its queued tasks */ };

void page_act(struct page *page)
{
    page->has_acted |= page_is_alive(page);
    page->is_flushed = false;
    page->acted_at_ms = clock_monotonic_ms();
}

int64_t page_acted_at_ms(const struct page *page)
{
    return page->acted_at_ms;
}

bool page_has_acted(const struct page *page)
{
    return page->has_acted;
}

int64_t page_send_flush(struct page *page)
{
    struct br_error ignored;
    return frame_send_call(page, frame_main(page), script_flush, NULL, &ignored);
}

void page_receive_flush(struct page *page, int64_t id)
{
    struct br_error ignored;
    json_auto_t *value = NULL;
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_earlier(before, deadline_in_ms(FLUSH_MS)));
    frame_receive_call(page, frame_main(page), id, &value, &ignored);
    page_set_deadline(page, before);
    page->is_flushed = true;
}

static void flush(struct page *page)
{
    page_receive_flush(page, page_send_flush(page));
}

bool acting_is_loading(struct page *page)
{
    flush(page);
    return page->network.request_count > 0;
}

void acting_flush(struct page *page)
{
    if (!page_is_flushed(page)) {
        flush(page);
    }
}

bool page_is_flushed(const struct page *page)
{
    return page->is_flushed;
}

void page_note_flushed(struct page *page)
{
    page->is_flushed = true;
}

void page_forget_acts(struct page *page)
{
    page->has_acted = false;
}
