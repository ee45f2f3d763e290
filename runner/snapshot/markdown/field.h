/* Controls that hold a value. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_FIELD_H
#define RUNNER_SNAPSHOT_MARKDOWN_FIELD_H

#include "runner/snapshot/markdown/context.h"

/* "[email: Your address = ann@example.org]" with its annotation. */
void markdown_field(struct markdown *markdown, int node);

#endif
