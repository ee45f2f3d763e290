/* Trying something with a target that may not be ready yet. */
#ifndef RUNNER_PAGE_ELEMENT_PATIENCE_H
#define RUNNER_PAGE_ELEMENT_PATIENCE_H

#include <stdbool.h>

struct br_error;
struct page;
struct page_target;

/* One try of something with a target; `attempt` counts from 0. */
typedef bool patience_attempt(struct page *page, const struct page_target *target, int attempt,
                              void *data, struct br_error *err);

/* Tries while the target is only not ready yet and its patience lasts; the last error stays. */
bool patience_try(struct page *page, const struct page_target *target, patience_attempt *try_once,
                  void *data, struct br_error *err);

/*
 * Where an element is put when it is scrolled into view: another way at each attempt
 * after one that found it covered, since headers and bars stick to the edges.
 */
const char *patience_alignment(int attempt, bool was_covered);

#endif
