/* Large memory: it comes in few large pages, where there are such, in a fraction of the time. */
#ifndef IMAGING_PAGES_H
#define IMAGING_PAGES_H

#include <stddef.h>

/*
 * Memory that will be written from end to end; what is in it before is undefined. NULL when there
 * is none. Caller frees with free().
 */
void *pages_create(size_t size);

#endif
