/*
 * JUnit XML. It has no standard: the output follows the schema of Jenkins' xUnit plugin
 * (junit-10.xsd), with suites like Surefire's and a timestamp; fixtures/report/junit.xsd is that
 * schema.
 */
#ifndef RUNNER_CHECKS_REPORT_JUNIT_H
#define RUNNER_CHECKS_REPORT_JUNIT_H

#include "runner/base/strbuf.h"

#include <jansson.h>

/* Adds the whole document. `directory` is the prefix of the attached pictures' names. */
void junit_add(struct strbuf *out, const json_t *results, const char *directory);

#endif
