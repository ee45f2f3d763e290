#include "runner/page/element/trace.h"

#include "runner/page/core/state.h"

const struct page_trace *page_trace(const struct page *page)
{
    return &page->trace;
}
