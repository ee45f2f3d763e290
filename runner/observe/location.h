/* Places in scripts as the log writes them; for the files of this folder. */
#ifndef RUNNER_OBSERVE_LOCATION_H
#define RUNNER_OBSERVE_LOCATION_H

#include <jansson.h>

/* "url:line:column" counted from 1, of a call frame or the like; NULL without url. Caller frees. */
char *location_text(const json_t *place);

/* A Runtime.StackTrace, one frame a line; NULL when it is empty. Caller frees. */
char *stack_text(const json_t *trace);

#endif
