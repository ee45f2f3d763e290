/* Formats positions in scripts for the log; only for files of this folder. */
#ifndef RUNNER_OBSERVE_LOCATION_H
#define RUNNER_OBSERVE_LOCATION_H

#include <jansson.h>

/*
 * Returns "url:line:column", counted from 1, for a call frame or the like; NULL without url. Caller
 * frees.
 */
char *location_text(const json_t *place);

/* Formats a Runtime.StackTrace, one frame a line; NULL if it is empty. Caller frees. */
char *stack_text(const json_t *trace);

#endif
