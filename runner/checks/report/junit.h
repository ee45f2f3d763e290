/*
 * JUnit XML. It has no standard: what is written here is what the schema of Jenkins' xUnit plugin
 * (junit-10.xsd) allows, with suites as in Surefire's and a time stamp; fixtures/report/junit.xsd
 * holds it.
 */
#ifndef RUNNER_CHECKS_REPORT_JUNIT_H
#define RUNNER_CHECKS_REPORT_JUNIT_H

#include "runner/base/strbuf.h"

#include <jansson.h>

/* Adds the whole document. `directory` begins the names of attached pictures. */
void junit_add(struct strbuf *out, const json_t *results, const char *directory);

#endif
