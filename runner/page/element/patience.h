/* Retries for a target that may not be ready yet. */
#ifndef RUNNER_PAGE_ELEMENT_PATIENCE_H
#define RUNNER_PAGE_ELEMENT_PATIENCE_H

#include <stdbool.h>

struct br_error;
struct page;
struct page_target;

/* One try with a target; `attempt` counts from 0. */
typedef bool patience_attempt(struct page *page, const struct page_target *target, int attempt,
                              void *data, struct br_error *err);

/*
 * Gets what a target may mean, the likeliest first; false after the last one. The words of a person
 * have several readings: exactly this text or label, or a selector; a role; exactly this accessible
 * name; a part of a text or label; a part of a name. Each round of a wait tries all of them.
 */
bool patience_reading(const struct page_target *target, int index, struct page_target *ret_reading);

/*
 * Retries as long as the target is merely not ready and its patience lasts; returns the last error.
 */
bool patience_try(struct page *page, const struct page_target *target, patience_attempt *try_once,
                  void *data, struct br_error *err);

/*
 * Returns the alignment for scrolling an element into view: another one after each attempt that
 * found it covered, since headers and toolbars stick to the edges.
 */
const char *patience_alignment(int attempt, bool was_covered);

#endif
