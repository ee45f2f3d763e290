/*
 * The actions of a check: a batch of XML, a file with one, or an array of JSON. They are validated
 * like those of any other front end.
 */
#ifndef RUNNER_CHECKS_SUITE_ACTIONS_H
#define RUNNER_CHECKS_SUITE_ACTIONS_H

#include "runner/checks/suite_reader.h"

/* struct br_action **: NULL-terminated. */
suite_read suite_read_actions;

#endif
