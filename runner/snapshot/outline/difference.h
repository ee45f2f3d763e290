/* The difference between two snapshots. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_DIFFERENCE_H
#define RUNNER_SNAPSHOT_OUTLINE_DIFFERENCE_H

#include "runner/base/strbuf.h"

/*
 * Writes the difference between two texts of print_text(): removed lines (`- `) and new lines (`+
 * `), each group below its ancestors (`  `). Writes nothing for equal texts.
 */
void print_difference(const char *before, const char *after, struct strbuf *text);

#endif
