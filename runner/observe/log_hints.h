/* Hints among the logs of a response: what to do about what it tells. */
#ifndef RUNNER_OBSERVE_LOG_HINTS_H
#define RUNNER_OBSERVE_LOG_HINTS_H

#include "runner/base/log.h"

/*
 * Adds entries of category "hint", type info: the hint of the response's error, which may be "",
 * and one for each that errors and warnings of the browser call for, with the text and the place of
 * the first that does. None twice; of the latter at most 10, and none to a list that is full.
 */
void log_hints_add(struct log_list *logs, const char *of_error);

#endif
