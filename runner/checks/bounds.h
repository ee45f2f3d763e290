/*
 * Limits what is kept of pages' texts: a page may log anything, and results.json of the largest
 * suite must stay within the limit of report_load().
 */
#ifndef RUNNER_CHECKS_BOUNDS_H
#define RUNNER_CHECKS_BOUNDS_H

#include <jansson.h>
#include <stddef.h>

/* Maximum size of a text in bytes; longer ones are cut between characters, and end with "…". */
enum { BOUNDS_MAX_TEXT = 4000 };

/* Returns the text, cut if necessary. Caller decrefs. */
json_t *bounds_text(const char *text);

/* Returns how many bytes of page texts one entry may have in a suite with so many checks. */
size_t bounds_of_entry(size_t checks);

/*
 * Cuts the texts in an entry's lists (see results.json), and removes items from the end of a list
 * so that it fits into max_bytes; in lists that people read, the last item then says how many were
 * removed.
 */
void bounds_keep(json_t *entry, size_t max_bytes);

#endif
