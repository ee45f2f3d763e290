#include "imaging/pages.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Size of a huge page; smaller allocations do not use one. */
#define LARGE_PAGE ((size_t)2 * 1024 * 1024)

void *pages_create(size_t size)
{
    if (size < LARGE_PAGE) {
        return malloc(size);
    }
    size_t rounded = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *pages = aligned_alloc(LARGE_PAGE, rounded);
    if (pages) {
        /* Only a hint: normal pages work as well. */
        (void)madvise(pages, rounded, MADV_HUGEPAGE);
    }
    return pages;
}
