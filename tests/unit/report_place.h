/* Shared by tests of reports: a document to begin with, and a directory to write to. */
#ifndef TESTS_UNIT_REPORT_PLACE_H
#define TESTS_UNIT_REPORT_PLACE_H

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A text with characters that are special in HTML, scripts, XML, Markdown, terminals and GitHub. */
extern const char hostile_text[];

/* Reads fixtures/report/results.json: one check of nearly every state. Caller decrefs. */
json_t *sample_results(void);

/* Returns one of its checks. Borrowed. */
json_t *sample_check(json_t *results, const char *name);

/* Returns the sample with every free text replaced by the hostile one. Caller decrefs. */
json_t *hostile_results(void);

/* Reads a file below the directory; fails the test if there is none. Caller frees. */
char *read_text(const char *directory, const char *name);

/* cmocka fixtures: *state is the path of a new directory, which is removed with its contents. */
int directory_set_up(void **state);
int directory_tear_down(void **state);

#endif
