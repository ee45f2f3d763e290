/* The values of controls. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_VALUE_H
#define RUNNER_SNAPSHOT_SEMANTICS_VALUE_H

#include "runner/snapshot/semantics/text_alternative.h"

/* Returns the value as a person reads it; NULL if there is none or it is private. Borrowed. */
const char *snapshot_value(struct snapshot_naming *naming, const struct snapshot_facts *facts,
                           int node);

#endif
