#include "runner/page/picture/look.h"

#include "runner/base/response.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/wire.h"
#include "runner/page/picture/request.h"

#include <string.h>

/* A picture that may be used again; see page_keep_look(). */
struct look {
    struct br_capture capture; /* `bytes` NULL: none */
    struct page_capture options;
    struct page_mark mark;
    int64_t came_at_ms;     /* on the monotonic clock */
    int64_t captured_at_ms; /* when Chrome last delivered any picture, on the monotonic clock */
};

void look_init(struct page *page)
{
    page->look = xcalloc(1, sizeof(*page->look));
}

void look_finish(struct page *page)
{
    page_forget_look(page);
    free(TAKE(page->look));
}

void look_note_capture(struct page *page)
{
    page->look->captured_at_ms = clock_monotonic_ms();
}

static bool is_same_way(const struct page_capture *a, const struct page_capture *b)
{
    return a->format == b->format && a->quality == b->quality &&
           a->limits.max_edge == b->limits.max_edge && a->limits.max_pixels == b->limits.max_pixels;
}

static bool is_of_viewport(const struct page_capture *options)
{
    return !options->is_full_page && !options->target && !options->clip;
}

static bool is_same_mark(struct page_mark a, struct page_mark b)
{
    return a.documents == b.documents && a.fragments == b.fragments && a.notices == b.notices;
}

static struct br_capture copy_capture(const struct br_capture *capture)
{
    struct br_capture copy = *capture;
    copy.bytes = xmalloc(capture->size);
    memcpy(copy.bytes, capture->bytes, capture->size);
    return copy;
}

void page_keep_look(struct page *page, const struct page_capture *options,
                    const struct br_capture *capture)
{
    page_forget_look(page);
    if (is_of_viewport(options)) {
        *page->look = (struct look){
            .capture = copy_capture(capture),
            .options = *options,
            .mark = page_mark(page),
            .came_at_ms = page->look->captured_at_ms,
            .captured_at_ms = page->look->captured_at_ms,
        };
    }
}

bool page_take_look(struct page *page, const struct page_capture *options,
                    struct br_capture *ret_capture)
{
    struct look *look = page->look;
    page_catch_up(page);
    if (!look->capture.bytes || !is_of_viewport(options) || !is_same_way(&look->options, options) ||
        !is_same_mark(look->mark, page_mark(page)) || navigation_is_under_way(page) ||
        !page_is_alive(page) || clock_monotonic_ms() - look->came_at_ms > PAGE_LOOK_MS) {
        return false;
    }
    *ret_capture = look->capture;
    look->capture = (struct br_capture){ 0 };
    return true;
}

void page_forget_look(struct page *page)
{
    capture_finish(&page->look->capture);
}
