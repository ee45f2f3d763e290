/* Work for the second core. */
#ifndef IMAGING_BOTH_H
#define IMAGING_BOTH_H

/*
 * Runs both to their end: the second in a thread of its own, in which no signals arrive, or after
 * the first when there is no thread to be had. What both write to is theirs to guard.
 */
void both_run(void (*run)(void *data), void *first, void *second);

#endif
