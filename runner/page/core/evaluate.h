/* What scripts answer, for the files of this folder. */
#ifndef RUNNER_PAGE_CORE_EVALUATE_H
#define RUNNER_PAGE_CORE_EVALUATE_H

#include "runner/page/core/state.h"

/*
 * Takes the value out of the result of Runtime.evaluate or Runtime.callFunctionOn; an exception of
 * the script is EVAL_ERROR. The caller decrefs.
 */
bool evaluate_take_value(json_t *reply, json_t **ret_value, struct br_error *err);

#endif
