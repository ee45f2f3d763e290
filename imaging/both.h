/* Runs work on two cores. */
#ifndef IMAGING_BOTH_H
#define IMAGING_BOTH_H

/*
 * Runs both calls to their end: the second one in its own thread, with all signals blocked, or
 * after the first one if no thread can be created. The caller protects data that both write to.
 */
void both_run(void (*run)(void *data), void *first, void *second);

#endif
