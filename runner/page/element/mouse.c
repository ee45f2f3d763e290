#include "runner/page/element/mouse.h"

#include "runner/page/core/state.h"

struct mouse {
    struct mouse_place at, inside;
    struct page_trace trace;
};

void mouse_init(struct page *page)
{
    page->mouse = xcalloc(1, sizeof(*page->mouse));
}

void mouse_finish(struct page *page)
{
    free(TAKE(page->mouse));
}

struct mouse_place mouse_at(const struct page *page)
{
    return page->mouse->at;
}

struct mouse_place mouse_inside(const struct page *page)
{
    return page->mouse->inside;
}

void mouse_move(struct page *page, double x, double y)
{
    page->mouse->at = (struct mouse_place){ x, y };
}

void mouse_enter(struct page *page, double x, double y)
{
    page->mouse->inside = (struct mouse_place){ x, y };
}

struct page_trace *mouse_trace(struct page *page)
{
    return &page->mouse->trace;
}

const struct page_trace *page_trace(const struct page *page)
{
    return &page->mouse->trace;
}
