/* Adds hints to the logs of a response: remedies for the logged errors. */
#ifndef RUNNER_OBSERVE_LOG_HINTS_H
#define RUNNER_OBSERVE_LOG_HINTS_H

#include "runner/base/log.h"

/*
 * Adds entries of category "hint", type info: the hint of the response's error, which may be "",
 * and one hint for each error or warning of the browser that has one, with the text and the
 * location of its first occurrence. Adds no hint twice; at most 10 of the latter; none to a full
 * list.
 */
void log_hints_add(struct log_list *logs, const char *of_error);

#endif
