/* Places in texts: "url:line:column", as V8 and SpiderMonkey write them into stacks. */
#ifndef RUNNER_OBSERVE_PLACES_H
#define RUNNER_OBSERVE_PLACES_H

#include <stddef.h>

/* What is to stand for a place, in the same form; NULL: it stays. Caller frees. */
typedef char *places_find(void *data, const char *url, int line, int column);

/*
 * The text with each place of http and https replaced by what `find` says of it. Caller frees; NULL
 * when there is nothing to change, or it would become longer than max_bytes.
 */
char *places_rewrite(const char *text, size_t max_bytes, places_find *find, void *data);

#endif
