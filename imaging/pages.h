/* Allocates large memory, in huge pages where available, which is several times faster. */
#ifndef IMAGING_PAGES_H
#define IMAGING_PAGES_H

#include <stddef.h>

/*
 * Allocates memory that will be overwritten entirely; its content is undefined. NULL if there is
 * none. Caller frees with free().
 */
void *pages_create(size_t size);

#endif
