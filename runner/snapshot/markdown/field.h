/* Controls that hold a value. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_FIELD_H
#define RUNNER_SNAPSHOT_MARKDOWN_FIELD_H

#include "runner/snapshot/markdown/context.h"

/* Writes "[email: Your address = ann@example.org]" with the annotation. */
void markdown_field(struct markdown *markdown, int node);

#endif
