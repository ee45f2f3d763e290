/*
 * What our worlds keep of scripts/: a library each, which a world evaluates once, when one of its
 * functions is first called there.
 */
#ifndef RUNNER_PAGE_CORE_LIBRARY_H
#define RUNNER_PAGE_CORE_LIBRARY_H

#include <stdbool.h>

struct frame;
struct page;

/*
 * To be called before a function is, in the frame's world: sends the library that it is in ahead,
 * where the world has not got it, which nobody waits for.
 */
void library_bring(struct page *page, struct frame *frame, const char *function);

/* Whether the function is a job, which finds an element: its answer is an object that is held. */
bool library_is_job(const char *function);

#endif
