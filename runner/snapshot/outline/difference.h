/* What has changed from one snapshot to the next. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_DIFFERENCE_H
#define RUNNER_SNAPSHOT_OUTLINE_DIFFERENCE_H

#include "runner/base/strbuf.h"

/*
 * What has changed from one text of print_text() to the next: lines that are gone
 * (`- `), new (`+ `), each run of them below its ancestors (`  `). Nothing for equal texts.
 */
void print_difference(const char *before, const char *after, struct strbuf *text);

#endif
