/*
 * Large memory straight from the system: pages cost nothing before they are touched, come zeroed,
 * and can be given back one by one.
 */
#ifndef IMAGING_PAGES_H
#define IMAGING_PAGES_H

#include <stddef.h>

/* NULL when there is no memory. The caller destroys it, with the same size. */
void *pages_create(size_t size);

/* As above for memory that will be touched from end to end: few large pages, where there are. */
void *pages_create_whole(size_t size);

void pages_destroy(void *pages, size_t size);

/* Gives back what lies between two offsets, apart from pages that do so only in part. */
void pages_discard(void *pages, size_t start, size_t end);

#endif
