#include "imaging/pages.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Of a large page; less than that is not worth one. */
#define LARGE_PAGE ((size_t)2 * 1024 * 1024)

void *pages_create(size_t size)
{
    if (size < LARGE_PAGE) {
        return malloc(size);
    }
    size_t rounded = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *pages = aligned_alloc(LARGE_PAGE, rounded);
    if (pages) {
        /* A wish: small pages do as well. */
        (void)madvise(pages, rounded, MADV_HUGEPAGE);
    }
    return pages;
}
