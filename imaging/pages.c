#include "imaging/pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void *pages_create(size_t size)
{
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

void *pages_create_whole(size_t size)
{
    void *pages = pages_create(size);
    if (pages) {
        /* A wish: small pages do as well. */
        (void)madvise(pages, size, MADV_HUGEPAGE);
    }
    return pages;
}

void pages_destroy(void *pages, size_t size)
{
    if (pages) {
        munmap(pages, size);
    }
}

void pages_discard(void *pages, size_t start, size_t end)
{
    size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
    start = (start + page_size - 1) / page_size * page_size;
    end = end / page_size * page_size;
    if (end > start) {
        (void)madvise((uint8_t *)pages + start, end - start, MADV_DONTNEED);
    }
}
