/* What tests of reports share: a document to begin with, and a directory to write to. */
#ifndef TESTS_UNIT_REPORT_PLACE_H
#define TESTS_UNIT_REPORT_PLACE_H

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Texts that mean something to HTML, scripts, XML, Markdown, terminals or GitHub. */
extern const char hostile_text[];

/* fixtures/report/results.json: one check of nearly every state. Caller decrefs. */
json_t *sample_results(void);

/* One of its checks. Borrowed. */
json_t *sample_check(json_t *results, const char *name);

/* The sample with the hostile text in the place of every text that may hold one. Caller decrefs. */
json_t *hostile_results(void);

/* The text of a file below the directory; a failed assertion when there is none. Caller frees. */
char *read_text(const char *directory, const char *name);

/* Fixtures of cmocka: *state is the path of a new directory, which is removed with all in it. */
int directory_set_up(void **state);
int directory_tear_down(void **state);

#endif
