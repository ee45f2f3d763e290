/*
 * The libraries of scripts/ in our worlds; a world evaluates each one before the first call of one
 * of its functions.
 */
#ifndef RUNNER_PAGE_CORE_LIBRARY_H
#define RUNNER_PAGE_CORE_LIBRARY_H

#include <stdbool.h>

struct frame;
struct page;

/*
 * Call before calling a function in the frame's world: sends the function's library first if the
 * world does not have it, without waiting for the reply.
 */
void library_bring(struct page *page, struct frame *frame, const char *function);

/*
 * Returns whether the function is a job, which finds elements and returns an object to be held.
 */
bool library_is_job(const char *function);

#endif
