/*
 * What is kept of what pages say: a page may say anything, and results.json of the largest suite
 * has to stay within what report_load() reads.
 */
#ifndef RUNNER_CHECKS_BOUNDS_H
#define RUNNER_CHECKS_BOUNDS_H

#include <jansson.h>
#include <stddef.h>

/* Bytes of one text; longer ones are cut between characters, and end with "…". */
enum { BOUNDS_MAX_TEXT = 4000 };

/* The text, cut. Caller decrefs. */
json_t *bounds_text(const char *text);

/* How many bytes one entry of a suite with so many checks may have of what its page said. */
size_t bounds_of_entry(size_t checks);

/*
 * Cuts the texts in an entry's lists (see results.json), and takes from the end of a list what does
 * not fit into max_bytes; how much that was is the last item of lists that are read by people.
 */
void bounds_keep(json_t *entry, size_t max_bytes);

#endif
