/* The values of controls. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_VALUE_H
#define RUNNER_SNAPSHOT_SEMANTICS_VALUE_H

#include "runner/snapshot/semantics/text_alternative.h"

/* As a person reads it; never one that is private. NULL: none. Borrowed. */
const char *snapshot_value(struct snapshot_naming *naming, const struct snapshot_facts *facts,
                           int node);

#endif
