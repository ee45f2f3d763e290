/* Finds places in texts: "url:line:column", as V8 and SpiderMonkey write them into stacks. */
#ifndef RUNNER_OBSERVE_PLACES_H
#define RUNNER_OBSERVE_PLACES_H

#include <stddef.h>

/* Returns the replacement of a place, in the same form; NULL: keep it. Caller frees. */
typedef char *places_find(void *data, const char *url, int line, int column);

/*
 * Returns the text with each place in an http or https URL replaced by what `find` returns for it.
 * NULL: nothing is replaced, or the result would exceed max_bytes. Caller frees.
 */
char *places_rewrite(const char *text, size_t max_bytes, places_find *find, void *data);

#endif
